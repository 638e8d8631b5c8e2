// Sequences of legs to try policies with: a few pairs a leg, any times, a few maps.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include "testbed/collectives/phases.hpp"
#include "testbed/collectives/policies.hpp"

namespace ocs::test {

/// A partial permutation of `nodes`.
inline PortMap drawn_map(std::mt19937& random, std::uint32_t nodes) {
  PortMap map = shift_map(nodes, 0);
  std::shuffle(map.begin(), map.end(), random);
  for (std::int16_t& to : map)
    if (random() % 4 == 0) to = -1;
  return map;
}

/// Legs of a few steps with a few pairs, drawn.
inline LegSequence drawn_sequence(std::mt19937& random) {
  const auto nodes = static_cast<std::uint32_t>(2 + random() % 4);
  const auto below = [&](std::uint32_t n) { return static_cast<std::int64_t>(random() % n); };
  LegSequence one{nodes, {}, {}, dark_map(nodes), {}};
  one.times.alpha = 1 + below(5);
  one.times.delta = one.times.alpha + below(40);
  one.times.preset = random() % 2 == 0;
  if (random() % 2 == 0) one.start = drawn_map(random, nodes);
  std::vector<TrafficPhase> phases;
  while (phases.size() < 4) {
    PairPhase phase;
    const PortMap map = drawn_map(random, nodes);
    for (std::uint16_t i = 0; i < nodes; ++i)
      if (map[i] >= 0 && map[i] != i)
        phase.pairs.push_back({i, static_cast<std::uint16_t>(map[i]), Words{1 + below(20)}});
    if (!phase.pairs.empty()) phases.push_back({phase, random() % 2 == 0 ? 0 : below(30)});
  }
  one.legs = legs_of(phases, nodes, 1);
  std::vector<CandidateChoice> choices = {"ring", "steps"};
  for (int k = 0; k < 2; ++k) choices.emplace_back(drawn_map(random, nodes));
  one.candidates = candidate_maps(choices, nodes, one.legs);
  return one;
}

/// Pairs of ports set up in times of their own, words take their nodes' time, and set-ups stop the others; or some of
/// these.
inline void make_unlike(LegSequence& one, std::mt19937& random) {
  const std::size_t nodes = one.nodes;
  constexpr std::int64_t word_choices[] = {1, 2, 4, 5, 10};
  const auto what = 1 + random() % 7;
  one.times.all_stop = (what & 1) != 0;
  for (std::size_t pair = 0; (what & 2) != 0 && pair < nodes * nodes; ++pair) {
    const auto range = static_cast<std::uint32_t>(one.times.delta - one.times.alpha + 1);
    one.times.pair_delta.push_back(one.times.alpha + static_cast<std::int64_t>(random() % range));
  }
  for (std::size_t node = 0; (what & 4) != 0 && node < nodes; ++node)
    one.times.word_cycles.push_back(word_choices[random() % 5]);
}

}  // namespace ocs::test
