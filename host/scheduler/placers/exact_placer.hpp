// The placement with the smallest T, by branch and bound; for small jobs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// Solves the integer programme of placement_relaxation.hpp with whole blocks and at least one block a server by
/// search_placement(), beginning with PsschedulerPlacer's. A search of our own in exact integers, as a solver's optimum
/// would be one in floating point.
class ExactPlacer : public Placer {
 public:
  static constexpr std::int64_t most_steps = 2'000'000;

  /// @throws Error (input) as check_job(), or if the search has not ended after `most_steps` steps.
  Placement place(const Job& job) const override;
};

}  // namespace ocs
