// A problem as the circuit schedulers see it: unicast flows of one pair merged, local and empty ones gone, all checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// What one pair (in, out), in != out, has to carry: all its flows, at the place of the first.
struct PairDemand {
  std::uint16_t in, out;
  std::uint32_t first_part, part_count;  ///< its flows: Demand::parts[first_part, first_part + part_count)
  std::int64_t length;                   ///< sum over its flows, > 0
};

/// A circuit that carries data at the origin; nothing of it is planned.
struct BusyCircuit {
  std::uint16_t in, out;
  std::int64_t until;  ///< later than the origin
};

/// What a scheduler can plan beyond one coflow on a switch that is idle.
struct Accepts {
  bool all_stop = false;    ///< its plans hold on an all-stop switch too
  bool running = false;     ///< circuits may be busy at the origin, and cost Problem::reuse when they are established
  bool priorities = false;  ///< of flows may differ
  bool multicast = false;   ///< flows may have several outputs; then read_demand() isn't for it
};

/// A checked problem. Every schedule that never leaves all ports idle ends within 64 bits.
struct Demand {
  struct Part {
    Id flow;
    std::int64_t length;
  };

  int ports;
  std::int64_t origin;  ///< Problem::now
  std::int64_t delta;
  std::vector<PairDemand> pairs;  ///< in the order of their first flows
  std::vector<Part> parts;
  std::vector<std::int16_t> up;  ///< of each input: the output it is joined to at `origin`, or -1

  std::vector<std::int64_t> pair_delta;  ///< empty: every pair has `delta`; else ports * ports, at in * ports + out

  std::int64_t reuse = 0;         ///< what a pair costs that is established, if its set-up isn't less
  std::vector<BusyCircuit> busy;  ///< by input; among `up`

  /// What it costs to set up the pair.
  std::int64_t set_up(const PairDemand& pair) const {
    return pair_delta.empty() ? delta : pair_delta[std::size_t{pair.in} * static_cast<std::size_t>(ports) + pair.out];
  }

  /// What it costs to start the pair on its own circuit.
  std::int64_t reuse_of(const PairDemand& pair) const { return std::min(reuse, set_up(pair)); }

  /// Between two flows of the pair: the second one starts on an established circuit.
  std::int64_t pause_of(const PairDemand& pair) const { return reuse_of(pair); }

  /// The longest set-up of a pair with demand; 0 if there is none.
  std::int64_t longest_set_up() const;

  std::span<const Part> parts_of(const PairDemand& pair) const {
    return std::span(parts).subspan(pair.first_part, pair.part_count);
  }
};

/// Reads a problem for a scheduler that plans one coflow on one plane at once: unicast flows without release times or
/// priorities, healthy ports, no circuit still busy. All flows count as one coflow.
/// @param who the scheduler's name, for error messages.
/// @throws Error (input) for anything else in the problem, for values out of range and for sums beyond 64 bits.
Demand read_demand(const Problem& problem, std::string_view who, Accepts accepts = {});

/// Only the checks of read_demand(), and what both readers take over as it is. @throws Error (input).
void check_problem(const Problem& problem, std::string_view who, Accepts accepts);
/// Returns for each input the output that it is joined to, or -1. @throws Error (input) as read_demand().
std::vector<std::int16_t> read_up(const Problem& problem, std::string_view who, Accepts accepts);
/// Circuits that are busy after Problem::now, by input.
std::vector<BusyCircuit> read_busy(const Problem& problem);

/// The port bound: the largest load of a port, where the load is the sum of (delta + length) over its pairs, less the
/// delta of the one that is established at the start (no port has more than one such), and what a circuit that is busy
/// still takes, if the port has pairs at all. No plan without preemption ends earlier.
std::int64_t port_bound(const Demand& demand);

/// The same of a problem, in ticks from Problem::now. @throws Error (input) as read_demand().
Ticks port_bound(const Problem& problem);

/// The only output of a unicast flow, reservation or circuit (`outs` has exactly one bit set).
std::uint16_t single_output(const Outputs& outs);

}  // namespace ocs
