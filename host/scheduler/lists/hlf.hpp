// HLF, heaviest load first: of the flows that can start, the one whose port has most left to do.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Our reading of the name of a published baseline whose details are not public. The load of a port is the sum of
/// (delta + length) over its flows that have not started. At the origin and at every instant at which circuits end, all
/// that ended are freed; then, while some flow can start, the one with the largest load of its two ports does; ties:
/// the longer, then the smaller (input, output).
class Hlf : public Scheduler {
 public:
  /// @throws Error (input) as read_demand().
  Plan plan(const Problem& problem) const override;
};

/// The same of a demand that has been read.
Plan plan_hlf(const Demand& demand);

}  // namespace ocs
