// Golden cases of reconfiguring within a collective, as tests/goldens/collectives/README.md defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "testbed/collectives/plane_plans.hpp"
#include "testbed/collectives/policies.hpp"
#include "tests/schedulers/golden_fields.hpp"

namespace ocs::golden {

/// A collective as a file names it; the list is made when the case is checked.
struct NamedCollective {
  std::string collective, algorithm;
  int ranks = 0;
  std::uint32_t chunks = 1;
  std::int64_t words = 0;
  std::optional<DemandMatrix> demand;  ///< in place of words
};

struct ListCase {
  NamedCollective input;

  std::uint32_t blocks;
  std::vector<CollectiveStep> steps;
};

struct LegCase {
  Leg leg;
  PortMap before, during;
  SwitchTimes times;

  std::optional<LegCost> cost;
};

/// Collectives of groups, or pairs, with computing before them.
struct NamedPhase {
  NamedCollective input;
  std::vector<std::vector<std::uint16_t>> groups;  ///< empty: it has pairs
  std::vector<LegTransfer> pairs;
  std::int64_t gap = 0;
};

struct PolicyCase {
  std::uint32_t nodes = 0;
  NamedCollective input;  ///< if there are no phases
  std::vector<NamedPhase> phases;
  std::uint32_t repeat = 1;
  SwitchTimes times{};
  std::int64_t lag = 1;
  PortMap start;
  std::vector<CandidateChoice> choices;

  struct Expected {
    LegCost cost;
    std::vector<std::string> moves;
  };
  std::vector<std::vector<std::int64_t>> legs;
  std::size_t candidates = 0;
  std::vector<std::pair<std::string, std::optional<Expected>>> policies;
};

struct PlanesCase {
  NamedCollective input;
  std::uint32_t planes = 1;
  SwitchTimes times{};

  PlaneCost together, alternate, overlap;
};

ListCase read_list(const Fields& fields);
LegCase read_leg(const Fields& fields);
/// Policies, skew and phases.
PolicyCase read_policies(const Fields& fields);
PlanesCase read_planes(const Fields& fields);

/// @throws Error (input) for what the collectives of a case can't be
Collective list_of(const NamedCollective& input);
std::vector<Words> words_of(const NamedCollective& input, const Collective& list);
LegSequence sequence_of(const PolicyCase& golden);

}  // namespace ocs::golden
