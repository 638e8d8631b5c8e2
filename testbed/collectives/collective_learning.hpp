// An all_reduce of real gradients: where they lie, and the curve that comes of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "testbed/collectives/collective_job.hpp"

namespace ocs {

/// Blocks are a gradient, parameter by parameter, one behind the other.
/// @throws Error (input) if the specification contradicts itself
void place_gradient(const CollectiveSpec& spec, NodeJob& job);

/// Has the first rank send its models of the instants that are due, and all others their last one, which must be the
/// same. To be called before payload begins, with the ends of all iterations: in each of them one gradient of every rank
/// is applied.
void tell_scores(Evaluator& evaluator, const NodeJob& job, const std::vector<Picos>& ends, NodeExchange& talk,
                 Picos now);

}  // namespace ocs
