// SPDX-License-Identifier: Apache-2.0
// The little of SQLite's interface that the results of a sweep need: statements, and transactions.
#pragma once

#include <sqlite3.h>

#include <cstdint>
#include <optional>
#include <string>

#include "base/errors.hpp"
#include "base/interrupt.hpp"

namespace warpmem::sweeps {

/// An open file. Errors are UserErrors with the file's name and SQLite's message, or Interrupted
/// when a signal has ended the wait for another process.
struct Connection {
  std::string path;
  sqlite3* db = nullptr;

  Connection() = default;
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;
  ~Connection() { sqlite3_close(db); }

  [[noreturn]] void fail(const std::string& what) const {
    if (sqlite3_errcode(db) == SQLITE_BUSY) throw_if_interrupted();
    throw UserError(path + ": " + what + ": " + sqlite3_errmsg(db));
  }
  void execute(const char* sql) {
    if (sqlite3_exec(db, sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail("cannot be written");
  }
};

/// A prepared statement. Texts that are bound must live until the step is done.
class Statement {
 public:
  Statement(Connection& connection, const char* sql) : connection_(connection) {
    if (sqlite3_prepare_v2(connection.db, sql, -1, &statement_, nullptr) != SQLITE_OK)
      connection.fail("not the results of a sweep");
  }
  ~Statement() { sqlite3_finalize(statement_); }
  Statement(const Statement&) = delete;
  Statement& operator=(const Statement&) = delete;

  Statement& bind(const std::string& text) {
    sqlite3_bind_text(statement_, ++bound_, text.data(), static_cast<int>(text.size()),
                      SQLITE_STATIC);
    return *this;
  }
  Statement& bind(double number) {
    sqlite3_bind_double(statement_, ++bound_, number);
    return *this;
  }
  Statement& bind(std::int64_t number) {
    sqlite3_bind_int64(statement_, ++bound_, number);
    return *this;
  }
  /// Binds NULL where there is nothing.
  template <class Value>
  Statement& bind(const std::optional<Value>& value) {
    if (value) return bind(*value);
    sqlite3_bind_null(statement_, ++bound_);
    return *this;
  }

  bool row() {
    result_ = sqlite3_step(statement_);
    return result_ == SQLITE_ROW;
  }
  /// Checks what ended the rows: only their end may have done so, and no error.
  void check() const {
    if (result_ != SQLITE_ROW && result_ != SQLITE_DONE) connection_.fail("cannot be read");
  }
  void run() {
    if (sqlite3_step(statement_) != SQLITE_DONE) connection_.fail("cannot be written");
    sqlite3_reset(statement_);
    bound_ = 0;
  }

  std::string text(int column) const {
    const auto* const bytes = sqlite3_column_text(statement_, column);
    return bytes == nullptr ? "" : reinterpret_cast<const char*>(bytes);
  }
  double number(int column) const { return sqlite3_column_double(statement_, column); }
  std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
  bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

 private:
  Connection& connection_;
  sqlite3_stmt* statement_ = nullptr;
  int bound_ = 0;
  int result_ = SQLITE_DONE;
};

/// What is executed while one lives is written as a whole or not at all.
class Transaction {
 public:
  explicit Transaction(Connection& connection) : connection_(connection) {
    connection.execute("BEGIN IMMEDIATE");
  }
  ~Transaction() {
    if (!done_) sqlite3_exec(connection_.db, "ROLLBACK", nullptr, nullptr, nullptr);
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  void commit() {
    connection_.execute("COMMIT");
    done_ = true;
  }

 private:
  Connection& connection_;
  bool done_ = false;
};

}  // namespace warpmem::sweeps
