// A row of a database, and the point that gives it again.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "testbed/apps/commands.hpp"
#include "testbed/engine/run_watch.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

struct Repetition {
  std::string name;  ///< "row 3 of "results.db""
  StoredRow then;
  Point point;
  bool replayed = false;  ///< what planning took is charged as it was then
};

/// What may be executed to repeat a row. A database is data, perhaps a stranger's.
struct RepeatArguments {
  bool allow_exec = false, quiet = false;
  ExecArguments exec;
  void add_to(CLI::App& command);
};

/// The positional arguments of a command that is about one row of a database.
void add_stored_row(CLI::App& command, std::string& database, std::int64_t& row);

/// @throws Error (input): the row can't be read, or a program that may not be executed planned it
Repetition repetition_of(StoredRows& stored, std::int64_t row, const RepeatArguments& arguments,
                         const Environment& environment);

/// @throws Error (input): no event log or its hash was kept, so that nothing says whether it is the same run
void check_has_hash(const Repetition& one);

/// Runs the row once more, without payload and on the model of a switch, or, if its events are not the same there, as
/// it was. What watches is made anew for each run. @returns the row, whose event log has the hash from then; over
/// packets, which has none, the time from then
/// @throws Error (run): the row isn't the same any more; Error (input): it has no hash
Row watch_again(const Repetition& one, const std::function<RunWatch&()>& make_watch, const std::string& version,
                bool quiet);

}  // namespace ocs
