// Edge colouring: flows of one colour share no port; the colours are played one after the other.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/scheduler/demand.hpp"

namespace ocs {

/// As many colours as the largest number of flows at a port. Flows, longest first (ties by input, output), get the
/// lowest colour that is free at both their ports; if there is none, an alternating path is recoloured. Then flows
/// start in the order (colour, input, output), each when both its ports have finished their earlier flows; nothing
/// overtakes. With equal lengths the plan ends at the port bound, which is optimal. Source: König's theorem in its
/// constructive form (König, "Über Graphen und ihre Anwendung", Math. Ann. 77, 1916).
class Colour : public Scheduler {
 public:
  /// @throws Error (input) as read_demand().
  Plan plan(const Problem& problem) const override;
};

/// The same of a demand that has been read.
Plan plan_colour(const Demand& demand);

}  // namespace ocs
