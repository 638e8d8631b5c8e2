// A problem as the schedulers of several coflows see it: coflows in the order in which they are served.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// Which of several coflows of one priority goes first.
enum class Sharing : std::uint8_t {
  shortest,     ///< the one whose heaviest port has the least left; ties: as first_come
  first_come,   ///< the one released first; ties: the lower number
  least_served  ///< the one that has been given least so far; ties: as first_come
};

/// One coflow: CoflowDemand::pairs[first, last), ascending (input, output).
struct CoflowShare {
  Id coflow;
  std::int32_t priority;  ///< of its most urgent flow
  std::int64_t release;   ///< of its earliest flow
  std::int64_t left;      ///< the largest sum of (set-up + length) at a port
  std::int64_t served;    ///< Problem::attained
  std::uint32_t first, last;
};

/// A checked problem of several coflows.
struct CoflowDemand {
  int ports;
  std::int64_t origin, delta, reuse, horizon;
  std::vector<std::int64_t> pair_delta;  ///< empty, or at in * ports + out
  std::vector<CoflowShare> coflows;      ///< by priority, then by the sharing
  std::vector<PairDemand> pairs;  ///< of one coflow each; the flows of one pair and coflow are merged unless each
                                  ///< of them costs `reuse`
  std::vector<Demand::Part> parts;
  std::vector<std::int16_t> up;   ///< of each input: the output it is joined to, or -1; busy ones too
  std::vector<BusyCircuit> busy;  ///< by input
  std::int64_t bound;  ///< no plan ends earlier, from the origin: the largest load of a port, as port_bound()

  std::int64_t set_up(const PairDemand& pair) const {
    return pair_delta.empty() ? delta : pair_delta[std::size_t{pair.in} * static_cast<std::size_t>(ports) + pair.out];
  }
};

/// Reads a problem of one plane with unicast flows that are released, healthy ports, no all-stop; circuits may be busy.
/// @param who the scheduler's name, for messages. @throws Error (input) for anything else, and for sums beyond 2^62.
CoflowDemand read_coflows(const Problem& problem, std::string_view who, Sharing sharing);

}  // namespace ocs
