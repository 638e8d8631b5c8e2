// PSscheduler, step 1: where the parameter servers run and which blocks they hold.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// Solves the relaxation (placement_relaxation.hpp) and opens the candidates with the largest y, rounded to millionths;
/// ties: the larger share, the higher rate, workers first, the lower number. Assigns the blocks (block_assignment.hpp).
/// Then, while T falls: of all swaps of an opened and a closed candidate, makes the best one (ties: the lowest opened,
/// then the lowest closed). At last a search of bounded work for a placement with a smaller T (placement_search.hpp):
/// jobs of some ten blocks end at the optimum. Source: Liu et al., "PSscheduler", Neurocomputing 2025; the abstract is
/// public, the algorithm is not: this is our reconstruction.
class PsschedulerPlacer : public Placer {
 public:
  /// @throws Error (input) as check_job().
  Placement place(const Job& job) const override;
};

}  // namespace ocs
