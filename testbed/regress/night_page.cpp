// Plain tables: a night may have ten thousand cases, and those that passed are only counted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/night_page.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

#include "testbed/regress/expectation.hpp"
#include "testbed/regress/failure_folder.hpp"
#include "testbed/regress/junit.hpp"
#include "testbed/regress/night.hpp"

namespace ocs::regress {
namespace {

constexpr const char* page_begin =
    "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><title>%TITLE%</title>\n<style>body{font:15px "
    "sans-serif;margin:2em;max-width:70em}table{border-collapse:collapse}td,th{padding:.2em "
    ".8em;text-align:left;border-bottom:1px solid "
    "#ccc;vertical-align:top}td.n{text-align:right}.bad{color:#a00}</style>"
    "</head><body>\n<h1>%TITLE%</h1>\n";

std::string begin_of(const std::string& title) {
  std::string out = page_begin;
  const std::string mark = "%TITLE%", text = escaped(title);
  for (std::size_t at = out.find(mark); at != std::string::npos; at = out.find(mark, at + text.size()))
    out.replace(at, mark.size(), text);
  return out;
}

std::string number_cell(double value, const char* form) {
  std::array<char, 48> text{};
  std::snprintf(text.data(), text.size(), form, value);
  return std::string("<td class=n>") + text.data() + "</td>";
}

struct Counts {
  std::size_t cases = 0, passed = 0, flaky = 0;
  double seconds = 0;

