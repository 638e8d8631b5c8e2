// Options, and bursts that no engine takes.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/switch_requests.hpp"

#include <string>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr std::int64_t max_word = (std::int64_t{1} << 32) - 1;

std::string text(std::int64_t n) { return std::to_string(n); }

Refusal refuse(const std::string& why) { return {why, std::nullopt}; }

}  // namespace

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
  if (i >= dev.ports) return refuse("input " + text(i) + " isn't one of this switch's " + text(dev.ports));
  const EngineMirror& engine = mirror.engines[i];
  if (engine.running) return refuse("burst " + text(index(engine.id)) + " still runs on input " + text(i));
  if (burst.length.n < 0 || burst.length.n > max_word)
    return refuse("a burst of " + text(burst.length.n) + " words isn't within 0 to " + text(max_word));
  if (burst.word.n < 1 || OCS_FULL_RATE % burst.word.n != 0)
    return refuse("a word takes a divisor of " + text(OCS_FULL_RATE) + " cycles, not " + text(burst.word.n));
  if (burst.word.n > 1 && !(dev.options & OCS_REGS__CAP_OPTIONS__RATE_bm))
    return refuse("a word takes one cycle on a switch without the RATE option, not " + text(burst.word.n));
  return std::nullopt;
}

}  // namespace ocs
