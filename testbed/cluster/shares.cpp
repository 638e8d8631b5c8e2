// Longest processing time first.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/cluster/shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <queue>
#include <utility>

namespace ocs {
namespace {

/// The mean of the known costs; none: there is none.
std::optional<double> mean_of(const Costs& costs) {
  double sum = 0;
  std::size_t known = 0;
  for (const std::optional<double>& cost : costs)
    if (cost) {
      sum += *cost;
      ++known;
    }
  if (known == 0) return std::nullopt;
  return sum / static_cast<double>(known);
}

}  // namespace

std::vector<std::size_t> shares_of(const Costs& costs, std::size_t count) {
  std::vector<std::size_t> shares(costs.size());
  const std::optional<double> mean = mean_of(costs);
  if (!mean) {
    for (std::size_t k = 0; k < shares.size(); ++k) shares[k] = k % count;
    return shares;
  }
  std::vector<std::size_t> order(costs.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::stable_sort(order, std::ranges::greater(), [&](std::size_t k) { return costs[k].value_or(*mean); });
  using Load = std::pair<double, std::size_t>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> loads;
  for (std::size_t share = 0; share < count; ++share) loads.emplace(0, share);
  for (const std::size_t item : order) {
    auto [load, share] = loads.top();
    loads.pop();
    shares[item] = share;
    loads.emplace(load + costs[item].value_or(*mean), share);
  }
  return shares;
}

std::size_t number_of_shares(const Costs& costs, double target, std::size_t items, std::size_t most) {
  const std::optional<double> mean = mean_of(costs);
  const auto size = static_cast<double>(costs.size());
  const double wanted = mean ? std::ceil(size * *mean / target) : std::ceil(size / static_cast<double>(items));
  return static_cast<std::size_t>(
      std::clamp(wanted, 1.0, static_cast<double>(std::max<std::size_t>(1, std::min(most, costs.size())))));
}

}  // namespace ocs
