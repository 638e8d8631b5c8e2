// Options, and bursts that no engine takes.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/switch_requests.hpp"

#include <string>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {

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

std::optional<Refusal> refusal_of_output(const ocs_dev& dev, Output output) {
  if (index(output) < dev.ports) return std::nullopt;
  return refused("output " + std::to_string(index(output)) + " isn't one of this switch's " +
                 std::to_string(dev.ports));
}

std::optional<Refusal> refusal_of_faults(const ocs_dev& dev, std::uint16_t port) {
  if (port >= dev.ports)
    return refused("port " + std::to_string(port) + " isn't one of this switch's " + std::to_string(dev.ports));
  if (!(dev.options & OCS_REGS__CAP_OPTIONS__FAULTS_bm)) return refused("this switch has no FAULTS option");
  return std::nullopt;
}

std::optional<Refusal> refusal_of_mirror_fault(const ocs_dev& dev, Output output, MirrorFault fault, Cycles amount) {
  if (auto refusal = refusal_of_faults(dev, index(output))) return refusal;
  constexpr std::int64_t most = (std::int64_t{1} << 30) - 1;
  if (amount.n < 0 || amount.n > most)
    return refused("a fault of " + std::to_string(amount.n) + " cycles doesn't fit the switch: 0 to " +
                   std::to_string(most) + " cycles");
  if (fault == MirrorFault::kept && !(dev.options & OCS_REGS__CAP_OPTIONS__POSITIONS_bm))
    return refused("this switch has no POSITIONS option, and the light of stuck mirrors can't be kept");
  return std::nullopt;
}

std::uint32_t fault_bits(MirrorFault fault) {
  if (fault == MirrorFault::kept) return OCS_REGS__PORT__FAULTX__STUCK_bm | OCS_REGS__PORT__FAULTX__KEEPS_bm;
  return fault == MirrorFault::stuck ? OCS_REGS__PORT__FAULTX__STUCK_bm : 0;
}

std::optional<int> read_power(DriverBus& bus, const ocs_dev& dev, Output output) {
  if (const auto refusal = refusal_of_output(dev, output)) throw Error(ErrorKind::input, refusal->why);
  if ((dev.options & OCS_REGS__CAP_OPTIONS__POWER_bm) == 0) return std::nullopt;  // an old map has no such register
  std::int32_t power = OCS_NO_POWER;
  bus.check(ocs_power(&dev, index(output), &power));
  return power == OCS_NO_POWER ? std::nullopt : std::optional<int>(power);
}

}  // namespace ocs
