// Outputs that lose words while another one moves.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdlib>

#include "testbed/characterize/measure.hpp"
#include "testbed/characterize/rounds.hpp"

namespace ocs::characterize {
namespace {

/// DISTURB is less than this; a word leaves in each cycle.
constexpr Words longer_than_any{std::int64_t{1} << 30};
/// DISTURB_AT has so many bits.
constexpr int most_distance = 32;

}  // namespace

MeasuredNeighbours neighbours_of(const std::vector<std::pair<int, Picos>>& lost) {
  MeasuredNeighbours found;
  for (const auto& [distance, time] : lost) {
    if (time.n == 0) continue;
    found.times.distances |= std::uint32_t{1} << (distance - 1);
    found.times.disturbed = std::max(found.times.disturbed, time);
  }
  found.alike = std::ranges::all_of(lost, [&](const auto& one) {
    const bool disturbed = (found.times.distances >> (one.first - 1) & 1U) != 0;
    return one.second == (disturbed ? found.times.disturbed : Picos{0});
  });
  return found;
}

std::optional<MeasuredNeighbours> measure_neighbours(Switch& plane, const MeasureOptions& options) {
  Rounds rounds(plane, options);
  const int ports = plane.constants().ports;
  std::vector<std::pair<int, Picos>> all;
  for (int moves = 0; moves < ports; ++moves) {
    if (options.progress) options.progress(moves, ports);
    const auto lost = rounds.lost_beside(static_cast<std::uint16_t>(moves), longer_than_any);
    if (!lost) return std::nullopt;
    for (int o = std::max(0, moves - most_distance); o < std::min(ports, moves + most_distance + 1); ++o)
      if (o != moves)
        all.emplace_back(std::abs(o - moves),
                         to_picos(Cycles{(*lost)[static_cast<std::size_t>(o)].n}, plane.clock().cycle()));
  }
  return neighbours_of(all);
}

}  // namespace ocs::characterize
