// FNV-1a-64, which every change of a single bit changes, over names and values as SQLite gives them back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/row_checksum.hpp"

#include <algorithm>
#include <array>
#include <optional>
#include <string_view>

#include "host/core/printable.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {
namespace {

// Columns that depend on where a row is, and on the rows beside it.
constexpr std::array<std::string_view, 4> elsewhere{"row_id", "run_id", "experiment", "pst_over_psscheduler"};

void add_text(Fnv1a& hash, std::string_view text) {
  hash.add(text.size(), 8);
  hash.add(text);
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

RowChecksums::RowChecksums(Sqlite& file) : file_(file), kept_(file, "SELECT hash FROM checksum WHERE row_id = ?") {
  for (const char* sql :
       {"SELECT run.* FROM run JOIN row USING (run_id) WHERE row.row_id = ?", "SELECT * FROM row WHERE row_id = ?",
        "SELECT * FROM resolved WHERE row_id = ?", "SELECT * FROM curve WHERE row_id = ? ORDER BY number",
        "SELECT * FROM job WHERE row_id = ? ORDER BY job",
        "SELECT * FROM job_curve WHERE row_id = ? ORDER BY job, number",
        "SELECT * FROM event WHERE row_id = ? ORDER BY number"})
    parts_.push_back(part(sql));
}

RowChecksums::Part RowChecksums::part(const std::string& sql) const {
  Part made{.statement = {file_, sql}};
  name_columns(made);
  return made;
}

void RowChecksums::name_columns(Part& part) {
  part.names.clear();
  part.measured.clear();
  for (int column = 0; column < part.statement.columns(); ++column) {
    const std::string& name = part.names.emplace_back(part.statement.name(column));
    part.measured.push_back(!differs_each_time(name) && std::ranges::find(elsewhere, name) == elsewhere.end());
  }
}

/// Columns that hold nothing are left out, so that a column that a later version adds changes no checksum.
void RowChecksums::hash(std::int64_t row, Fnv1a& all, Fnv1a& measured) {
  for (std::size_t k = 0; k < parts_.size(); ++k) {
    Part& part = parts_[k];
    const bool of_row = k > 0 && k + 1 < parts_.size();
    part.statement.bind(row);
    while (part.statement.step()) {
      // Another process may have added columns since, after which SQLite prepares the statement anew.
      if (static_cast<std::size_t>(part.statement.columns()) != part.names.size()) name_columns(part);
      for (int column = 0; column < part.statement.columns(); ++column) {
        if (part.statement.is_null(column)) continue;
        const auto at = static_cast<std::size_t>(column);
        const std::string value = part.statement.any(column);
        add_text(all, part.names[at]);
        add_text(all, value);
        if (!of_row || !part.measured[at]) continue;
        add_text(measured, part.names[at]);
        add_text(measured, value);
      }
    }
    part.statement.reset();
  }
}

std::string RowChecksums::checksum(std::int64_t row) {
  Fnv1a all, measured;
  hash(row, all, measured);
  return all.hex();
}

void RowChecksums::write(std::int64_t row) {
  Sqlite::Statement(file_, "INSERT INTO checksum VALUES (?, ?)").bind(row).bind(checksum(row)).step();
}

bool RowChecksums::check(std::int64_t row) {
  kept_.bind(row);
  std::optional<std::string> kept;
  if (kept_.step()) kept = kept_.text(0);
  kept_.reset();
  if (!kept) refuse_row(file_, row, "it has no checksum");
  Fnv1a all, measured;
  hash(row, all, measured);
  measured_ = measured.value();
  if (*kept == without_checksum) return false;
  if (const std::string now = all.hex(); now != *kept)
    refuse_row(file_, row, "its checksum is " + now + ", but was " + printable(*kept) + " when it was written");
  return true;
}

void mark_rows_without_checksum(Sqlite& file) {
  Sqlite::Statement(file,
                    "INSERT INTO checksum SELECT row_id, ? FROM row WHERE row_id NOT IN (SELECT row_id FROM "
                    "checksum)")
      .bind(std::string(without_checksum))
      .step();
}

void check_structure(Sqlite& file) {
  Sqlite::Statement structure(file, "PRAGMA quick_check(1)");
  const std::string found = structure.step() ? structure.text(0) : "no answer";
  if (found != "ok")  // a heading in a line of its own may come before it
    throw Error(ErrorKind::input,
                "database \"" + file.name() + "\" is damaged: " + printable(found.substr(found.rfind('\n') + 1)));
  check_that_checksums_have_rows(file);
}

std::set<std::int64_t> check_all_rows(Sqlite& file) {
  check_structure(file);
  Sqlite::Statement rows(file, "SELECT row_id FROM row ORDER BY row_id");
  RowChecksums checksums(file);
  std::set<std::int64_t> unchecked;
  while (rows.step())
    if (const std::int64_t row = rows.whole(0); !checksums.check(row)) unchecked.insert(row);
  return unchecked;
}

}  // namespace ocs
