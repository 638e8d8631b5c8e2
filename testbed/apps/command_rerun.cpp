// lightloop rerun: repeats a row of a database and holds its event log against the one from then.
// SPDX-License-Identifier: Apache-2.0
#include <cinttypes>
#include <cstdio>
#include <iostream>
#include <memory>

#include "host/core/error.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/crews.hpp"
#include "testbed/apps/interruption.hpp"
#include "testbed/apps/names.hpp"
#include "testbed/apps/progress.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/run.hpp"
#include "testbed/results/event_log.hpp"

namespace ocs {
namespace {

std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

std::string events(std::int64_t count) { return std::to_string(count) + (count == 1 ? " event" : " events"); }

void rerun(const std::string& database, std::int64_t id, bool quiet, const Environment& environment) {
  StoredRows stored(database);
  const StoredRow then = stored.row(id);
  const std::string name = "row " + std::to_string(id) + " of \"" + database + "\"";
  if (!then.event_log_hash)
    throw Error(ErrorKind::input, name + " has no event_log_hash, so there is nothing to hold another run against");
  Point point = point_of(then.resolved, known_names(environment, {}, database), name);
  if (point.planning.charge == PlanningSettings::Charge::measured) {  // as long as it took then
    point.planning.charge = PlanningSettings::Charge::row;
    point.planning.replayed = std::make_shared<const std::vector<Picos>>(charges_of_row(database, id));
  }
  std::vector<Event> log = stored.events(then);
  const bool kept = !log.empty() || then.events == 0;
  LogComparison comparison(std::move(log));

  const Interruption interruption;
  TerminalProgress progress(stderr, interruption, quiet);
  progress.begin(name + ", " + then.policy);
  Crews crews(progress);
  Row now;
  try {
    now = run_point(point, {.version = environment.version,
                            .progress = &progress,
                            .pause = [&] { progress.pause(); },
                            .on_event = [&](const Event& event) { comparison.add(event); },
                            .crew = crews.by_point()});
  } catch (const Error&) {
    interruption.check();  // what failed may have, because it was interrupted too
    throw;
  }
  progress.clear();
  const bool same_hash = now.event_log_hash == then.event_log_hash, same_log = !kept || comparison.finish();
  std::cout << name << ": policy " << then.policy << ", device " << then.device << "\n  then  hash "
            << hex(*then.event_log_hash) << ", " << events(then.events) << ", lightloop " << then.version
            << "\n  now   hash " << (now.event_log_hash ? hex(*now.event_log_hash) : "none") << ", "
            << events(now.events) << ", lightloop " << now.version << '\n';
  if (same_hash && same_log) {
    std::cout << "the same" << (kept ? ", event by event" : "") << '\n';
    return;
  }
  if (!same_log) std::cout << comparison.report();
  if (same_hash)
    throw Error(ErrorKind::run, name + " has the same hash, but not the same kept event log: that was altered");
  if (kept && same_log)
    throw Error(ErrorKind::run, name + " has another hash, but the same kept event log: its hash was altered");
  throw Error(ErrorKind::run,
              name + " gives another event log than then" +
                  (kept ? "" : "; where they part isn't known, because `lightloop run --events` wasn't used then"));
}

}  // namespace

void add_rerun(CLI::App& app, Action& action) {
  struct Arguments {
    std::string database;
    std::int64_t row = 0;
    bool quiet = false;
  };
  CLI::App* command = app.add_subcommand(
      "rerun",
      "Repeats a row of a database from its resolved experiment and says whether its event log has the same\n"
      "hash; if not, it shows where the logs part, provided that the row was run with --events.");
  const auto arguments = std::make_shared<Arguments>();
  command->add_option("DB", arguments->database, "database of `lightloop run --db`; nothing in it is changed")
      ->type_name("FILE")
      ->required();
  command->add_option("ROW", arguments->row, "row_id of the row: the rows of a database count from 1")
      ->type_name("NUMBER")
      ->required();
  command->add_flag("--quiet", arguments->quiet, "prints no progress");
  command->footer("Exit codes: 0 the same, 1 not the same or the run failed, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback([arguments, &action] {
    action = [arguments](const Environment& given) {
      rerun(arguments->database, arguments->row, arguments->quiet, given);
    };
  });
}

}  // namespace ocs
