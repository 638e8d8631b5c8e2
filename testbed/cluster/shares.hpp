// Divides work into shares that take about equally long.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace ocs {

/// Seconds that each item took earlier; none: nobody knows.
using Costs = std::vector<std::optional<double>>;

/// Which share, from 0 to count - 1, each item belongs to: the most expensive items first, each to the share that has
/// the least until then (Graham, SIAM J. Appl. Math. 17, 1969). Unknown costs are the mean of the known ones. Where
/// none is known, item k belongs to share k modulo count. The same costs give the same shares on every host.
std::vector<std::size_t> shares_of(const Costs& costs, std::size_t count);

/// How many shares take about `target` seconds each; where no cost is known, how many have `items` items each. At
/// least 1, at most one for each item and at most `most`.
std::size_t number_of_shares(const Costs& costs, double target, std::size_t items, std::size_t most);

}  // namespace ocs
