// The linear programme behind the placement of parameter servers: a lower bound, and a hint which nodes to open.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Minimise T over how far each candidate v is opened (y_v) and its share of all bytes S (x_v), 0 <= x, y <= 1, where
/// c(w,v) is the time a byte takes from worker w to v:
///     (1) sum_v y_v = M      (2) sum_v x_v = 1      (3) x_v <= y_v
///     (4a) sum_{w != v} (delta y_v + c(w,v) S x_v) <= T     in-port of each server v
///     (4b) sum_{v != w} (delta y_v + c(w,v) S x_v) <= T     out-port of each worker w
///     (6) sum_v (left side of 4a) <= M T                    at most M in-ports are loaded
/// Blocks are divisible here, so one of the total size stands for all of them. Our model of the placement in Liu et
/// al., "PSscheduler", Neurocomputing 2025.
struct Relaxation {
  std::vector<std::int64_t> open, share;  ///< y and x of each of Job::candidates, rounded to millionths
  Ticks bound;                            ///< T rounded down: no placement of the job has a smaller one
};

/// Solves it with CLP. @param job one that check_job() lets pass. @throws Error (internal) if CLP finds no optimum.
Relaxation relax_placement(const Job& job);

}  // namespace ocs
