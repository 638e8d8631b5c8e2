// Pushes and pulls overlapped: a server's pulls begin when its last push has ended, not when everybody's has.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// One synchronisation. A server is the output of pushes and the input of pulls, of one number.
struct Synchronisation {
  Problem push;            ///< unicast flows, one plane, as read_demand() wants them
  std::vector<Flow> pull;  ///< their numbers are none of the pushes'
  Ticks answer;            ///< from the end of a server's last push to the earliest start of its pulls
};

/// How the list is found.
struct Overlap {
  const Scheduler& scheduler;  ///< plans pushes, then pulls; these plans give the order of the list
  std::int64_t work = 0;       ///< pairs of ports that a local search for a better order may start (list_search.hpp)
};

/// One list, pushes before pulls, each in the order in which the scheduler's plans of the two phases start them. At
/// every instant at which circuits end or pulls are released, all that ended are freed, then the list is scanned once;
/// a pull waits for its server's release. @returns a plan whose bound is pipelined_bound().
/// @throws Error (input) as the scheduler and read_demand().
Plan plan_pipelined(const Synchronisation& both, const Overlap& overlap);

/// What no plan of the overlapped form goes below, a length from Problem::now: the largest load of
/// a port by pushes and pulls together (a circuit that both need is set up once; one that is up is
/// not), and for each server what its output needs for the pushes, `answer`, and what its input
/// needs for the pulls after that, when one circuit may be up already.
Ticks pipelined_bound(const Synchronisation& both);

/// The problem that the plan has to solve, with pulls released when the plan has ended the pushes: for check_plan().
Problem released(const Synchronisation& both, const Plan& plan);

}  // namespace ocs
