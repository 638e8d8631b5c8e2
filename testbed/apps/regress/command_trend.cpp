// lightloop trend: a number over the nights of a folder, and where its level changes.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>
#include <utility>

#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/regress/history.hpp"
#include "testbed/regress/trend.hpp"
#include "testbed/results/row.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct TrendArguments {
  std::string folder, metric, table, over;
};

void check_metric(const std::string& metric) {
  std::vector<std::string> known{"seconds"};
  for (const std::string& column : regress::coverage_metrics()) known.push_back(column);
  for (const Column& column : row_columns())
    if (column.type != Column::Type::text) known.emplace_back(column.name);
  if (std::find(known.begin(), known.end(), metric) != known.end()) return;
  const std::string near = nearest(metric, known);
  refuse("--metric is " + in_quotes(metric) +
         ", but must be a column of docs/results.md that holds numbers, seconds, or one of " +
         joined(regress::coverage_metrics()) + (near.empty() ? "" : "; the most similar one is " + in_quotes(near)));
}

std::string number_text(double value, const char* form) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

void check_tables(const TrendArguments& arguments) {
  if (!arguments.metric.starts_with(regress::coverage_columns)) return;
  for (const auto& [option, table] : {std::pair{"--case", &arguments.table}, {"--over", &arguments.over}})
    if (!table->empty())
      refuse("--metric " + arguments.metric + " is of a whole night; leave " + std::string(option) + " out");
}

std::vector<regress::NightValue> values_of(regress::History& history, const std::string& metric,
                                           const std::string& table) {
  std::vector<regress::NightValue> nights = history.metric(metric, table);
  if (nights.empty())
    refuse(metric.starts_with(regress::coverage_columns)
               ? "no finished night has counted coverage"
               : "no finished night has a case that passed with " + in_quotes(metric) +
                     (table.empty() ? "" : " in " + in_quotes(table)));
  return nights;
}

/// What measures the machine compares within one night: each value over that of other cases of the same night. Nights
/// that lack one of both are left out.
std::vector<regress::NightValue> within_nights(const std::vector<regress::NightValue>& values,
                                               const std::vector<regress::NightValue>& others,
                                               const TrendArguments& arguments) {
  std::vector<regress::NightValue> out;
  auto other = others.begin();
  for (regress::NightValue each : values) {
    while (other != others.end() && other->night.number < each.night.number) ++other;
    if (other == others.end() || other->night.number != each.night.number) continue;
    if (other->value == 0)
      refuse("--over " + in_quotes(arguments.over) + " has the " + arguments.metric + " 0 in night " +
             std::to_string(each.night.number));
    each.value /= other->value;
    out.push_back(std::move(each));
  }
  if (out.empty()) refuse("no finished night has both cases of --case and --over");
  return out;
}

std::vector<regress::NightValue> trend_values(const TrendArguments& arguments) {
  check_metric(arguments.metric);
  check_tables(arguments);
  const std::filesystem::path file = std::filesystem::path(arguments.folder) / "history.db";
  if (!std::filesystem::exists(file))
    refuse("\"" + arguments.folder + "\" is not a folder of `lightloop regress`: it has no history.db");
  regress::History history(file);
  std::vector<regress::NightValue> values = values_of(history, arguments.metric, arguments.table);
  if (!arguments.over.empty())
    return within_nights(values, values_of(history, arguments.metric, arguments.over), arguments);
  if (arguments.metric == "seconds" || differs_each_time(arguments.metric))
    std::cerr << "warning: " << arguments.metric
              << " measures the machine, which changes from night to night; --over NAME compares within each night\n";
  return values;
}

void print_trend(const TrendArguments& arguments) {
  const std::vector<regress::NightValue> nights = trend_values(arguments);
  std::vector<double> values;
  values.reserve(nights.size());
  for (const regress::NightValue& each : nights) values.push_back(each.value);
  const std::vector<regress::ChangePoint> changes = regress::change_points(values);
  auto change = changes.begin();
  std::cout << "night  begun                 " << arguments.metric
            << (arguments.over.empty() ? "" : " over that of " + arguments.over) << '\n';
  for (std::size_t k = 0; k < nights.size(); ++k) {
    std::cout << number_text(static_cast<double>(nights[k].night.number), "%5.0f") << "  "
              << printable(nights[k].night.started) << "  " << number_text(values[k], "%.6g");
    if (change != changes.end() && change->first == k) {
      std::cout << "  changed from " << number_text(change->before, "%.6g") << " to "
                << number_text(change->after, "%.6g") << " (p = " << number_text(change->p, "%.3f") << "), lightloop "
                << printable(nights[k].night.version);
      ++change;
    }
    std::cout << '\n';
  }
}

}  // namespace

void add_trend(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand(
      "trend",
      "Prints a number of each finished night, and marks the nights from which on its level is another one "
      "(docs/regress.md).");
  const auto arguments = std::make_shared<TrendArguments>();
  command->add_option("DIR", arguments->folder, "folder of `lightloop regress --out`")->required();
  command
      ->add_option("--metric", arguments->metric,
                   "column of docs/results.md, as the mean over all rows; seconds, which all cases took together; or "
                   "coverage_line, coverage_toggle, coverage_named: percent of the points that the night reached")
      ->type_name("COLUMN")
      ->required();
  command->add_option("--case", arguments->table, "counts only the cases of this table [[case]]; default: all")
      ->type_name("NAME");
  command
      ->add_option("--over", arguments->over,
                   "divides by the same number of the cases of this table in the same night, so that a slow night or "
                   "another machine is no change")
      ->type_name("NAME");
  command->footer("Exit codes: 0 printed, 2 wrong input.");
  command->callback([arguments, &action] { action = [arguments](const Environment&) { print_trend(*arguments); }; });
}

}  // namespace ocs
