// Shares as integers, shuffled.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/routing.hpp"

#include <utility>

#include "host/core/wide.hpp"
#include "host/scheduler/splitmix.hpp"

namespace ocs {
namespace {

Wide power_of_five(std::int64_t base) { return Wide{base} * base * base * base * base; }

Wide steep_share(std::int64_t i) { return power_of_five(i + 1) - power_of_five(i); }

/// E^6 times the Gini coefficient of the steep shares.
Wide steep_gini(std::int64_t experts) {
  Wide sum = 0;
  for (std::int64_t i = 0; i < experts; ++i) sum += Wide{2 * i - experts + 1} * steep_share(i);
  return sum;
}

}  // namespace

std::int64_t most_gini_milli(std::int64_t experts) {
  return static_cast<std::int64_t>(1000 * steep_gini(experts) / (power_of_five(experts) * experts));
}

std::vector<std::int64_t> routed_tokens(std::int64_t tokens, std::int64_t experts, std::int64_t gini_milli,
                                        std::uint64_t seed, std::uint32_t iteration) {
  const Wide all = 1000 * steep_gini(experts), even = all - gini_milli * power_of_five(experts) * experts;
  std::vector<Wide> shares;  // of experts * all
  shares.reserve(static_cast<std::size_t>(experts));
  for (std::int64_t i = 0; i < experts; ++i)
    shares.push_back(experts == 1 ? 1 : even + Wide{gini_milli} * experts * experts * steep_share(i));
  std::uint64_t state = seed;
  state = splitmix64(state) + iteration;
  for (std::size_t k = shares.size(); k > 1; --k) std::swap(shares[k - 1], shares[splitmix64(state) % k]);
  Wide total = 0, so_far = 0;
  for (const Wide share : shares) total += share;
  std::vector<std::int64_t> counts;
  for (const Wide share : shares) {
    const Wide before = tokens * so_far / total;
    so_far += share;
    counts.push_back(static_cast<std::int64_t>(tokens * so_far / total - before));
  }
  return counts;
}

}  // namespace ocs
