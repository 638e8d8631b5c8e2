// An SQLite file: statements, and what goes wrong as a sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "host/core/error.hpp"
#include "host/core/results.hpp"

struct sqlite3;
struct sqlite3_stmt;

namespace ocs {

class Sqlite {
 public:
  enum class Access : std::uint8_t {
    read,   ///< the file must exist; nothing in it is changed
    write,  ///< a file that doesn't exist is made
  };

  /// Values are bound in order; columns count from 0.
  class Statement {
   public:
    Statement(const Sqlite& file, const std::string& sql);
    Statement& bind(const Value& value);
    bool step();  ///< @return whether there is a row
    void reset();
    bool is_null(int column) const;
    std::int64_t whole(int column) const;   ///< @throws Error when the column holds something else
    std::string text(int column) const;     ///< the same
    std::string as_text(int column) const;  ///< of any type, as CAST writes it
    std::int64_t last_row() const;          ///< of the last INSERT
    int columns() const;
    std::string name(int column) const;
    Value value(int column) const;  ///< @throws Error (input) when the column holds a blob
    /// The type and the value of a column that isn't NULL, as bytes: equal exactly for the same value.
    std::string any(int column) const;

   private:
    const Sqlite& file_;
    std::unique_ptr<sqlite3_stmt, int (*)(sqlite3_stmt*)> statement_;
    int bound_ = 0;
  };

  /// @throws Error (input) when it can't be opened.
  Sqlite(const std::string& file, Access access);

  void execute(const std::string& sql);
  /// For what SQLite doesn't wait for by itself while another process has the file.
  void execute_when_free(const std::string& sql);
  std::int64_t number(const std::string& sql);  ///< 0 if it gives none

  /// From here on what goes wrong is an Error (run): it is no longer about the input.
  void begin_run() { kind_ = ErrorKind::run; }

  const std::string& name() const { return name_; }
  /// Whether the header of a file opened to write forbids writing: no SQLite of this format sets it, but a flipped bit
  /// does. Known once the header was read.
  bool header_forbids_writing() const;
  /// @throws Error that says why the last call failed. `what`: what was to be done.
  [[noreturn]] void fail(const std::string& what) const;

 private:
  void open(const std::string& name, int flags);

  std::string name_;
  Access access_;
  bool opened_to_write_ = false;  ///< SQLite opens a file that it can't write to only to read it
  ErrorKind kind_ = ErrorKind::input;
  std::unique_ptr<sqlite3, int (*)(sqlite3*)> handle_;
};

}  // namespace ocs
