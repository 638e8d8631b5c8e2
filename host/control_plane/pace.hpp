// Virtual time that keeps up with the wall clock, or goes so many times faster.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>

#include "host/control_plane/switch_service.hpp"

namespace ocs::serve {

/// Lets the switch of a service go on as the wall clock does. It never takes long: what a slow switch can't do in time
/// it does later, and what it can't make up is left out and counted. A switch on a wall clock paces itself.
class Pace {
 public:
  using Stopwatch = std::function<std::chrono::nanoseconds()>;  ///< the wall clock, from any begin

  /// @param speed virtual time over wall time, 1 to 1000000
  Pace(SwitchService& service, ClockKind kind, std::int64_t speed, Stopwatch wall);

  /// Advances the switch to the present instant, or for about `at_most` of
  /// wall time. @throws Error (run) when it fails.
  void keep_up(std::chrono::nanoseconds at_most);

  bool behind() const { return due_ > service_.now(); }
  Cycles lag() const { return behind() ? due_ - service_.now() : Cycles{0}; }
  Cycles left_out() const { return left_out_; }  ///< that the switch couldn't make up
  std::int64_t speed() const { return speed_; }

 private:
  void set_due();

  SwitchService& service_;
  ClockKind kind_;
  std::int64_t speed_;
  Stopwatch wall_;
  std::chrono::nanoseconds last_;  ///< wall time that `due_` is for
  std::int64_t rest_ = 0;          ///< ps that are less than a cycle
  Cycles due_;
  Cycles left_out_{0};
  std::int64_t stride_ = 4096;  ///< cycles that the switch is asked for at a time
};

}  // namespace ocs::serve
