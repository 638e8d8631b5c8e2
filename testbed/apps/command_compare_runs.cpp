// lightloop compare-runs: two rows of a database, for instance of a board and of its virtual twin.
// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <iostream>
#include <memory>

#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/run/experiment_arguments.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/events/log_difference.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/results/text/human.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct CompareArguments {
  std::string database, tolerance;
  std::int64_t first = 0, second = 0;
};

using Values = std::vector<std::pair<std::string, std::string>>;

const std::string& value(const Values& values, const std::string& name) {
  for (const auto& [column, text] : values)
    if (column == name) return text;
  throw Error(ErrorKind::internal, "there is no column " + name);
}

std::string padded(std::string text, std::size_t width) {
  text.resize(std::max(width, text.size()), ' ');
  return text;
}

/// Difference of two whole numbers, as a time or a count, and in percent; empty if they are none.
std::string change(const std::string& name, const std::string& first, const std::string& second) {
  char *end = nullptr, *other_end = nullptr;
  const std::int64_t a = std::strtoll(first.c_str(), &end, 10), b = std::strtoll(second.c_str(), &other_end, 10);
  if (first.empty() || second.empty() || *end != '\0' || *other_end != '\0') return {};
  std::int64_t size = 0;
  if (__builtin_sub_overflow(std::max(a, b), std::min(a, b), &size)) return {};
  std::string text = b < a ? "-" : "+";
  text += name.ends_with("_ps") ? human_time(Picos{size}) : human_count(size);
  if (a != 0)
    text += " (" + std::string(b < a ? "-" : "+") +
            human_percent(static_cast<double>(size) / static_cast<double>(std::abs(a))) + ")";
  return text;
}

void print_columns(const Values& first, const Values& second) {
  std::cout << padded("column", 24) << padded("first", 24) << padded("second", 24) << "change\n";
  bool any = false;
  for (const auto& [name, text] : first) {
    const std::string& other = value(second, name);
    if (text == other || differs_each_time(name) || name == "event_log_hash") continue;
    any = true;
    const auto shown = [](const std::string& one) { return padded(one.empty() ? "-" : printable(one), 24); };
    std::cout << padded(name, 24) << shown(text) << shown(other) << change(name, text, other) << '\n';
  }
  if (!any) std::cout << "all columns are the same\n";
}

void compare(const CompareArguments& arguments) {
  std::optional<Picos> tolerance;
  if (!arguments.tolerance.empty()) {
    try {
      tolerance = Picos{parse_quantity(arguments.tolerance, Dimension::time)};
    } catch (const Error& failure) {
      throw Error(ErrorKind::input, "--tolerance is " + in_quotes(arguments.tolerance) + ", but " + failure.what());
    }
  }
  StoredRows stored(arguments.database);
  const StoredRow first = stored.row(arguments.first), second = stored.row(arguments.second);
  warn_of_rows_without_checksum(stored);
  const Values columns = stored.values(first), other_columns = stored.values(second);
  const auto say = [](const char* which, const StoredRow& row) {
    std::cout << which << " row " << row.id << ": policy " << printable(row.policy) << ", device "
              << printable(row.device) << ", " << counted(row.events, "event") << ", lightloop "
              << printable(row.version) << '\n';
  };
  say("first ", first);
  say("second", second);
  std::cout << '\n';
  print_columns(columns, other_columns);
  std::cout << '\n';
  if (first.events == 0 && second.events == 0) {
    std::cout << "neither row has events\n";
    return;
  }
  const std::vector<Event> log = stored.events(first), other_log = stored.events(second);
  for (const auto& [row, kept] : {std::pair{&first, &log}, std::pair{&second, &other_log}})
    if (kept->empty() && row->events > 0) {
      const std::string missing = "row " + std::to_string(row->id) + " of \"" + arguments.database +
                                  "\" has no event log; `lightloop run --events` keeps it";
      if (tolerance) throw Error(ErrorKind::input, missing);
      std::cout << "events are not compared: " << missing << '\n';
      return;
    }
  const auto cycle_of = [](const Values& values) {
    return Picos{std::strtoll(value(values, "cycle_ps").c_str(), nullptr, 10)};
  };
  const LogDifference difference = difference_of(log, cycle_of(columns), other_log, cycle_of(other_columns));
  if (difference.same()) {
    std::cout << "the event logs are the same, event by event\n";
    return;
  }
  std::cout << to_text(difference);
  if (!tolerance) return;
  if (!difference.only_first.empty() || !difference.only_second.empty() || difference.other_words > 0)
    throw Error(ErrorKind::run, "the logs differ in more than time");
  if (const Picos most = difference.size_quantile(1'000'000); most > *tolerance)
    throw Error(ErrorKind::run, "events are shifted by up to " + human_time(most) + ", more than the tolerance of " +
                                    human_time(*tolerance));
}

}  // namespace

void add_compare_runs(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "compare-runs",
      "Compares two rows of a database: the columns that differ, and where and by how much the times of their events "
      "differ. Both rows must have been run with --events, for instance a run on a board and its virtual twin.");
  const auto arguments = std::make_shared<CompareArguments>();
  command->add_option("DB", arguments->database, "database that `lightloop run --db` wrote; it is not changed")
      ->type_name("FILE")
      ->required();
  command
      ->add_option("ROW1", arguments->first,
                   "number of the first row (column row_id), from 1, for instance the virtual twin")
      ->type_name("NUMBER")
      ->required();
  command->add_option("ROW2", arguments->second, "number of the second row; a positive shift means later in this row")
      ->type_name("NUMBER")
      ->required();
  command
      ->add_option(
          "--tolerance", arguments->tolerance,
          "exits with 1 if an event is missing or shifted by more than this time, such as \"5 ns\"; default: any")
      ->type_name("TIME");
  command->footer("Exit codes: 0 compared, 1 beyond the tolerance, 2 wrong input.");
  command->callback([arguments, &action] { action = [arguments](const Environment&) { compare(*arguments); }; });
}

}  // namespace ocs
