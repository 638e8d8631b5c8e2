// lightloop report: a database as one page.
// SPDX-License-Identifier: Apache-2.0
#include <iostream>
#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/new_file.hpp"
#include "testbed/apps/run/repetition.hpp"
#include "testbed/gantt/chart_watch.hpp"
#include "testbed/gantt/draw.hpp"
#include "testbed/report/figures.hpp"
#include "testbed/report/report.hpp"
#include "testbed/why/why_text.hpp"

namespace ocs {
namespace {

struct ReportArguments {
  std::string database, output, figures, format;
  std::vector<std::int64_t> rows, explain;
  RepeatArguments repeat;
};

/// What the switch did, and why the longest iteration took so long.
ReportDetail detail_of(StoredRows& stored, std::int64_t id, const ReportArguments& arguments,
                       const Environment& environment) {
  constexpr std::size_t most_links = 200;
  const Repetition one = repetition_of(stored, id, arguments.repeat, environment);
  ReportDetail detail{.title = "row " + std::to_string(id) + ": " + printable(one.then.policy), .svg = {}, .text = {}};
  std::optional<ChartWatch> chart;
  std::optional<History> history;
  if (!one.point.packets) {
    const auto make_chart = [&]() -> RunWatch& { return chart.emplace(); };
    watch_again(one, make_chart, environment.version, arguments.repeat.quiet);
    std::vector<GanttChart> charts = chart->finish(detail.title);
    align(charts, {}, {});
    detail.svg = gantt_svg(charts);
  }
  const auto make_history = [&]() -> RunWatch& { return history.emplace(); };
  watch_again(one, make_history, environment.version, arguments.repeat.quiet);
  const Span span = longest_span(*history);
  detail.text = to_text(
      {.name = one.name, .servers = history->servers, .span = span, .links = chain_of(*history, span)}, most_links);
  return detail;
}

void warn(const std::vector<std::string>& sentences) {
  for (const std::string& sentence : sentences) std::cerr << "lightloop: warning: " + sentence + "\n";
}

void check(const ReportArguments& arguments) {
  if (arguments.output.empty() && arguments.figures.empty())
    throw Error(ErrorKind::input, "report writes nothing: it must have -o FILE, --figures DIR or both");
  if (arguments.figures.empty() && !arguments.format.empty())
    throw Error(ErrorKind::input, "--format needs --figures DIR: a report is HTML");
  if (arguments.output.empty() && !arguments.explain.empty())
    throw Error(ErrorKind::input, "--explain needs -o FILE: figures explain no row");
}

void write_figures(const ReportArguments& arguments) {
  const Figures figures = draw_figures({.database = arguments.database,
                                        .rows = arguments.rows,
                                        .folder = arguments.figures,
                                        .format = arguments.format.empty() ? "pdf" : arguments.format});
  warn(figures.left_out);
  if (arguments.output.empty()) warn(figures.warnings);  // else the report does
  if (figures.written.empty())
    std::cerr << "lightloop: warning: no figure is written, since the rows have nothing to draw\n";
  if (arguments.repeat.quiet) return;
  for (const std::string& file : figures.written)
    std::cerr << "lightloop: wrote " + arguments.figures + "/" + file + "\n";
}

void write_report(const ReportArguments& arguments, const Environment& environment) {
  check(arguments);
  if (!arguments.figures.empty()) write_figures(arguments);
  if (arguments.output.empty()) return;
  std::vector<ReportDetail> details;
  if (!arguments.explain.empty()) {
    StoredRows stored(arguments.database);
    for (const std::int64_t id : arguments.explain) details.push_back(detail_of(stored, id, arguments, environment));
  }
  const ReportPage page = report_page(arguments.database, arguments.rows, details);
  warn(page.warnings);
  NewFile(arguments.output, "the report").write(page.html);
}

}  // namespace

void add_report(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "report",
      "Writes a database as one HTML file that needs nothing else: what was run, the results with their spread over "
      "seeds, and charts, each of which can be saved as SVG and its numbers as CSV (docs/report.md).");
  const auto arguments = std::make_shared<ReportArguments>();
  command->add_option("DB", arguments->database, "database that `lightloop run --db` wrote; it is not changed")
      ->type_name("FILE")
      ->required();
  command->add_option("-o,--output", arguments->output, "writes to this new file, or to standard output (-)")
      ->type_name("FILE|-");
  command
      ->add_option("--figures", arguments->figures,
                   "draws the charts for papers into this folder, by python3 with matplotlib; files that are there are "
                   "replaced; default: none")
      ->type_name("DIR");
  command->add_option("--format", arguments->format, "of the figures; default: pdf")
      ->check(CLI::IsMember({"pdf", "svg", "png"}));
  command->add_option("--rows", arguments->rows, "shows these rows (column row_id); default: all")->type_name("NUMBER");
  command
      ->add_option("--explain", arguments->explain,
                   "repeats these rows, draws what the switch did, and says why they took so long; default: none")
      ->type_name("NUMBER");
  arguments->repeat.add_to(*command);
  command->footer("Exit codes: 0 written, 1 a row is not the same any more, 2 wrong input, 130 ended by Ctrl-C.");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { write_report(*arguments, given); }; });
}

}  // namespace ocs
