// SPDX-License-Identifier: Apache-2.0
#include "grader/gradebook/sqlite.h"

#include <sqlite3.h>

#include "grader/messages/class.h"

namespace warplings {

Statement::Statement(sqlite3* database, std::string_view sql) {
  ok_ = sqlite3_prepare_v2(database, sql.data(), static_cast<int>(sql.size()), &statement_, nullptr) ==
        SQLITE_OK;
}

Statement::~Statement() {
  sqlite3_finalize(statement_);
}

// A statement that could not be prepared is null, which every function below answers with an error.

void Statement::BindOne(int place, std::string_view text) {
  ok_ = ok_ && sqlite3_bind_text64(statement_, place, text.data() == nullptr ? "" : text.data(), text.size(),
                                   SQLITE_TRANSIENT, SQLITE_UTF8) == SQLITE_OK;
}

void Statement::BindOne(int place, double value) {
  ok_ = ok_ && sqlite3_bind_double(statement_, place, value) == SQLITE_OK;
}

void Statement::BindOne(int place, std::int64_t value) {
  ok_ = ok_ && sqlite3_bind_int64(statement_, place, value) == SQLITE_OK;
}

Statement& Statement::BindBlob(int place, std::string_view bytes) {
  ok_ = ok_ && sqlite3_bind_blob64(statement_, place, bytes.data() == nullptr ? "" : bytes.data(),
                                   bytes.size(), SQLITE_TRANSIENT) == SQLITE_OK;
  return *this;
}

bool Statement::Step() {
  if (!ok_) return false;
  const int status = sqlite3_step(statement_);
  ok_ = status == SQLITE_ROW || status == SQLITE_DONE;
  return status == SQLITE_ROW;
}

bool Statement::Run() {
  Step();
  if (ok_) sqlite3_reset(statement_);
  return ok_;
}

std::string Statement::Text(int column) const {
  const void* bytes = sqlite3_column_blob(statement_, column);
  const int size = sqlite3_column_bytes(statement_, column);
  return bytes == nullptr ? "" : std::string(static_cast<const char*>(bytes), static_cast<std::size_t>(size));
}

std::int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_, column);
}

double Statement::Real(int column) const {
  return sqlite3_column_double(statement_, column);
}

void Database::Close::operator()(sqlite3* handle) const {
  sqlite3_close(handle);
}

Result<Database> Database::Open(const std::filesystem::path& file, DatabaseUse use) {
  sqlite3* handle = nullptr;
  const int status =
      sqlite3_open_v2(file.c_str(), &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, nullptr);
  Database database(file, handle);
  // FULL: a commit is on the disk when it returns. It costs a millisecond or so for a graded exercise.
  constexpr int kPatienceMs = 5000;
  if (status != SQLITE_OK || sqlite3_busy_timeout(handle, kPatienceMs) != SQLITE_OK ||
      (use == DatabaseUse::kAlone && !database.Execute("PRAGMA locking_mode = EXCLUSIVE")) ||
      !database.Execute("PRAGMA journal_mode = WAL") || !database.Execute("PRAGMA synchronous = FULL") ||
      !database.Execute("PRAGMA foreign_keys = ON")) {
    return database.LastError();
  }
  return database;
}

bool Database::Execute(const char* sql) {
  return sqlite3_exec(handle_.get(), sql, nullptr, nullptr, nullptr) == SQLITE_OK;
}

Error Database::LastError() const {
  const Message message = say::of_gradebook(file_.string(), sqlite3_errmsg(handle_.get()));
  switch (sqlite3_errcode(handle_.get()) & 0xff) {
    case SQLITE_FULL:
    case SQLITE_IOERR: return GraderError(message, say::free_space_grades_are_kept());
    case SQLITE_CANTOPEN:
    case SQLITE_READONLY:
    case SQLITE_PERM: return UsageError(message, say::name_writable_out());
    case SQLITE_BUSY: return UsageError(message, say::wait_for_other_process());
    case SQLITE_NOTADB:
    case SQLITE_CORRUPT: return UsageError(message, say::move_away_or_name_out());
    default: return GraderError(message);
  }
}

Transaction::~Transaction() {
  if (open_) database_.Execute("ROLLBACK");
}

bool Transaction::Commit() {
  // After a failed commit the destructor rolls back.
  if (!open_ || !database_.Execute("COMMIT")) return false;
  open_ = false;
  return true;
}

}  // namespace warplings
