// Branch and bound over placements: exact where it ends, an improvement where it is cut short.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

struct SearchedPlacement {
  Placement placement;  ///< the first of the best seen, `first` among them
  bool complete;        ///< no placement has a smaller T
};

/// Looks for a placement with a smaller T than `first`: whole blocks, at least one a server. All sets of servers, sets
/// that differ in names alone once; for each, blocks by decreasing size go to every server, servers that differ in
/// names alone once. Cut where the loads so far, or the mean load of all in-ports once the rest is placed where it
/// costs least, are no better than the best placement so far. All in exact integers.
/// @param job one that check_job() lets pass. @param steps sets and blocks that are tried at most; a step takes time in
/// proportion to workers * servers.
SearchedPlacement search_placement(const Job& job, Placement first, std::int64_t steps);

}  // namespace ocs
