// lightloop gantt: what the switches of stored rows did, drawn.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/new_file.hpp"
#include "testbed/apps/run/repetition.hpp"
#include "testbed/apps/run/terminal_style.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/gantt/chart_watch.hpp"
#include "testbed/gantt/draw.hpp"
#include "testbed/session/names.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct GanttArguments {
  std::string database, svg, from, to;
  std::vector<std::int64_t> rows;
  RepeatArguments repeat;
};

std::optional<Picos> instant_of(const char* option, const std::string& text) {
  if (text.empty()) return std::nullopt;
  try {
    return Picos{parse_quantity(text, Dimension::time)};
  } catch (const Error& failure) {
    throw Error(ErrorKind::input, std::string(option) + " is " + in_quotes(text) + ", but " + failure.what());
  }
}

/// What stays of a row that can't be repeated: its events.
std::vector<GanttChart> from_log(StoredRows& stored, const Repetition& one, const std::string& title) {
  const std::vector<Event> log = stored.events(one.then);
  if (log.empty())
    throw Error(ErrorKind::input, one.name +
                                      " can't be repeated, because it has no event_log_hash, and its events were "
                                      "not kept; `lightloop run --events` keeps them");
  return charts_of_log(log, one.point.fabric.cycle, title);
}

std::vector<GanttChart> charts_of_row(StoredRows& stored, std::int64_t id, const GanttArguments& arguments,
                                      const Environment& environment) {
  const Repetition one = repetition_of(stored, id, arguments.repeat, environment);
  if (one.point.packets) throw Error(ErrorKind::input, one.name + " ran over packets: there are no circuits to draw");
  const std::string title = "row " + std::to_string(id) + ": " + printable(one.then.policy) + ", as " +
                            printable(one.then.device) + " did it";
  if (!one.then.event_log_hash) return from_log(stored, one, title);
  std::optional<ChartWatch> watch;
  watch_again(
      one, [&]() -> RunWatch& { return watch.emplace(); }, environment.version, arguments.repeat.quiet);
  return watch->finish(title);
}

void draw_rows(const GanttArguments& arguments, const Environment& environment) {
  const std::optional<Picos> from = instant_of("--from", arguments.from), to = instant_of("--to", arguments.to);
  StoredRows stored(arguments.database);
  std::vector<GanttChart> charts;
  for (const std::int64_t id : arguments.rows)
    for (GanttChart& chart : charts_of_row(stored, id, arguments, environment)) charts.push_back(std::move(chart));
  warn_of_rows_without_checksum(stored);
  align(charts, from, to);
  if (!arguments.svg.empty()) return NewFile(arguments.svg, "the chart").write(gantt_svg(charts));
  for (const GanttChart& chart : charts) std::printf("%s\n", gantt_text(chart, terminal_style()).c_str());
}

}  // namespace

void add_gantt(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "gantt",
      "Draws what the switch did in stored rows: each output as a line over time, with tuning, locking, data and lost "
      "words. Several rows share one time axis. A row is repeated for this, without payload, and must give the event "
      "log that it had; of a row that can't be repeated its kept events are drawn (docs/timeline.md).");
  const auto arguments = std::make_shared<GanttArguments>();
  command->add_option("DB", arguments->database, "database that `lightloop run --db` wrote; it is not changed")
      ->type_name("FILE")
      ->required();
  command->add_option("ROW", arguments->rows, "numbers of rows in the database (column row_id), from 1")
      ->type_name("NUMBER")
      ->required();
  command
      ->add_option("--svg", arguments->svg,
                   "draws to this new SVG file, or to standard output (-); default: text on the terminal")
      ->type_name("FILE|-");
  command
      ->add_option("--from", arguments->from, "draws from this instant on, such as \"12 ms\"; default: the first event")
      ->type_name("TIME");
  command->add_option("--to", arguments->to, "draws to this instant; default: the last event")->type_name("TIME");
  arguments->repeat.add_to(*command);
  command->footer("Exit codes: 0 drawn, 1 a row is not the same any more, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { draw_rows(*arguments, given); }; });
}

}  // namespace ocs
