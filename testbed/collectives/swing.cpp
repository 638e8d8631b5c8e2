// Swing: partners at distances 1, 1, 3, 5, 11, ..., to either side in turn (De Sensi et al., NSDI 2024).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "testbed/collectives/lists.hpp"

namespace ocs {
namespace {

/// The partner of rank r in step s among n.
std::uint32_t partner(std::uint32_t r, std::uint32_t s, std::uint32_t n) {
  const std::int64_t power = std::int64_t{1} << (s + 1);
  const std::int64_t rho = (1 - (s % 2 == 0 ? -power : power)) / 3, size = n;
  return static_cast<std::uint32_t>(((r + (r % 2 == 0 ? rho : -rho)) % size + size) % size);
}

void add_reach(std::uint32_t r, std::uint32_t s, std::uint32_t n, std::uint32_t q, std::vector<std::uint32_t>& append) {
  append.push_back(r);
  for (std::uint32_t t = s; t < q; ++t) add_reach(partner(r, t, n), t + 1, n, q, append);
}

/// Ranks that r meets, directly or not, in steps s and later.
std::vector<std::uint32_t> reach(std::uint32_t r, std::uint32_t s, std::uint32_t n, std::uint32_t q) {
  std::vector<std::uint32_t> all;
  add_reach(r, s, n, q, all);
  std::sort(all.begin(), all.end());
  return all;
}

std::uint32_t steps_of(std::uint32_t n) { return static_cast<std::uint32_t>(powers_up(n).size()); }

}  // namespace

Collective swing_reduce_scatter(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks, q = steps_of(n);
  Collective all{CollectiveKind::reduce_scatter, n, n, {}, own_homes(n)};
  for (std::uint32_t s = 0; s < q; ++s)
    all.steps.push_back(step_of_all(
        n, true, [=](std::uint32_t r) { return partner(r, s, n); },
        [=](std::uint32_t r) { return reach(partner(r, s, n), s + 1, n, q); }));
  return all;
}

Collective swing_all_gather(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks, q = steps_of(n);
  Collective all{CollectiveKind::all_gather, n, n, {}};
  for (std::uint32_t s = q; s-- > 0;)
    all.steps.push_back(step_of_all(
        n, false, [=](std::uint32_t r) { return partner(r, s, n); },
        [=](std::uint32_t r) { return reach(r, s + 1, n, q); }));
  return all;
}

Collective swing_all_reduce(std::uint16_t ranks, std::uint32_t chunks) {
  return all_reduce_of(swing_reduce_scatter(ranks, chunks), swing_all_gather(ranks, chunks));
}

Collective swing_latency(std::uint16_t ranks, std::uint32_t) {
  const std::uint32_t n = ranks;
  Collective all{CollectiveKind::all_reduce, n, 1, {}};
  for (std::uint32_t s = 0; s < steps_of(n); ++s)
    all.steps.push_back(step_of_all(
        n, true, [=](std::uint32_t r) { return partner(r, s, n); }, [](std::uint32_t) { return std::vector{0u}; }));
  return all;
}

}  // namespace ocs
