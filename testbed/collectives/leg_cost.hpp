// What one leg takes on one map: straight where every pair has a circuit, else relayed, hop by hop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testbed/collectives/port_map.hpp"

namespace ocs {

/// In cycles; 1 <= alpha <= delta.
struct SwitchTimes {
  std::int64_t delta;                       ///< from the commit to the first word of a new circuit, of the slowest pair
  std::int64_t alpha = 1;                   ///< from asking for a burst to its first word on a circuit that is up
  bool preset = true;                       ///< the commit is at the beginning of the leg's gap, else at its end
  bool all_stop = false;                    ///< while any output tunes no words pass at the others
  std::vector<std::int64_t> pair_delta{};   ///< of each pair, at in * nodes + out, alpha to delta; empty: all `delta`
  std::vector<std::int64_t> word_cycles{};  ///< that a word takes from or to each node; empty: 1

  /// Of a word on the circuit between two nodes.
  std::int64_t word(std::size_t in, std::size_t out) const {
    return word_cycles.empty() ? 1 : std::max(word_cycles[in], word_cycles[out]);
  }
};

struct LegCost {
  std::int64_t cycles = 0, tunings = 0;  ///< tunings: outputs that get another input
  friend auto operator<=>(const LegCost&, const LegCost&) = default;
  friend LegCost operator+(LegCost a, LegCost b) { return {a.cycles + b.cycles, a.tunings + b.tunings}; }
};

/// A leg served on a map, whatever there was before. Leg, map and times must outlive it.
class LegOnMap {
 public:
  /// Nothing if a receiver can't be reached.
  static std::optional<LegOnMap> of(const Leg& leg, const PortMap& map, const SwitchTimes& times);

  /// When the leg finds the map `old` and changes it to its own.
  LegCost cost(const PortMap& old) const;
  /// Circuits on the longest way of a message; 1: every burst goes straight.
  std::size_t longest_way() const;
  bool direct() const { return direct_; }
  /// From the commit until all that is changed is up; 0: nothing tunes.
  std::int64_t tuning(const PortMap& old) const;
  /// Of a leg that is direct(): cycles by which the last of its circuits to be ready is later than one that is up.
  std::int64_t latest_start(const PortMap& old) const;

 private:
  LegOnMap(const Leg& leg, const PortMap& map, const SwitchTimes& times) : leg_(leg), map_(map), times_(times) {}
  bool relays();
  /// When a circuit is up, from the leg's beginning. @param all when all are
  std::int64_t up(const PortMap& old, std::size_t input, std::int64_t all) const;
  std::int64_t all_up(const PortMap& old) const;
  std::int64_t end_direct(const PortMap& old, std::int64_t all) const;
  std::int64_t end_relayed(const PortMap& old, std::int64_t all) const;
  /// @param at where each message of the step is; moved on. @param t when the hop is asked for
  std::int64_t end_of_hop(const PortMap& old, std::int64_t all, std::span<const LegTransfer> step,
                          std::vector<std::int16_t>& at, std::int64_t t) const;
  bool changed(const PortMap& old, std::size_t input) const { return map_[input] >= 0 && map_[input] != old[input]; }
  std::int64_t delta(std::size_t input) const {
    return times_.pair_delta.empty() ? times_.delta
                                     : times_.pair_delta[input * map_.size() + static_cast<std::size_t>(map_[input])];
  }

  const Leg& leg_;
  const PortMap& map_;
  const SwitchTimes& times_;
  bool direct_ = false;
  std::vector<std::vector<std::int64_t>> hops_;  ///< relayed: of each step, the longest message of each hop
  std::vector<std::int64_t> after_;              ///< relayed: cycles of the steps from this one on, all circuits up
};

}  // namespace ocs
