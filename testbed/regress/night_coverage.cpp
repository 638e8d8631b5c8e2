// Compares the counts of two nights and writes tables of them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/night_coverage.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <sstream>

#include "testbed/regress/junit.hpp"

namespace ocs::regress {
namespace {

using rtl::CoverPoint;
using rtl::CoverTotals;
using rtl::PointKind;

constexpr std::array<PointKind, rtl::point_kinds> kinds{PointKind::line, PointKind::toggle, PointKind::named};
constexpr std::array<const char*, rtl::point_kinds> titles{"line points", "toggles", "named points"};

std::string percent_text(const CoverTotals& totals) {
  std::array<char, 32> text{};
  std::snprintf(text.data(), text.size(), "%.2f %%", totals.percent());
  return text.data();
}

std::string cell(std::size_t number) { return "<td class=n>" + std::to_string(number) + "</td>"; }

std::string reached_cell(std::size_t reached, std::size_t points) {
  if (points == 0) return "<td class=n>–</td>";
  return std::string("<td class=\"n") + (reached == points ? "" : " bad") + "\">" + std::to_string(reached) + " of " +
         std::to_string(points) + "</td>";
}

std::size_t of_kind(const std::vector<CoverPoint>& points, PointKind kind) {
  return static_cast<std::size_t>(std::ranges::count(points, kind, &CoverPoint::kind));
}

std::string kind_table(const NightCoverage& coverage) {
  std::string out =
      "<table><tr><th>kind</th><th>points</th><th>excluded</th><th>reached</th><th>of the rest</th>"
      "<th>holes opened</th><th>holes closed</th></tr>\n";
  for (const PointKind kind : kinds) {
    const CoverTotals& totals = coverage.summary.of(kind);
    out += std::string("<tr><td>") + titles.at(static_cast<std::size_t>(kind)) + "</td>" + cell(totals.points) +
           cell(totals.excluded) + cell(totals.reached) + "<td class=n>" + percent_text(totals) + "</td>" +
           cell(of_kind(coverage.opened, kind)) + cell(of_kind(coverage.closed, kind)) + "</tr>\n";
  }
  return out + "</table>\n";
}

std::string file_table(const rtl::CoverCounts& counts) {
  struct Reached {
    std::array<std::size_t, 2> points{}, reached{};
  };
  std::map<std::string, Reached> files;
  for (const auto& [point, count] : counts) {
    if (point.kind == PointKind::named) continue;
    Reached& file = files[point.file];
    const auto kind = static_cast<std::size_t>(point.kind);
    ++file.points.at(kind);
    if (count != 0) ++file.reached.at(kind);
  }
  std::string out = "<h3>By file</h3>\n<table><tr><th>file</th><th>line points</th><th>toggles</th></tr>\n";
  for (const auto& [name, file] : files)
    out += "<tr><td>" + escaped(name) + "</td>" + reached_cell(file.reached[0], file.points[0]) +
           reached_cell(file.reached[1], file.points[1]) + "</tr>\n";
  return out + "</table>\n";
}

std::string rule_row(const std::string& rule, const std::string& begins, const std::vector<std::string>& points,
                     const std::map<std::string, std::uint64_t>& counts) {
  std::size_t known = 0, reached = 0;
  std::string missing;
  for (const std::string& name : points) {
    const auto found = counts.find(name);
    if (found == counts.end()) continue;  // excluded, or RTL of the user's own without it
    ++known;
    if (found->second != 0)
      ++reached;
    else
      missing += (missing.empty() ? "" : ", ") + name;
  }
  return known == 0 ? ""
                    : "<tr><td>" + escaped(rule) + "</td><td>" + escaped(begins) + "</td>" +
                          reached_cell(reached, known) + "<td>" + escaped(missing) + "</td></tr>\n";
}

/// A point may be of several rules. What no rule has, such as a point of the user's own RTL, comes last.
std::string rule_table(const rtl::CoverCounts& counts) {
  std::map<std::string, std::uint64_t> named;
  for (const auto& [point, count] : counts)
    if (point.kind == PointKind::named) named[name_in_rules(point)] = count;
  std::string out =
      "<h3>By rule of the contract</h3>\n<p>Named points that show a rule of the switch's contract "
      "(docs/switch-contract.md, docs/traceability.md) at work.</p>\n<table><tr><th>rule</th><th>begins</th>"
      "<th>named points</th><th>not reached</th></tr>\n";
  std::set<std::string> with_rule;
  for (const RuleOfContract& rule : rules_of_contract()) {
    std::istringstream words{std::string(rule.points)};
    std::vector<std::string> points;
    for (std::string name; words >> name;) points.push_back(name);
    with_rule.insert(points.begin(), points.end());
    out += rule_row(std::string(rule.rule), std::string(rule.begins) + "…", points, named);
  }
  std::vector<std::string> others;
  for (const auto& [name, count] : named)
    if (!with_rule.contains(name)) others.push_back(name);
  return out + rule_row("–", "no rule", others, named) + "</table>\n";
}

/// Points by kind and file, at most some hundred names.
std::string point_list(const std::string& title, const std::vector<CoverPoint>& points) {
  constexpr std::size_t most_shown = 500;
  if (points.empty()) return "";
  std::string out = "<h3>" + title + "</h3>\n<ul>\n";
  std::string last;
  for (std::size_t k = 0; k < std::min(points.size(), most_shown); ++k) {
    const std::string place = std::string(name_of(points[k].kind)) + ", " + points[k].file;
    if (place != last) out += (last.empty() ? "<li>" : "</li>\n<li>") + escaped(place) + ": ";
    out += (place == last ? ", " : "") + escaped(points[k].name);
    last = place;
  }
  out += "</li>\n</ul>\n";
  if (points.size() > most_shown) out += "<p>and " + std::to_string(points.size() - most_shown) + " more</p>\n";
  return out;
}

constexpr RuleOfContract rules[] = {
#include "testbed/regress/contract_points.inc"
};

}  // namespace

std::span<const RuleOfContract> rules_of_contract() { return rules; }

std::string name_in_rules(const CoverPoint& point) {
  std::string module = point.file.substr(0, point.file.rfind('.'));
  for (const std::string_view ending : {"_checks", "_checker"})
    if (module.ends_with(ending)) module.resize(module.size() - ending.size());
  constexpr std::string_view prefix = "ocs_";
  if (module.starts_with(prefix)) module.erase(0, prefix.size());
  return module + "." + point.name;
}

std::optional<NightCoverage> coverage_of(History& history, std::int64_t night,
                                         const std::vector<rtl::Exclusion>& exclusions) {
  const rtl::CoverCounts now = history.counts(night);
  if (now.empty()) return std::nullopt;
  NightCoverage out;
  out.summary = summary_of(now, exclusions);
  out.before = history.counted_before(night);
  if (!out.before) return out;
  const rtl::CoverCounts then = history.counts(*out.before);
  for (const auto& [point, count] : out.summary.counted) {
    const auto found = then.find(point);
    const bool reached_then = found != then.end() && found->second != 0;
    if (reached_then != (count != 0)) (reached_then ? out.opened : out.closed).push_back(point);
  }
  return out;
}

std::vector<Measure> totals_of(const NightCoverage& coverage) {
  std::vector<Measure> out;
  const std::vector<std::string> names = coverage_metrics();
  out.reserve(names.size());
  for (std::size_t kind = 0; kind < names.size(); ++kind)
    out.push_back({.row = 0, .column = names[kind], .value = coverage.summary.totals.at(kind).percent()});
  return out;
}

std::string coverage_sentence(const NightCoverage& coverage) {
  std::string kinds_text;
  for (const PointKind kind : kinds) {
    const CoverTotals& totals = coverage.summary.of(kind);
    if (totals.counted() == 0) continue;
    kinds_text += (kinds_text.empty() ? "" : ", ") + percent_text(totals) + " of " + std::to_string(totals.counted()) +
                  " " + titles.at(static_cast<std::size_t>(kind));
  }
  if (!coverage.before) return "coverage: " + kinds_text;
  return "coverage: " + kinds_text + "; holes since night " + std::to_string(*coverage.before) + ": " +
         std::to_string(coverage.opened.size()) + " opened, " + std::to_string(coverage.closed.size()) + " closed";
}

std::string coverage_section(const NightCoverage& coverage) {
  std::string out =
      "<h2>Coverage of the RTL</h2>\n<p>All cases with coverage together. A point is the same point in every instance "
      "and "
      "every size. Lines and branches for other programs: <a href=\"coverage.info\">coverage.info</a>.</p>\n" +
      kind_table(coverage);
  const std::string since = coverage.before ? " since night " + std::to_string(*coverage.before) : "";
  out += coverage.before ? "<p>Holes opened and closed" + since + ", the last one that counted.</p>\n"
                         : "<p>No earlier night counted coverage.</p>\n";
  for (const std::string& what : coverage.summary.wrong) out += "<p class=bad>" + escaped(what) + "</p>\n";
  out += rule_table(coverage.summary.counted) + file_table(coverage.summary.counted);
  out += point_list("Holes opened" + since + ": reached then, not now", coverage.opened);
  out += point_list("Holes closed" + since + ": reached now, not then", coverage.closed);
  std::vector<CoverPoint> missing;
  for (const auto& [point, count] : coverage.summary.counted)
    if (count == 0) missing.push_back(point);
  return out + point_list("Not reached", missing);
}

}  // namespace ocs::regress
