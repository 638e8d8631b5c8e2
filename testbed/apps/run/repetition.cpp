// Repeats rows for what looks at them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/repetition.hpp"

#include <iostream>
#include <memory>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/progress.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/names.hpp"
#include "testbed/session/node_runners.hpp"

namespace ocs {
namespace {

/// What a database names is executed only for a user who says so.
void check_program(const Repetition& one, bool allowed, const Names& names) {
  const std::string program = program_of(one.then.resolved);
  if (program.empty()) return;
  const std::string what = describe_program(names.load_scheduler(program));
  if (!allowed)
    throw Error(ErrorKind::input, one.name + " was planned by " + what +
                                      "; rerun executes a program that a database names only with --allow-exec");
  std::cerr << "lightloop: executes " + what + "\n";
}

/// The same in virtual time, as fast as it can be had. With real gradients payload stays.
Point quickly(Point point) {
  point.fabric.device = "model";
  point.fabric.words_cross = false;
  point.nodes.transport = "inproc";
  point.nodes.listen.clear();
  point.nodes.keys.clear();
  point.nodes.expect = 0;
  const auto leave_out_payload = [](JobSettings& job) {
    if (!job.real_gradients) job.payload = "none";
  };
  leave_out_payload(point.job);
  for (ArrivingJob& one : point.jobs) leave_out_payload(one.job);
  return point;
}

bool same_run(const Repetition& one, const Row& now, std::int64_t sim_time) {
  return one.then.event_log_hash ? now.event_log_hash == one.then.event_log_hash : now.sim_time.n == sim_time;
}

Row run_watched(const Repetition& one, const Point& point, RunWatch& watch, const std::string& version, bool quiet) {
  const Interruption interruption;
  TerminalProgress progress(stderr, interruption, quiet);
  progress.begin(one.name + ", " + printable(one.then.policy));
  NodeRunners runners(progress);
  try {
    Row now = run_point(point, {.version = version,
                                .progress = &progress,
                                .pause = [&] { progress.pause(); },
                                .on_event = {},
                                .runner = runners.by_point(),
                                .watch = &watch});
    progress.clear();
    return now;
  } catch (const Error&) {
    interruption.check();  // what failed may have, because it was interrupted too
    throw;
  }
}

}  // namespace

void add_stored_row(CLI::App& command, std::string& database, std::int64_t& row) {
  command.add_option("DB", database, "database that `lightloop run --db` wrote; it is not changed")
      ->type_name("FILE")
      ->required();
  command.add_option("ROW", row, "number of the row in the database (column row_id), from 1")
      ->type_name("NUMBER")
      ->required();
}

void RepeatArguments::add_to(CLI::App& command) {
  command.add_flag("--quiet", quiet, "prints no progress");
  command.add_flag("--allow-exec", allow_exec,
                   "executes the program that planned the row (exec:); default: refuses such a row");
  exec.add_to(command);
}

Repetition repetition_of(StoredRows& stored, std::int64_t row, const RepeatArguments& arguments,
                         const Environment& environment) {
  Repetition one{"row " + std::to_string(row) + " of \"" + stored.file() + "\"", stored.row(row), {}};
  const Names names = known_names(environment, {}, stored.file(), arguments.exec.settings);
  check_program(one, arguments.allow_exec, names);
  one.point = point_of(one.then.resolved, names, one.name);
  one.replayed = one.point.planning.charge == PlanningSettings::Charge::measured;
  if (one.replayed) {
    one.point.planning.charge = PlanningSettings::Charge::row;
    one.point.planning.replayed = std::make_shared<const std::vector<Picos>>(charges_of_row(stored, row));
  }
  return one;
}

void check_has_hash(const Repetition& one) {
  if (!one.then.event_log_hash && !one.point.packets)
    throw Error(ErrorKind::input, one.name + " has no event_log_hash, so there is nothing to hold another run against");
}

Row watch_again(const Repetition& one, const std::function<RunWatch&()>& make_watch, const std::string& version,
                bool quiet) {
  check_has_hash(one);
  for (const Point& point : {quickly(one.point), one.point}) {
    Row now = run_watched(one, point, make_watch(), version, quiet);
    if (same_run(one, now, one.then.sim_time_ps)) return now;
  }
  throw Error(ErrorKind::run, one.name + " gives another event log than then, lightloop " +
                                  printable(one.then.version) + "; `lightloop rerun` shows where they part");
}

}  // namespace ocs
