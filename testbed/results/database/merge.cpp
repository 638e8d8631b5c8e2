// Copies rows with all that belongs to them from database to database.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/database/merge.hpp"

#include <unistd.h>

#include <filesystem>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/fnv.hpp"
#include "testbed/results/database/row_checksum.hpp"
#include "testbed/results/database/schema.hpp"
#include "testbed/results/database/snapshot.hpp"
#include "testbed/results/database/sqlite.hpp"

namespace ocs {
namespace {

/// Copies what one table has of a row, under another number.
class TableCopy {
 public:
  TableCopy(Sqlite& from, Sqlite& to, const std::string& table)
      : select_(from, "SELECT * FROM " + table + " WHERE row_id = ?"), insert_(to, statement(table)) {}

  /// @return whether there was anything. @param run of table row alone.
  bool copy(std::int64_t from, const Value& row, std::int64_t run) {
    select_.bind(from);
    bool any = false;
    for (; select_.step(); any = true) {
      for (int column = 0; column < select_.columns(); ++column) {
        const int at = column;
        insert_.bind(at == row_ ? row : at == run_ ? Value{run} : select_.value(column));
      }
      insert_.step();
      last_ = insert_.last_row();
      insert_.reset();
    }
    select_.reset();
    return any;
  }
  std::int64_t last() const { return last_; }  ///< number of the row that was inserted last

 private:
  std::string statement(const std::string& table) {
    std::string names, places;
    for (int column = 0; column < select_.columns(); ++column) {
      const std::string name = select_.name(column);
      if (name == "row_id") row_ = column;
      if (name == "run_id") run_ = column;
      names.append(column == 0 ? "\"" : ", \"").append(name).append("\"");
      places += column == 0 ? "?" : ", ?";
    }
    return "INSERT INTO " + table + " (" + names + ") VALUES (" + places + ")";
  }

  Sqlite::Statement select_;
  int row_ = -1, run_ = -1;
  Sqlite::Statement insert_;
  std::int64_t last_ = 0;
};

/// What decides whether a row is there already.
struct RowIdentity {
  std::uint64_t settings = 0, measured = 0;
  bool reproducible = true, has_events = false, checked = false;
};

/// The rows of one database, one after the other.
class RowReader {
 public:
  explicit RowReader(Sqlite& file)
      : checksums_(file),
        rows_(file,
              "SELECT row.row_id, run_id, json_remove(resolved.experiment, '$.file'), error, reproducible, EXISTS "
              "(SELECT 1 FROM event WHERE event.row_id = row.row_id) FROM row LEFT JOIN resolved USING (row_id) ORDER "
              "BY row.row_id") {}

  /// @return whether there is one.
  bool next() { return rows_.step(); }
  std::int64_t row() const { return rows_.whole(0); }
  std::int64_t run() const { return rows_.whole(1); }
  /// @throws Error (input): the row isn't what was written.
  RowIdentity identity() {
    RowIdentity id{.checked = checksums_.check(row())};
    id.measured = checksums_.measured();
    Fnv1a settings;
    const bool failed = !rows_.is_null(3);
    if (rows_.is_null(2))  // an older lightloop kept no settings: all that was measured stands for them
      settings.add(id.measured, 8);
    else
      settings.add(rows_.text(2));
    if (failed) settings.add("failed: " + rows_.text(3));
    id.settings = settings.value();
    id.reproducible = rows_.is_null(4) || rows_.whole(4) != 0;
    id.has_events = rows_.whole(5) != 0;
    return id;
  }

 private:
  RowChecksums checksums_;
  Sqlite::Statement rows_;
};

class Merge {
 public:
  Merge(const std::string& out, std::span<const std::string> inputs, const std::function<void()>& each,
        NewInputs new_inputs)
      : inputs_(inputs), each_(each), new_inputs_(new_inputs), out_(out, Sqlite::Access::write) {
    open_schema(out_);
    out_.execute("PRAGMA cache_size = -65536");  // KiB: pages that are written to again stay in memory
  }

  MergeCounts run() {
    out_.execute("BEGIN IMMEDIATE");
    try {
      know_rows_of_output();
      out_.begin_run();
      for (std::size_t k = 0; k < inputs_.size(); ++k) add_database(k);
      out_.execute("COMMIT");
    } catch (...) {
      try {
        out_.execute("ROLLBACK");
      } catch (const Error&) {  // SQLite has rolled back by itself
      }
      throw;
    }
    return counts_;
  }

 private:
  static constexpr std::size_t of_output = static_cast<std::size_t>(-1);
  struct Known {
    std::uint64_t measured;
    std::size_t input;       ///< where it is from, or of_output
    std::int64_t there;      ///< its number there
    std::int64_t in_output;  ///< and in the output
    bool has_events;
  };

  void know_rows_of_output() {
    check_structure(out_);
    for (RowReader rows(out_); rows.next(); each_()) {
      const RowIdentity id = rows.identity();
      known_.emplace(id.settings, Known{id.measured, of_output, rows.row(), rows.row(), id.has_events});
    }
  }

