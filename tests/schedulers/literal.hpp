// The list schedulers once more, written down word by word and slowly: a second opinion for random problems.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/scheduler/coflows/coflow_demand.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs::test {

/// What the literal schedulers read: merged flows without local or empty ones, and established circuits.
struct LiteralProblem {
  explicit LiteralProblem(const Problem& problem);

  std::int64_t now, delta;
  std::vector<Row> flows;  ///< at the place of the first of each pair
  std::vector<std::array<std::int64_t, 2>> up;
};

enum class LiteralFreeing { one, all };

/// Scans the whole list after each freeing. @param flows in the order to be tried.
std::vector<Decision> literal_list(const LiteralProblem& problem, const std::vector<Row>& flows,
                                   LiteralFreeing freeing);

/// Picks one flow at a time, with fresh loads each time.
std::vector<Decision> literal_hlf(const LiteralProblem& problem);

/// Scheduler sunflow_inter by its definition. Lists of times and scans of all that waits, nothing else.
std::vector<Decision> literal_inter(const Problem& problem, Sharing sharing);

/// The largest load of a port; delta isn't charged for a circuit that is up.
std::int64_t literal_port_bound(const LiteralProblem& problem);

}  // namespace ocs::test
