// From a point of an experiment to a job that a placer and a network understand.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/controller/control_times.hpp"
#include "host/core/policy.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// A job and where its servers are. Nodes 0 .. M-1 are set aside for the servers, the n workers are M .. M+n-1; a
/// policy with `any_node` may put servers on all of them.
struct PreparedJob {
  const Policy* policy;
  Job job;                    ///< as it was placed: blocks in whole words, ticks are cycles, delta = set_up
  Placement padded;           ///< in whole words
  std::vector<Block> blocks;  ///< without padding
  Placement placement;        ///< without padding
};

/// The placer of the key `placer`, or of the policy.
const PlacerEntry& placer_of(const Point& point);

/// A plan made elsewhere that says a placement (Point::planning) is placed so.
/// @throws Error (input) when the policy can't place the job; BrokenRule (placement).
PreparedJob prepare(const Point& point);

/// How plans are made and executed; its set_up() is what a circuit takes in them.
ControlTimes control_times(const Point& point);

/// What a circuit takes at most: as in a plan, and as the last output of a commit of all where mirrors are programmed
/// in turn.
Cycles longest_set_up(const Point& point);

}  // namespace ocs
