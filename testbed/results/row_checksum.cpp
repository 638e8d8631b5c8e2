// FNV-1a-64, which every change of a single bit changes, over names and values as SQLite gives them back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/row_checksum.hpp"

#include <optional>
#include <string_view>

#include "host/core/fnv.hpp"
#include "host/core/printable.hpp"

namespace ocs {
namespace {

constexpr std::string_view no_checksum = "none";  // of rows that lightloop wrote before there were checksums

void add_text(Fnv1a& hash, std::string_view text) {
  hash.add(text.size(), 8);
  hash.add(text);
}

/// Columns that hold nothing are left out, so that a column that a later version adds changes no checksum.
void add_rows_of(Fnv1a& hash, Sqlite& file, const std::string& sql, std::int64_t row) {
  Sqlite::Statement statement(file, sql);
  statement.bind(row);
  while (statement.step())
    for (int column = 0; column < statement.columns(); ++column) {
      if (statement.is_null(column)) continue;
      add_text(hash, statement.name(column));
      add_text(hash, statement.any(column));
    }
}

std::string checksum_of(Sqlite& file, std::int64_t row) {
  Fnv1a hash;
  add_rows_of(hash, file, "SELECT run.* FROM run JOIN row USING (run_id) WHERE row.row_id = ?", row);
  for (const char* sql :
       {"SELECT * FROM row WHERE row_id = ?", "SELECT * FROM resolved WHERE row_id = ?",
        "SELECT * FROM curve WHERE row_id = ? ORDER BY number", "SELECT * FROM job WHERE row_id = ? ORDER BY job",
        "SELECT * FROM job_curve WHERE row_id = ? ORDER BY job, number",
        "SELECT * FROM event WHERE row_id = ? ORDER BY number"})
    add_rows_of(hash, file, sql, row);
  return hash.hex();
}

std::optional<std::string> kept_checksum(Sqlite& file, std::int64_t row) {
  Sqlite::Statement statement(file, "SELECT hash FROM checksum WHERE row_id = ?");
  statement.bind(row);
  if (!statement.step()) return std::nullopt;
  return statement.text(0);
}

[[noreturn]] void refuse_row(const Sqlite& file, std::int64_t row, const std::string& why) {
  throw Error(ErrorKind::input, "row " + std::to_string(row) + " of \"" + file.name() +
                                    "\" is damaged or was altered: " + why +
                                    "; use a copy of the database, or delete the row");
}

/// A damaged number of a row would part it from its checksum.
void check_that_checksums_have_rows(Sqlite& file) {
  Sqlite::Statement lone(file, "SELECT row_id FROM checksum WHERE row_id NOT IN (SELECT row_id FROM row) LIMIT 1");
  if (lone.step()) refuse_row(file, lone.whole(0), "it has a checksum and nothing else");
}

}  // namespace

void write_checksum(Sqlite& file, std::int64_t row) {
  Sqlite::Statement(file, "INSERT INTO checksum VALUES (?, ?)").bind(row).bind(checksum_of(file, row)).step();
}

void mark_rows_without_checksum(Sqlite& file) {
  Sqlite::Statement(file,
                    "INSERT INTO checksum SELECT row_id, ? FROM row WHERE row_id NOT IN (SELECT row_id FROM "
                    "checksum)")
      .bind(std::string(no_checksum))
      .step();
}

bool check_row(Sqlite& file, std::int64_t row) {
  const std::optional<std::string> kept = kept_checksum(file, row);
  if (!kept) refuse_row(file, row, "it has no checksum");
  if (*kept == no_checksum) return false;
  if (const std::string now = checksum_of(file, row); now != *kept)
    refuse_row(file, row, "its checksum is " + now + ", but was " + printable(*kept) + " when it was written");
  return true;
}

std::set<std::int64_t> check_all_rows(Sqlite& file) {
  Sqlite::Statement structure(file, "PRAGMA quick_check(1)");
  const std::string found = structure.step() ? structure.text(0) : "no answer";
  if (found != "ok")  // a heading in a line of its own may come before it
    throw Error(ErrorKind::input,
                "database \"" + file.name() + "\" is damaged: " + printable(found.substr(found.rfind('\n') + 1)));
  check_that_checksums_have_rows(file);
  Sqlite::Statement rows(file, "SELECT row_id FROM row ORDER BY row_id");
  std::set<std::int64_t> unchecked;
  while (rows.step())
    if (const std::int64_t row = rows.whole(0); !check_row(file, row)) unchecked.insert(row);
  return unchecked;
}

}  // namespace ocs