  void add_database(std::size_t input) {
    const DatabaseSnapshot snapshot(inputs_[input]);
    try {
      Sqlite file(snapshot.readable(), Sqlite::Access::read);
      if (new_inputs_ == NewInputs::left_out && is_new(file)) return;
      check_schema(file);
      check_structure(file);
      add_rows(input, file);
    } catch (const Error& failure) {
      throw Error(failure.kind(), snapshot.original_names(failure.what()));
    }
  }

  void add_rows(std::size_t input, Sqlite& file) {
    std::vector<TableCopy> tables;
    for (const char* table : {"row", "resolved", "curve", "job", "job_curve", "event"})
      tables.emplace_back(file, out_, table);
    std::map<std::int64_t, std::int64_t> runs;
    RowChecksums checksums(out_);
    Sqlite::Statement write(out_, "INSERT OR REPLACE INTO checksum VALUES (?, ?)");
    for (RowReader rows(file); rows.next(); ++counts_.rows) {
      each_();
      const RowIdentity id = rows.identity();
      counts_.unchecked += id.checked ? 0 : 1;
      if (Known* same = find(input, rows.row(), id)) {
        if (!id.has_events || same->has_events) continue;
        tables.back().copy(rows.row(), same->in_output, 0);
        same->has_events = true;
        write.bind(same->in_output).bind(checksums.checksum(same->in_output)).step();
        write.reset();
        continue;
      }
      const std::int64_t run = run_in_output(file, rows.run(), runs);
      tables.front().copy(rows.row(), std::monostate{}, run);
      const std::int64_t row = tables.front().last();
      for (std::size_t k = 1; k < tables.size(); ++k) tables[k].copy(rows.row(), row, 0);
      write.bind(row).bind(id.checked ? checksums.checksum(row) : std::string(without_checksum)).step();
      write.reset();
      known_.emplace(id.settings, Known{id.measured, input, rows.row(), row, id.has_events});
      ++counts_.added;
    }
  }

  /// The equal row that is there, counted; nullptr: none. @throws Error (input): one differs that must not.
  Known* find(std::size_t input, std::int64_t row, const RowIdentity& id) {
    const auto [from, to] = known_.equal_range(id.settings);
    for (auto at = from; at != to; ++at) {
      Known& other = at->second;
      if (other.measured == id.measured) {
        ++(other.input == of_output ? counts_.there : counts_.duplicates);
        return &other;
      }
      if (id.reproducible)
        refuse("row " + std::to_string(row) + " of \"" + inputs_[input] + "\" and row " + std::to_string(other.there) +
               " of \"" + (other.input == of_output ? out_.name() : inputs_[other.input]) +
               "\" have the same settings, but other results; nothing was merged");
    }
    return nullptr;
  }

  std::int64_t run_in_output(Sqlite& file, std::int64_t run, std::map<std::int64_t, std::int64_t>& runs) {
    const auto [at, is_new] = runs.try_emplace(run);
    if (!is_new) return at->second;
    Sqlite::Statement from(file, "SELECT started, name, file, version, experiment FROM run WHERE run_id = ?");
    from.bind(run);
    if (!from.step()) refuse("\"" + file.name() + "\" is damaged: run " + std::to_string(run) + " is missing");
    Sqlite::Statement there(out_,
                            "SELECT run_id FROM run WHERE started = ? AND name = ? AND file = ? AND version = ? AND "
                            "experiment = ?");
    Sqlite::Statement insert(out_, "INSERT INTO run (started, name, file, version, experiment) VALUES (?, ?, ?, ?, ?)");
    for (int column = 0; column < from.columns(); ++column) {
      there.bind(from.value(column));
      insert.bind(from.value(column));
    }
    if (there.step()) return at->second = there.whole(0);
    insert.step();
    return at->second = insert.last_row();
  }

  std::span<const std::string> inputs_;
  const std::function<void()>& each_;
  NewInputs new_inputs_;
  Sqlite out_;
  std::unordered_multimap<std::uint64_t, Known> known_;  ///< by settings
  MergeCounts counts_;
};

void remove_database(const std::string& file) {
  std::error_code ignored;
  for (const char* ending : {"", "-wal", "-shm"}) std::filesystem::remove(file + ending, ignored);
}

/// Gives a file that is whole its name, unless somebody else has made one of that name. Not every file system has links.
void give_name(const std::string& file, const std::string& name) {
  std::error_code failed;
  std::filesystem::create_hard_link(file, name, failed);
  if (!failed) return remove_database(file);
  if (!std::filesystem::exists(name))
    std::filesystem::rename(file, name, failed);
  else
    failed = std::make_error_code(std::errc::file_exists);
  if (failed) throw Error(ErrorKind::run, "\"" + file + "\" can't be renamed to \"" + name + "\": " + failed.message());
}

}  // namespace

MergeCounts merge_databases(const std::string& out, std::span<const std::string> inputs,
                            const std::function<void()>& each, NewInputs new_inputs) {
  if (std::filesystem::exists(out)) return Merge(out, inputs, each, new_inputs).run();
  const std::string unfinished = out + ".merging-" + std::to_string(getpid());
  try {
    const MergeCounts counts = Merge(unfinished, inputs, each, new_inputs).run();
    give_name(unfinished, out);
    return counts;
  } catch (...) {
    remove_database(unfinished);
    throw;
  }
}

}  // namespace ocs
