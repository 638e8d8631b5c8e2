// The placement with the smallest T, by branch and bound; for small jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// Solves the integer programme of placement_relaxation.hpp with whole blocks and at least one block a server: all sets
/// of servers, sets that differ in names alone once; for each, blocks by decreasing size go to every server, servers
/// that differ in names alone once. Cut where the loads so far, or the mean load of all in-ports once the rest is
/// placed where it costs least, are no better than the best placement so far; begins with PsschedulerPlacer's. A search
/// of our own in exact integers, as a solver's optimum would be one in floating point.
class ExactPlacer : public Placer {
 public:
  static constexpr std::int64_t most_nodes = 2'000'000;

  /// @throws Error (input) as check_job(), or if the search has not ended after `most_nodes` steps.
  Placement place(const Job& job) const override;
};

}  // namespace ocs