  void add(const Outcome& outcome) {
    ++cases;
    if (outcome.verdict == Verdict::passed) ++passed;
    if (outcome.verdict == Verdict::flaky) ++flaky;
    seconds += outcome.seconds;
  }
  std::string cells() const {
    constexpr double percent = 100;
    const double rate = cases == 0 ? 0 : percent * static_cast<double>(passed) / static_cast<double>(cases);
    return number_cell(static_cast<double>(cases), "%.0f") + number_cell(static_cast<double>(passed), "%.0f") +
           number_cell(static_cast<double>(cases - passed - flaky), "%.0f") +
           number_cell(static_cast<double>(flaky), "%.0f") + number_cell(rate, "%.2f %%") +
           number_cell(seconds, "%.1f s");
  }
};
constexpr const char* count_heads =
    "<th>cases</th><th>passed</th><th>failed</th><th>flaky</th><th>pass rate</th><th>time of processes</th>";

std::string table_section(const std::vector<Result>& results) {
  std::map<std::string, Counts> tables;
  for (const Result& each : results) tables[each.table].add(each.outcome);
  std::string out = std::string("<h2>Suites</h2>\n<table><tr><th>table</th>") + count_heads + "</tr>\n";
  for (const auto& [name, counts] : tables) out += "<tr><td>" + escaped(name) + "</td>" + counts.cells() + "</tr>\n";
  return out + "</table>\n";
}

std::string bucket_section(const std::vector<Result>& results, const std::filesystem::path& folder) {
  constexpr std::size_t most_shown = 100;
  std::string out = "<h2>Failures, by cause</h2>\n";
  const std::vector<Bucket> buckets = buckets_of(results);
  if (buckets.empty()) return out + "<p>Every case passed.</p>\n";
  for (const Bucket& bucket : buckets) {
    const Result& first = *bucket.results.front();
    out += "<h3 class=bad>" + escaped(first.outcome.sentence) + "</h3>\n<p><code>" +
           escaped(line_that_repeats(folder / first.folder)) + "</code></p>\n<table>\n";
    std::size_t shown = 0;
    for (const Result* each : bucket.results) {
      if (++shown > most_shown) break;
      out += "<tr><td><a href=\"" + escaped(each->folder) + "/failure.txt\">" + escaped(each->folder) +
             "</a></td><td>" + escaped(name_of(each->outcome.verdict)) + "</td><td>" + escaped(each->name) +
             "</td><td>" + escaped(each->outcome.sentence) + "</td></tr>\n";
    }
    out += "</table>\n";
    if (bucket.results.size() > most_shown)
      out += "<p>and " + std::to_string(bucket.results.size() - most_shown) + " more</p>\n";
  }
  return out;
}

/// A measured number as the column's sentences show it. Whole columns are exact up to 2^53.
std::string number_in_words(const std::string& column, double value) {
  if (column.ends_with("_ps") || column.ends_with("_bytes") || value == std::floor(value))
    return value_in_words(column, static_cast<std::int64_t>(value));
  return value_in_words(column, value);
}

std::string measured_row(const std::string& name, const Expectation& expectation, const std::vector<Measure>& all) {
  std::vector<double> values;
  for (const Measure& each : all)
    if (each.column == expectation.column) values.push_back(each.value);
  if (values.empty()) return "";
  const auto [least, greatest] = std::ranges::minmax_element(values);
  return "<tr><td>" + escaped(name) + "</td><td>" + escaped(expectation.text) + "</td><td class=n>" +
         escaped(number_in_words(expectation.column, *least)) + "</td><td class=n>" +
         escaped(number_in_words(expectation.column, *greatest)) + "</td></tr>\n";
}

}  // namespace

std::string measured_section(const Suite& suite, const std::vector<Result>& results,
                             const std::function<std::vector<Measure>(const std::string&)>& measures) {
  constexpr std::size_t most_cases = 1000;
  std::string rows;
  std::size_t cases = 0;
  for (const Result& each : results) {
    const auto table = std::ranges::find(suite.tables, each.table, &CaseTable::name);
    if (table == suite.tables.end() || table->expectations.empty()) continue;
    if (++cases > most_cases) continue;
    const std::vector<Measure> all = measures(each.name);
    for (const Expectation& expectation : table->expectations) rows += measured_row(each.name, expectation, all);
  }
  if (rows.empty()) return "";
  const std::string left_out =
      cases > most_cases ? "<p>and of " + std::to_string(cases - most_cases) + " more cases</p>\n" : "";
  return "<h2>Measured</h2>\n<table><tr><th>case</th><th>expected of each "
         "row</th><th>least</th><th>greatest</th></tr>\n" +
         rows + "</table>\n" + left_out;
}

std::string night_page(const Night& night, const std::vector<Result>& results, const std::filesystem::path& folder,
                       const std::string& more) {
  return begin_of("Night " + std::to_string(night.number) + " of " + night.suite) + "<p>From " +
         escaped(night.started) + " to " + escaped(night.finished) + ", lightloop " + escaped(night.version) +
         ", seed " + std::to_string(night.seed) +
         ". <a href=\"../index.html\">All nights</a>, <a href=\"junit.xml\">JUnit</a></p>\n" + table_section(results) +
         bucket_section(results, folder) + more + "</body></html>\n";
}

std::string index_page(History& history) {
  std::string out = begin_of("Nights") + "<table><tr><th>night</th><th>begun</th><th>suite</th><th>lightloop</th>" +
                    count_heads + "<th>buckets</th></tr>\n";
  std::vector<Night> nights = history.nights();
  for (auto night = nights.rbegin(); night != nights.rend(); ++night) {
    const std::vector<Result> results = history.results(night->number);
    Counts counts;
    for (const Result& each : results) counts.add(each.outcome);
    std::array<char, 32> folder{};
    std::snprintf(folder.data(), folder.size(), "night-%04ld", static_cast<long>(night->number));
    out += std::string("<tr><td><a href=\"") + folder.data() + "/index.html\">" + std::to_string(night->number) +
           "</a></td><td>" + escaped(night->started) + "</td><td>" + escaped(night->suite) + "</td><td>" +
           escaped(night->version) + "</td>" + counts.cells() +
           number_cell(static_cast<double>(buckets_of(results).size()), "%.0f") + "</tr>\n";
  }
  return out + "</table>\n</body></html>\n";
}

}  // namespace ocs::regress
