// lightloop rerun: repeats a row of a database and holds its event log against the one from then.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cinttypes>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/progress.hpp"
#include "testbed/apps/run/repetition.hpp"
#include "testbed/results/events/event_log.hpp"
#include "testbed/results/text/human.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/node_runners.hpp"

namespace ocs {
namespace {

std::string hex(std::uint64_t hash) {
  char text[17];
  std::snprintf(text, sizeof text, "%016" PRIx64, hash);
  return text;
}

/// "trace file:sub/times.csv, jitter ..." with files' names alone: a row names them as its experiment did, its
/// repetition by their whole paths.
std::string without_folders(std::string text) {
  for (const std::string_view scheme : {"file:", "coflow:", "plan:"})
    for (std::size_t at = text.find(scheme); at != std::string::npos; at = text.find(scheme, at)) {
      at += scheme.size();
      const std::size_t end = std::min(text.find(", ", at), text.size());
      const std::size_t slash = text.rfind('/', end - 1);
      if (slash != std::string::npos && slash >= at) text.erase(at, slash + 1 - at);
    }
  return text;
}

/// A value as SQLite keeps it, and what the column holds there as text.
bool same_value(const Value& now, const std::string& then) {
  if (const auto* whole = std::get_if<std::int64_t>(&now)) return std::to_string(*whole) == then;
  if (const auto* text = std::get_if<std::string>(&now)) return without_folders(*text) == without_folders(then);
  const auto* real = std::get_if<double>(&now);
  if (real == nullptr) return then.empty();
  constexpr double digits = 1e-14;  // SQLite writes 15
  char* end = nullptr;
  const double kept = std::strtod(then.c_str(), &end);
  return !then.empty() && *end == '\0' && std::abs(kept - *real) <= digits * std::abs(*real);
}

/// Columns whose values are not those from then. Not those that other rows or another version decide.
/// @param older another lightloop wrote the row.
std::vector<std::string> other_columns(const Row& now, const std::vector<std::pair<std::string, std::string>>& then,
                                       bool older) {
  std::vector<std::string> differ;
  const std::vector<std::pair<std::string, Value>> fields = to_fields(now);
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const auto& [name, value] = fields[k];
    constexpr std::array<std::string_view, 3> others{"version", "pst_over_psscheduler", "event_log_hash"};
    if (differs_each_time(name) || std::ranges::find(others, name) != others.end()) continue;
    if (then.at(k).second.empty() && older) continue;  // its database had no such column then
    if (!same_value(value, then.at(k).second)) differ.push_back(name);
  }
  return differ;
}

struct Arguments {
  std::string database;
  std::int64_t row = 0;
  RepeatArguments repeat;
};

Row run_again(const Repetition& one, const std::string& version, bool quiet, LogComparison& comparison) {
  const Interruption interruption;
  TerminalProgress progress(stderr, interruption, quiet);
  progress.begin(one.name + ", " + printable(one.then.policy));
  NodeRunners runners(progress);
  try {
    Row now = run_point(one.point, {.version = version,
                                    .progress = &progress,
                                    .pause = [&] { progress.pause(); },
                                    .on_event = [&](const Event& event) { comparison.add(event); },
                                    .runner = runners.by_point()});
    progress.clear();
    return now;
  } catch (const Error&) {
    interruption.check();  // what failed may have, because it was interrupted too
    throw;
  }
}

void check_columns(const Repetition& one, const Row& now, StoredRows& stored) {
  if (one.replayed) return;  // it says so in its own columns
  std::string list;
  for (const std::string& column : other_columns(now, stored.values(one.then), one.then.version != now.version))
    list += (list.empty() ? "" : ", ") + column;
  if (!list.empty()) throw Error(ErrorKind::run, one.name + " gives the same events, but other values of " + list);
}

void rerun(const Arguments& arguments, const Environment& environment) {
  StoredRows stored(arguments.database);
  const Repetition one = repetition_of(stored, arguments.row, arguments.repeat, environment);
  check_has_hash(one);
  warn_of_rows_without_checksum(stored);
  const StoredRow& then = one.then;
  std::vector<Event> log = stored.events(then);
  const bool kept = !log.empty() || then.events == 0;
  LogComparison comparison(std::move(log));
  const Row now = run_again(one, environment.version, arguments.repeat.quiet, comparison);
  const bool same_hash = now.event_log_hash == then.event_log_hash, same_log = !kept || comparison.finish();
  const auto say = [](const char* when, const auto& hash, std::int64_t count, const std::string& version) {
    std::cout << "\n  " << when << (hash ? "  hash " + hex(*hash) : "  no hash") << ", " << counted(count, "event")
              << ", lightloop " << printable(version);
  };
  std::cout << one.name << ": policy " << printable(then.policy) << ", device " << printable(then.device);
  say("then", then.event_log_hash, then.events, then.version);
  say("now ", now.event_log_hash, now.events, now.version);
  std::cout << '\n';
  if (same_hash && same_log) {
    check_columns(one, now, stored);
    std::cout << "the same" << (kept && then.events > 0 ? ", event by event" : "") << '\n';
    return;
  }
  if (!same_log) std::cout << comparison.report();
  if (same_hash)
    throw Error(ErrorKind::run, one.name + " has the same hash, but not the same kept event log: that was altered");
  if (kept && same_log)
    throw Error(ErrorKind::run, one.name + " has another hash, but the same kept event log: its hash was altered");
  throw Error(ErrorKind::run,
              one.name + " gives another event log than then" +
                  (kept ? "" : "; where they part isn't known, because `lightloop run --events` wasn't used then"));
}

}  // namespace

void add_rerun(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "rerun",
      "Repeats a row of a database from its resolved experiment. Compares the hash of the event log and the columns "
      "with "
      "those in the database. If the row was run with --events, it shows the first event that differs.");
  const auto arguments = std::make_shared<Arguments>();
  add_stored_row(*command, arguments->database, arguments->row);
  arguments->repeat.add_to(*command);
  command->footer("Exit codes: 0 equal, 1 not equal or the run failed, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { rerun(*arguments, given); }; });
}

}  // namespace ocs
