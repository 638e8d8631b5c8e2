// Which output selects which input, after the commits that a controller has given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/core/network.hpp"

namespace ocs {

class CircuitMap {
 public:
  explicit CircuitMap(int ports);

  /// @throws Error (internal) for a plan that doesn't fit one plane of so many ports.
  void check(const Plan& plan) const;

  struct Join {
    const Reservation* reservation;
    bool changes = false;  ///< set by join(): it has another circuit now
  };
  /// Joins the inputs of the reservations to their outputs alone: what an input leaves behind becomes dark.
  /// @returns the changes of one commit, ascending; they count as made.
  std::vector<Select> join(std::span<Join> joins);

  void on(const Event& event);  ///< states of outputs
  bool up(std::uint16_t output) const { return state_[output] == EventKind::up; }
  std::vector<EstablishedCircuit> circuits() const;  ///< of which all outputs are UP, by input; free_at 0

 private:
  static constexpr std::uint16_t dark = 0xffff;
  void select(std::uint16_t out, std::uint16_t in);

  std::vector<std::uint16_t> selection_;  ///< of each output, after the last commit
  std::vector<Outputs> joined_;           ///< of each input: the outputs that select it
  std::vector<EventKind> state_;          ///< of each output
};

/// Throws what a controller throws when the switch refuses `what`.
[[noreturn]] void refused_by_switch(const std::string& what, const Refusal& refusal);

}  // namespace ocs
