// Pettitt's test with binary segmentation.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/trend.hpp"

#include <cmath>
#include <numeric>
#include <optional>
#include <utility>

#include "host/conformance/random_program.hpp"

namespace ocs::regress {
namespace {

constexpr std::size_t least_on_a_side = 4;
constexpr int orders = 999;
constexpr double level_of_significance = 0.01;

struct Split {
  std::size_t first = 0;
  double statistic = 0;
};

/// The split with the largest |U|, where U counts how often a value before it is below one behind it, minus the
/// opposite.
Split best_split(std::span<const double> values) {
  Split best;
  double u = 0;
  for (std::size_t t = 0; t + 1 < values.size(); ++t) {
    for (const double other : values) u += other > values[t] ? 1 : other < values[t] ? -1 : 0;
    const std::size_t first = t + 1;
    if (first < least_on_a_side || values.size() - first < least_on_a_side) continue;
    if (std::abs(u) > best.statistic) best = {first, std::abs(u)};
  }
  return best;
}

double exceedance(std::span<const double> values, double statistic) {
  std::vector<double> shuffled(values.begin(), values.end());
  const conformance::DrawBelow draw = conformance::draws_of(values.size());
  int reached = 1;  // the order that was seen is one of them
  for (int k = 0; k < orders; ++k) {
    for (std::size_t at = shuffled.size() - 1; at > 0; --at) std::swap(shuffled[at], shuffled[draw(at + 1)]);
    if (best_split(shuffled).statistic >= statistic) ++reached;
  }
  return static_cast<double>(reached) / static_cast<double>(orders + 1);
}

void add_changes(std::span<const double> values, std::size_t offset, std::vector<ChangePoint>& out) {
  if (values.size() < 2 * least_on_a_side) return;
  const Split split = best_split(values);
  if (split.statistic == 0) return;
  const double p = exceedance(values, split.statistic);
  if (p > level_of_significance) return;
  add_changes(values.first(split.first), offset, out);
  out.push_back({.first = offset + split.first, .before = 0, .after = 0, .p = p});
  add_changes(values.subspan(split.first), offset + split.first, out);
}

double mean_of(std::span<const double> values) {
  return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

}  // namespace

std::vector<ChangePoint> change_points(std::span<const double> values) {
  std::vector<ChangePoint> out;
  add_changes(values, 0, out);
  for (std::size_t k = 0; k < out.size(); ++k) {
    const std::size_t from = k == 0 ? 0 : out[k - 1].first, to = k + 1 < out.size() ? out[k + 1].first : values.size();
    out[k].before = mean_of(values.subspan(from, out[k].first - from));
    out[k].after = mean_of(values.subspan(out[k].first, to - out[k].first));
  }
  return out;
}

}  // namespace ocs::regress
