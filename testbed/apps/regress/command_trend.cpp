// lightloop trend: a number over the nights of a folder, and where its level changes.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <limits>
#include <memory>
#include <utility>

#include "host/core/printable.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/regress/expectation.hpp"
#include "testbed/regress/history.hpp"
#include "testbed/regress/trend.hpp"
#include "testbed/results/rows/row.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

struct TrendArguments {
  std::string folder, metric, table, over;
};

/// The full name of what --metric names.
std::string checked_metric(const std::string& given) {
  std::vector<std::string> known{"seconds"};
  for (const std::string& column : regress::coverage_metrics()) known.push_back(column);
  for (const Column& column : row_columns())
    if (column.type != Column::Type::text) known.emplace_back(column.name);
  const std::string full = regress::full_column_name(given), metric = full.empty() ? given : full;
  if (std::find(known.begin(), known.end(), metric) != known.end()) return metric;
  for (std::size_t k = 0, columns = known.size(); k < columns; ++k)  // their short names
    if (const std::string& name = known[k]; name.rfind('_') != std::string::npos)
      known.push_back(name.substr(0, name.rfind('_')));
  const std::string near = nearest(given, known);
  refuse("--metric is " + in_quotes(given) +
         ", but must be a column of docs/results.md that holds numbers, seconds, or one of " +
         joined(regress::coverage_metrics()) + (near.empty() ? "" : "; the most similar one is " + in_quotes(near)));
}

std::string number_text(double value, const char* form) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), form, value);
  return text.data();
}

/// In the unit of its column, to six digits.
std::string value_text(double value, const std::string& metric) {
  struct Units {
    std::string_view ending;
    std::vector<const char*> names;  ///< each a thousand of the one before
  };
  static const std::array<Units, 3> all{{{"_ps", {"ps", "ns", "us", "ms", "s"}},
                                         {"_bytes", {"B", "kB", "MB", "GB", "TB"}},
                                         {"_bps", {"bit/s", "kbit/s", "Mbit/s", "Gbit/s", "Tbit/s"}}}};
  constexpr double thousand = 1000;
  for (const Units& units : all) {
    if (!metric.ends_with(units.ending)) continue;
    auto unit = units.names.begin();
    for (; value >= thousand && unit + 1 != units.names.end(); ++unit) value /= thousand;
    return number_text(value, "%.6g ") + *unit;
  }
  return number_text(value, "%.6g");
}

void check_tables(const TrendArguments& arguments) {
  if (!arguments.metric.starts_with(regress::coverage_columns)) return;
  for (const auto& [option, table] : {std::pair{"--case", &arguments.table}, {"--over", &arguments.over}})
    if (!table->empty())
      refuse("--metric " + arguments.metric + " is of a whole night; leave " + std::string(option) + " out");
}

void check_known(regress::History& history, const char* option, const std::string& table) {
  const std::vector<std::string> known = history.tables();
  if (table.empty() || std::find(known.begin(), known.end(), table) != known.end()) return;
  const std::string near = nearest(table, known);
  refuse(std::string(option) + " is " + in_quotes(table) + ", but no night has such a table" +
         (near.empty() ? "" : "; did you mean " + in_quotes(near) + "?"));
}

std::vector<regress::NightValue> values_of(regress::History& history, const std::string& metric,
                                           const std::string& table) {
  std::vector<regress::NightValue> nights = history.metric(metric, table);
  if (nights.empty())
    refuse(metric.starts_with(regress::coverage_columns) ? "no finished night has counted coverage"
                                                         : "no finished night has a case with " + in_quotes(metric) +
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

struct Trend {
  std::vector<regress::NightValue> nights;
  std::vector<regress::NightWithout> without;
};

Trend trend_of(const TrendArguments& arguments) {
  check_tables(arguments);
  const std::filesystem::path file = std::filesystem::path(arguments.folder) / "history.db";
  if (!std::filesystem::exists(file))
    refuse("\"" + arguments.folder + "\" is not a folder of `lightloop regress`: it has no history.db");
  regress::History history(file);
  check_known(history, "--case", arguments.table);
  check_known(history, "--over", arguments.over);
  std::vector<regress::NightValue> values = values_of(history, arguments.metric, arguments.table);
  if (!arguments.over.empty())
    return {within_nights(values, values_of(history, arguments.metric, arguments.over), arguments), {}};
  if (arguments.metric == "seconds" || differs_each_time(arguments.metric))
    std::cerr << "warning: " << arguments.metric
              << " measures the machine, which changes from night to night; --over NAME compares within each night\n";
  return {std::move(values), history.without_metric(arguments.metric, arguments.table)};
}

/// "  1 case did not pass"
std::string not_passed_text(std::int64_t count) {
  if (count == 0) return "";
  return "  " + std::to_string(count) + (count == 1 ? " case" : " cases") + " did not pass";
}

std::string begin_of_line(const regress::Night& night) {
  return number_text(static_cast<double>(night.number), "%5.0f") + "  " + printable(night.started) + "  ";
}

void print_trend(TrendArguments arguments) {
  arguments.metric = checked_metric(arguments.metric);
  const Trend trend = trend_of(arguments);
  std::vector<double> values;
  values.reserve(trend.nights.size());
  for (const regress::NightValue& each : trend.nights) values.push_back(each.value);
  const std::vector<regress::ChangePoint> changes = regress::change_points(values);
  const auto text = [&](double value) {  // a quotient has no unit
    return arguments.over.empty() ? value_text(value, arguments.metric) : number_text(value, "%.6g");
  };
  auto change = changes.begin();
  auto without = trend.without.begin();
  const auto print_those_without = [&](std::int64_t before) {
    for (; without != trend.without.end() && without->night.number < before; ++without)
      std::cout << begin_of_line(without->night) << "-" << not_passed_text(without->not_passed)
                << ", and none has this number\n";
  };
  std::cout << "night  begun                 " << arguments.metric
            << (arguments.over.empty() ? "" : " over that of " + arguments.over) << '\n';
  for (std::size_t k = 0; k < values.size(); ++k) {
    const regress::NightValue& each = trend.nights[k];
    print_those_without(each.night.number);
    std::cout << begin_of_line(each.night) << text(values[k]) << not_passed_text(each.not_passed);
    if (change != changes.end() && change->first == k) {
      std::cout << "  changed from " << text(change->before) << " to " << text(change->after)
                << " (p = " << number_text(change->p, "%.3f") << "), lightloop " << printable(each.night.version);
      ++change;
    }
    std::cout << '\n';
  }
  print_those_without(std::numeric_limits<std::int64_t>::max());
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
      ->add_option(
          "--metric", arguments->metric,
          "column of docs/results.md, as the mean over all rows, also of cases that did not pass; its unit (_ps, "
          "_bytes, _s, _bps) may be left out; seconds, which the cases that passed took together; or "
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
