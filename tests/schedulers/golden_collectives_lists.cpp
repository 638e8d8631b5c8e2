// From the collectives that a case names to lists and legs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/phases.hpp"
#include "tests/schedulers/golden_collectives.hpp"

namespace ocs::golden {

Collective list_of(const NamedCollective& input) {
  return make_collective(collective_kind(input.collective), input.algorithm, input.ranks, input.chunks);
}

std::vector<Words> words_of(const NamedCollective& input, const Collective& list) {
  return input.demand ? sizes_of(list, *input.demand) : sizes_of(list, Words{input.words});
}

namespace {

std::vector<Leg> legs_of_case(const PolicyCase& golden) {
  std::vector<TrafficPhase> phases;
  for (const NamedPhase& phase : golden.phases) {
    if (phase.groups.empty()) {
      phases.push_back({PairPhase{phase.pairs}, phase.gap});
      continue;
    }
    Collective list = list_of(phase.input);
    std::vector<Words> sizes = words_of(phase.input, list);
    phases.push_back({GroupPhase{std::move(list), std::move(sizes), phase.groups}, phase.gap});
  }
  if (!phases.empty()) return legs_of(phases, golden.nodes, golden.lag, golden.repeat);
  const Collective list = list_of(golden.input);
  return legs_of(list, words_of(golden.input, list), golden.lag);
}

}  // namespace

LegSequence sequence_of(const PolicyCase& golden) {
  LegSequence sequence{golden.nodes, legs_of_case(golden), golden.times, golden.start, {}};
  sequence.candidates = candidate_maps(golden.choices, golden.nodes, sequence.legs);
  check(sequence);
  return sequence;
}

}  // namespace ocs::golden
