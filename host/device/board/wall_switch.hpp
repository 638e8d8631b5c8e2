// The Switch seam over a switch whose clock goes on by itself.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/switch.hpp"
#include "host/device/board/command_times.hpp"
#include "host/device/registers/register_switch.hpp"

namespace ocs {

/// Time as its user sees it begins with the first command or wait, in cycle 0, and goes from event to event and from
/// limit to limit, behind the switch's own: an event is told in its cycle, though the switch has gone on since. So
/// decisions are taken as of the same cycles as over a virtual device; what matters is that each command reaches the
/// switch before the cycle that it is for. Hence Constants::ahead: commands are to be given a lead before.
///
/// - A commit that comes too late acts at once, and is counted as late. One more while the timed commit is armed, or
///   another hasn't been taken, is kept here until then: the switch holds one.
/// - A gated burst on a circuit that a commit sets up begins in the dark: it may start from the commit on, since no
///   word leaves before the circuit is up. So a start that takes its time changes nothing. One that must wait for
///   something else than light (an established circuit, fibre) is as late as its start was.
/// - Cycles of repeat() are shifted alike.
/// @param inner over a wall-clock device. @param config as `inner` was made with.
/// @param times told of each command; outlives this; may be nullptr.
std::unique_ptr<Switch> make_wall_switch(std::unique_ptr<Switch> inner, const SwitchConfig& config,
                                         CommandTimes* times);

}  // namespace ocs
