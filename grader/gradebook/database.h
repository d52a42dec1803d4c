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

/// One SQL statement with its values. Steps through rows; a fault ends them and stays.
class Statement {
 public:
  Statement(sqlite3* database, std::string_view sql);
  ~Statement();
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  /// The values of ?1, ?2, … in their order.
  template <class... T>
  Statement& Bind(const T&... values) {
    int place = 0;
    (BindOne(++place, values), ...);
    return *this;
  }
  /// For values that are bytes and not text.
  Statement& BindBlob(int place, std::string_view bytes);

  /// True while there is a row.
  bool Step();
  /// Runs a statement that gives no rows; ready to be bound and run again.
  bool Run();
  bool ok() const { return ok_; }

  std::string Text(int column) const;  ///< Also of a blob; "" for NULL.
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

/// Who may have the file open at the same time.
enum class DatabaseUse {
  kShared,  ///< Several processes of this machine.
  /// This process alone, until it closes the file; a second one is refused. Works on a network folder, where
  /// SQLite's shared memory does not (https://sqlite.org/wal.html, "Use of WAL without shared memory").
  kAlone,
};

/// A SQLite database file in WAL mode: what is committed outlives a crash of this program or of the machine.
class Database {
 public:
  static Result<Database> Open(const std::filesystem::path& file, DatabaseUse use = DatabaseUse::kShared);
  Database(Database&&) = default;

  bool Execute(const char* sql);
  Statement Prepare(std::string_view sql) const { return {handle_.get(), sql}; }
  /// The last fault, and what to do about it.
  Error LastError() const;

 private:
  struct Close {
    void operator()(sqlite3* handle) const;
  };
  Database(std::filesystem::path file, sqlite3* handle) : file_(std::move(file)), handle_(handle) {}

  std::filesystem::path file_;
  std::unique_ptr<sqlite3, Close> handle_;
};

/// All that is written until Commit() is written at once or not at all.
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
