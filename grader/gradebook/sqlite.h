// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "grader/base/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace warplings {

/// A prepared SQL statement. After an error, ok() stays false and no further rows are returned.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// Binds the values of ?1, ?2, … in order.
  template <class... T>
  Statement& Bind(const T&... values) {
    int place = 0;
    (BindOne(++place, values), ...);
    return *this;
  }
  /// Binds bytes that are not text.
  Statement& BindBlob(int place, std::string_view bytes);

  /// Goes to the next row; false if there is none.
  bool Step();
  /// Runs a statement that returns no rows, and resets it so that it can be bound and run again.
  bool Run();
  bool ok() const { return ok_; }

  std::string Text(int column) const;  ///< For text and blobs; "" for NULL.
  std::int64_t Integer(int column) const;
  double Real(int column) const;

 private:
  void BindOne(int place, std::string_view text);
  void BindOne(int place, double value);
  void BindOne(int place, int value) { BindOne(place, static_cast<std::int64_t>(value)); }
  void BindOne(int place, std::int64_t value);

  sqlite3_stmt* statement_ = nullptr;
  bool ok_ = true;
};

/// Which processes may have the file open at the same time.
enum class DatabaseUse {
  kShared,  ///< Several processes of this machine.
  /// Only this process, until it closes the file; others are refused. Works on a network folder, where
  /// SQLite's shared memory does not (https://sqlite.org/wal.html, "Use of WAL without shared memory").
  kAlone,
};

/// A SQLite database file in WAL mode: committed transactions survive a crash of this program or of the
/// machine.
class Database {
 public:
  static Result<Database> Open(const std::filesystem::path& file, DatabaseUse use = DatabaseUse::kShared);
  Database(Database&&) = default;

  bool Execute(const char* sql);
  Statement Prepare(std::string_view sql) const { return {handle_.get(), sql}; }
  /// Describes the last error and what to do about it.
  Error LastError() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Database(std::filesystem::path file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// A transaction: everything written until Commit() takes effect as a whole or not at all. The destructor
/// rolls back.
class Transaction {
 public:
  explicit Transaction(Database& database)
      : database_(database), open_(database.Execute("BEGIN IMMEDIATE")) {}
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  bool open() const { return open_; }
  bool Commit();

 private:
  Database& database_;
  bool open_;
};

}  // namespace warplings
