// What one leg takes on one map: straight where every pair has a circuit, else relayed, hop by hop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "testbed/collectives/port_map.hpp"

namespace ocs {

/// In cycles; 1 <= alpha <= delta.
struct SwitchTimes {
  std::int64_t delta;      ///< from the commit to the first word of a new circuit
  std::int64_t alpha = 1;  ///< from asking for a burst to its first word on a circuit that is up
  bool preset = true;      ///< the commit is at the beginning of the leg's gap, else at its end
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

 private:
  LegOnMap(const Leg& leg, const PortMap& map, const SwitchTimes& times) : leg_(leg), map_(map), times_(times) {}
  bool relays();
  std::int64_t end_direct(const PortMap& old, std::int64_t up) const;
  std::int64_t end_relayed(const PortMap& old, std::int64_t up) const;
  /// @param at where each message of the step is; moved on. @param t when the hop is asked for
  std::int64_t end_of_hop(const PortMap& old, std::int64_t up, std::span<const LegTransfer> step,
                          std::vector<std::int16_t>& at, std::int64_t t) const;
  bool changed(const PortMap& old, std::size_t input) const { return map_[input] >= 0 && map_[input] != old[input]; }

  const Leg& leg_;
  const PortMap& map_;
  SwitchTimes times_;
  bool direct_ = false;
  std::vector<std::vector<std::int64_t>> hops_;  ///< relayed: of each step, the longest message of each hop
  std::vector<std::int64_t> after_;              ///< relayed: cycles of the steps from this one on, all circuits up
};

}  // namespace ocs
