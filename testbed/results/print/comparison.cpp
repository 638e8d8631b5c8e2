// Groups rows, and finds what a line is compared with.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/print/comparison.hpp"

#include <algorithm>
#include <map>

namespace ocs {
namespace {

std::optional<double> seconds(std::optional<Picos> time) {
  constexpr double unit = 1e-12;
  if (!time) return std::nullopt;
  return static_cast<double>(time->n) * unit;
}

bool has_phases(const Row& row) { return !row.arrivals && !row.eager; }

/// The values of all axes. @param replaced has this value instead.
std::vector<std::string> place_of(const Row& row, const Baseline* replaced) {
  std::vector<std::string> place = {replaced && replaced->key == "policy" ? replaced->value : row.policy};
  for (const ShownSetting& setting : row.settings)
    if (setting.axis && setting.key != "seed")
      place.push_back(replaced && replaced->key == setting.key ? replaced->value : setting.value);
  return place;
}

std::vector<ComparedLine> lines_of(std::span<const Row> rows) {
  std::vector<ComparedLine> lines;
  std::map<std::vector<std::string>, std::size_t> known;
  for (const Row& row : rows) {
    const auto [at, is_new] = known.emplace(place_of(row, nullptr), lines.size());
    if (is_new) lines.emplace_back();
    lines[at->second].rows.push_back(&row);
  }
  return lines;
}

}  // namespace

std::optional<double> iteration_s(const Row& row) { return seconds(row.iteration()); }

std::optional<double> pst_s(const Row& row) { return has_phases(row) ? seconds(row.pst_mean) : std::nullopt; }

std::optional<double> pst_over_bound(const Row& row) {
  if (!has_phases(row) || row.bound.n == 0) return std::nullopt;
  return row.pst_over_bound();
}

std::optional<double> circuits_set_up(const Row& row) {
  return row.network == "packet" ? std::nullopt : std::optional(static_cast<double>(row.reconfigurations));
}

std::optional<double> dark_time_s(const Row& row) {
  return row.network == "packet" ? std::nullopt : seconds(Picos{row.dark_port_cycles * row.cycle.n});
}

std::optional<double> cct_s(const Row& row) {
  return row.arrivals && row.arrivals->by_coflow ? seconds(row.arrivals->cct_mean) : std::nullopt;
}

std::optional<double> accuracy(const Row& row) {
  if (!row.learning) return std::nullopt;
  return row.learning->accuracy;
}

std::optional<double> loss(const Row& row) {
  if (!row.learning) return std::nullopt;
  return row.learning->loss;
}

std::optional<double> time_to_target_s(const Row& row) {
  return row.learning ? seconds(row.learning->to_target) : std::nullopt;
}

std::string value_of(const Row& row, const std::string& key) {
  if (key == "policy") return row.policy;
  for (const ShownSetting& setting : row.settings)
    if (setting.axis && setting.key == key) return setting.value;
  return {};
}

Estimate ComparedLine::estimate(Measure measure) const {
  std::vector<double> values;
  for (const Row* row : rows)
    if (const std::optional<double> value = measure(*row)) values.push_back(*value);
  return estimate_of(values);
}

Comparison::Comparison(std::span<const Row> rows, std::span<const Row> earlier, const std::optional<Baseline>& baseline)
    : lines_(lines_of(rows)), earlier_(lines_of(earlier)), baseline_(baseline) {
  several_seeds_ = lines_.size() < rows.size();
}

std::optional<double> Comparison::ratio(std::size_t line, Measure measure) const {
  if (!baseline_) return std::nullopt;
  const ComparedLine& one = lines_.at(line);
  const std::vector<std::string> place = place_of(*one.rows.front(), &*baseline_);
  const Estimate mine = one.estimate(measure);
  for (const std::vector<ComparedLine>* among : {&lines_, &earlier_})
    for (const ComparedLine& other : *among) {
      if (place_of(*other.rows.front(), nullptr) != place) continue;
      const Estimate reference = other.estimate(measure);
      if (mine.n == 0 || reference.n == 0 || reference.mean <= 0) return std::nullopt;
      return mine.mean / reference.mean;
    }
  return std::nullopt;
}

}  // namespace ocs
