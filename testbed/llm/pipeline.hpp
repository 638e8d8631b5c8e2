// When the stages of a pipeline compute, if traffic took no time: one forward, one backward (1F1B).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

struct StagePass {
  std::size_t stage;
  std::int64_t microbatch;
  bool backward;
  Picos start, end;
};

/// Forward and backward pass of a microbatch in a stage.
struct PassTimes {
  Picos forward, backward;
};

/// Stage s begins with min(stages - 1 - s, microbatches) forward passes, then takes a forward and a backward pass in
/// turn, then the backward passes that are left. A forward pass waits for that of the stage before, a backward pass for
/// that of the stage after. By stage, then by time.
std::vector<StagePass> one_forward_one_backward(std::span<const PassTimes> stages, std::int64_t microbatches);

}  // namespace ocs
