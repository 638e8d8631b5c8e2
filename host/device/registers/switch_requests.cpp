// Options, and bursts that no engine takes.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/switch_requests.hpp"

#include <string>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {}  // namespace

ocs_dev probed(DriverBus& bus) {
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  return dev;
}

void check_modes(const ocs_dev& dev, bool all_stop, bool multicast) {
  if (multicast && !(dev.options & OCS_REGS__CAP_OPTIONS__MULTICAST_bm))
    throw Error(ErrorKind::input, "multicast is asked for, but this switch has no multicast option");
  if (all_stop && !(dev.options & OCS_REGS__CAP_OPTIONS__ALL_STOP_bm))
    throw Error(ErrorKind::input, "all-stop is asked for, but this switch has no all-stop option");
}

std::optional<Refusal> refusal_of(const Burst& burst, const ocs_dev& dev, const SwitchMirror& mirror) {
  const std::uint16_t i = index(burst.in);
  if (i >= dev.ports)
    return refused("input " + std::to_string(i) + " isn't one of this switch's " + std::to_string(dev.ports));
  const EngineMirror& engine = mirror.engines[i];
  if (engine.running)
    return refused("burst " + std::to_string(index(engine.id)) + " still runs on input " + std::to_string(i));
  if (burst.length.n < 0 || burst.length.n > max_word)
    return refused("a burst of " + std::to_string(burst.length.n) + " words isn't within 0 to " +
                   std::to_string(max_word));
  if (burst.word.n < 1 || OCS_FULL_RATE % burst.word.n != 0)
    return refused("a word takes a divisor of " + std::to_string(OCS_FULL_RATE) + " cycles, not " +
                   std::to_string(burst.word.n));
  if (burst.word.n > 1 && !(dev.options & OCS_REGS__CAP_OPTIONS__RATE_bm))
    return refused("a word takes one cycle on a switch without the RATE option, not " + std::to_string(burst.word.n));
  return std::nullopt;
}

}  // namespace ocs
