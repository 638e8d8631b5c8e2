// Thin over the C interface of SQLite.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/sqlite.hpp"

#include <sqlite3.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include "host/core/printable.hpp"

namespace ocs {
namespace {

constexpr int patience_ms = 60'000;  // for another process that writes

/// Why a file couldn't be opened. SQLite tries a second time to read only, and then says that a new file isn't there,
/// where its folder can't be written.
int cause_of(sqlite3* handle, const std::string& file, bool to_write) {
  const int cause = sqlite3_system_errno(handle);
  const std::filesystem::path folder = std::filesystem::absolute(file).parent_path();
  if (cause == ENOENT && to_write && access(folder.c_str(), W_OK) != 0) return errno;
  return cause;
}

/// A statement that names every column is longer than a sentence may be.
std::string beginning(const std::string& sql) {
  constexpr std::size_t most = 60;
  return sql.size() <= most ? sql : sql.substr(0, most) + "...";
}

/// As SQLite's URIs name a file that nobody writes to.
std::string immutable_uri(const std::string& file) {
  std::string uri = "file:";
  for (const char c : file) {
    char escaped[4];
    std::snprintf(escaped, sizeof escaped, "%%%02x", static_cast<unsigned char>(c));
    uri += c == '%' || c == '?' || c == '#' ? std::string(escaped) : std::string(1, c);
  }
  return uri + "?immutable=1";
}

}  // namespace

Sqlite::Sqlite(const std::string& file, Access access) : name_(file), access_(access), handle_(nullptr, sqlite3_close) {
  open(file, access == Access::write ? SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE : SQLITE_OPEN_READONLY);
  if (access == Access::write) return;
  // Even to read, SQLite makes files beside the database. Where it can't (a read-only disk) and no writer has left
  // any, the file alone is whole.
  std::error_code ignored;
  const bool readable =
      (sqlite3_exec(handle_.get(), "SELECT 1 FROM sqlite_master", nullptr, nullptr, nullptr) & 0xff) != SQLITE_CANTOPEN;
  if (!readable && !std::filesystem::exists(file + "-wal", ignored))
    open(immutable_uri(file), SQLITE_OPEN_READONLY | SQLITE_OPEN_URI);
}

void Sqlite::open(const std::string& name, int flags) {
  sqlite3* raw = nullptr;
  const int opened = sqlite3_open_v2(name.c_str(), &raw, flags, nullptr);
  handle_.reset(raw);
  if (opened != SQLITE_OK) fail("open");
  opened_to_write_ = sqlite3_db_readonly(raw, "main") == 0;
  sqlite3_busy_timeout(raw, patience_ms);
  // A column that isn't there is no text. A file may be a stranger's: what its schema would execute is left alone.
  for (const int off : {SQLITE_DBCONFIG_DQS_DML, SQLITE_DBCONFIG_DQS_DDL, SQLITE_DBCONFIG_ENABLE_TRIGGER,
                        SQLITE_DBCONFIG_ENABLE_VIEW, SQLITE_DBCONFIG_TRUSTED_SCHEMA})
    sqlite3_db_config(raw, off, 0, nullptr);
  sqlite3_db_config(raw, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_extended_result_codes(raw, 1);
}

void Sqlite::execute(const std::string& sql) {
  if (sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr) != SQLITE_OK) fail(sql);
}

void Sqlite::execute_when_free(const std::string& sql) {
  constexpr int step_ms = 5;
  for (int waited_ms = 0;; waited_ms += step_ms) {
    const int result = sqlite3_exec(handle_.get(), sql.c_str(), nullptr, nullptr, nullptr);
    if (result == SQLITE_OK) return;
    if ((result & 0xff) != SQLITE_BUSY || waited_ms >= patience_ms) fail(sql);
    sqlite3_sleep(step_ms);
  }
}

std::int64_t Sqlite::number(const std::string& sql) {
  Statement statement(*this, sql);
  return statement.step() ? statement.whole(0) : 0;
}

bool Sqlite::header_forbids_writing() const {
  return opened_to_write_ && sqlite3_db_readonly(handle_.get(), "main") == 1;
}

void Sqlite::fail(const std::string& what) const {
  const std::string name = "\"" + name_ + "\"";
  const int code = handle_ ? sqlite3_errcode(handle_.get()) & 0xff : SQLITE_NOMEM;
  std::string why = handle_ ? printable(sqlite3_errmsg(handle_.get())) : "out of memory";  // it quotes the file
  if (code == SQLITE_CANTOPEN || code == SQLITE_IOERR)
    if (const int cause = cause_of(handle_.get(), name_, access_ == Access::write); cause != 0)
      why += std::string(": ") + std::strerror(cause);
  if (code == SQLITE_NOTADB) throw Error(kind_, name + " is not an SQLite database; name another file");
  if (code == SQLITE_CORRUPT) throw Error(kind_, "database " + name + " is damaged: " + why);
  if (code == SQLITE_ERROR || code == SQLITE_MISUSE || code == SQLITE_RANGE)  // our SQL doesn't fit the tables
    throw Error(kind_, "database " + name + " doesn't have the tables of its schema version: " + why + " (" +
                           beginning(what) + ")");
  throw Error(kind_, "database " + name + (access_ == Access::read ? " can't be read: " : " can't be written: ") + why);
}

Sqlite::Statement::Statement(const Sqlite& file, const std::string& sql)
    : file_(file), statement_(nullptr, sqlite3_finalize) {
  sqlite3_stmt* raw = nullptr;
  if (sqlite3_prepare_v2(file.handle_.get(), sql.c_str(), -1, &raw, nullptr) != SQLITE_OK) file_.fail(sql);
  statement_.reset(raw);
}

Sqlite::Statement& Sqlite::Statement::bind(const Value& value) {
  sqlite3_stmt* to = statement_.get();
  const int at = ++bound_;
  int result = SQLITE_OK;
  if (const auto* whole = std::get_if<std::int64_t>(&value))
    result = sqlite3_bind_int64(to, at, *whole);
  else if (const auto* real = std::get_if<double>(&value))
    result = sqlite3_bind_double(to, at, *real);
  else if (const auto* text = std::get_if<std::string>(&value))
    result = sqlite3_bind_text64(to, at, text->data(), text->size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  else
    result = sqlite3_bind_null(to, at);
  if (result != SQLITE_OK) file_.fail("bind");
  return *this;
}

bool Sqlite::Statement::step() {
  const int result = sqlite3_step(statement_.get());
  if (result != SQLITE_ROW && result != SQLITE_DONE) file_.fail("step");
  return result == SQLITE_ROW;
}

void Sqlite::Statement::reset() {
  sqlite3_reset(statement_.get());
  bound_ = 0;
}

bool Sqlite::Statement::is_null(int column) const {
  return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL;
}

std::int64_t Sqlite::Statement::whole(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_INTEGER)
    throw Error(ErrorKind::input, "database \"" + file_.name_ + "\" is damaged: column \"" +
                                      sqlite3_column_name(statement_.get(), column) + "\" must hold a whole number");
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Sqlite::Statement::text(int column) const {
  if (sqlite3_column_type(statement_.get(), column) != SQLITE_TEXT)
    throw Error(ErrorKind::input, "database \"" + file_.name_ + "\" is damaged: column \"" +
                                      sqlite3_column_name(statement_.get(), column) + "\" must hold text");
  return as_text(column);
}

std::string Sqlite::Statement::as_text(int column) const {
  const auto* bytes = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  if (bytes == nullptr) return {};  // NULL, or a blob of no bytes
  return {bytes, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

int Sqlite::Statement::columns() const { return sqlite3_column_count(statement_.get()); }

std::string Sqlite::Statement::name(int column) const { return sqlite3_column_name(statement_.get(), column); }

Value Sqlite::Statement::value(int column) const {
  switch (sqlite3_column_type(statement_.get(), column)) {
    case SQLITE_NULL:
      return std::monostate{};
    case SQLITE_INTEGER:
      return std::int64_t{sqlite3_column_int64(statement_.get(), column)};
    case SQLITE_FLOAT:
      return sqlite3_column_double(statement_.get(), column);
    default:
      return text(column);
  }
}

std::string Sqlite::Statement::any(int column) const {
  sqlite3_stmt* from = statement_.get();
  const int type = sqlite3_column_type(from, column);
  if (type == SQLITE_INTEGER) return "i" + std::to_string(sqlite3_column_int64(from, column));
  if (type == SQLITE_FLOAT)
    return "r" + std::to_string(std::bit_cast<std::int64_t>(sqlite3_column_double(from, column)));
  const auto* bytes = static_cast<const char*>(sqlite3_column_blob(from, column));
  std::string text = type == SQLITE_TEXT ? "t" : "b";
  if (bytes != nullptr) text.append(bytes, static_cast<std::size_t>(sqlite3_column_bytes(from, column)));
  return text;
}

std::int64_t Sqlite::Statement::last_row() const { return sqlite3_last_insert_rowid(file_.handle_.get()); }

}  // namespace ocs
