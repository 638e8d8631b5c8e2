// Where the time of the switch's ports goes: the states of its outputs, added up from their events.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <vector>

#include "testbed/engine/watched_switch.hpp"

namespace ocs {

/// Port-cycles: how long outputs were in each state, summed over all outputs of the switch.
class PortTime final : public OutputWatcher {
 public:
  /// @param ports all idle from cycle 0 on.
  explicit PortTime(int ports) : outputs_(static_cast<std::size_t>(ports)) {}

  void entered(Output out, EventKind state, std::optional<Input> in, Cycles at) override;
  void passed(Output, Input, Cycles, Cycles) override {}

  /// Counts what has happened before cycle `now`. Call it once, after the last event.
  void finish(Cycles now);

  /// @param state idle, tuning, locking, up, held or failed.
  Cycles of(EventKind state) const { return sums_[static_cast<std::size_t>(state)]; }

 private:
  struct Port {
    EventKind state = EventKind::idle;
    Cycles since{0};
  };
  void leave(Port& port, Cycles at);

  std::vector<Port> outputs_;
  std::array<Cycles, static_cast<std::size_t>(EventKind::failed) + 1> sums_{};
};

}  // namespace ocs
