// How long control and light take, and how plans are shaped by it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "host/core/ids.hpp"

namespace ocs {

enum class ControlMode : std::uint8_t {
  confirmed,  ///< circuits are confirmed by events, words wait for them: nothing is lost
  timetable,  ///< commits and words go by the clock, blind: what is late or early is lost
};

/// All in cycles, 0 or more but for the offsets. docs/loss.md has a picture.
struct ControlTimes {
  ControlMode mode = ControlMode::confirmed;
  Cycles tuning{0}, locking{0};        ///< of every output, as the switch was made with
  Cycles lead{0};                      ///< a decision taken in t acts in t + lead
  Cycles fibre{0};                     ///< light takes it from node to switch, and again from switch to node
  Cycles guard{0};                     ///< timetable: a circuit is up so long before its first word and after its last
  std::vector<Cycles> clock_offset{};  ///< timetable: node v sends so much later than its clock says; none: 0

  Cycles offset_of(Input in) const { return index(in) < clock_offset.size() ? clock_offset[index(in)] : Cycles{0}; }
  /// By how much the fastest clock is early.
  Cycles earliness() const {
    Cycles most{0};
    for (const Cycles offset : clock_offset) most = std::max(most, Cycles{0} - offset);
    return most;
  }
  /// The guard of a plan with words that have been sent so often before: each time twice as long, and so in the end
  /// longer than any clock is off. Below 2^31.
  Cycles guard_after(std::uint32_t sent) const {
    if (sent == 0) return guard;
    constexpr std::int64_t most = std::int64_t{1} << 30;
    std::int64_t longer = std::max<std::int64_t>(guard.n, 1);
    for (std::uint32_t k = 0; k < sent && longer < most; ++k) longer *= 2;
    return Cycles{longer};
  }
  /// Problem.delta: from a reservation's start to its first word when its circuit is to be set up. At least 1, so that
  /// who has been sending is known to have ended.
  Cycles set_up(std::uint32_t sent = 0) const {
    if (mode == ControlMode::timetable) return std::max(Cycles{1}, tuning + locking + guard_after(sent) * 2);
    return tuning + locking + Cycles{1} + lead + fibre;
  }
  /// Problem.now of a plan that is asked for in cycle `asked`: nothing of the plan has to act before it can.
  /// @param reuses a flow could use a circuit that is up
  Cycles origin(Cycles asked, bool reuses) const {
    if (mode == ControlMode::timetable) return asked + Cycles{1} + lead + fibre + earliness();
    return reuses ? asked + Cycles{1} + lead + fibre : asked;
  }
};

}  // namespace ocs
