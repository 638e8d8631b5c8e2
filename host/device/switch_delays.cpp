// The shortest pair in BASE, the rest in PAIR.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/switch_delays.hpp"

#include <algorithm>
#include <string>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr std::int64_t max_delay = (std::int64_t{1} << 30) - 1;

[[noreturn]] void refuse(const std::string& sentence) { throw Error(ErrorKind::input, sentence); }

void check_delay(const std::string& name, Cycles delay) {
  if (delay.n < 0 || delay.n > max_delay)
    refuse(name + " of " + std::to_string(delay.n) + " cycles doesn't fit the switch: 0 to " +
           std::to_string(max_delay) + " cycles");
}

void check_count(const char* name, std::size_t count, std::size_t right) {
  if (count != 0 && count != right)
    refuse("there are " + std::to_string(count) + " " + name + ", but the switch has " + std::to_string(right) +
           " to be given one");
}

void check(const ocs_dev& dev, const SwitchDelays& delays) {
  check_delay("tuning", delays.tuning);
  check_delay("locking", delays.locking);
  check_count("tuning times of pairs", delays.pair_tuning.size(), std::size_t{dev.ports} * dev.ports);
  check_count("locking times of outputs", delays.output_locking.size(), dev.ports);
  for (const Cycles tuning : delays.pair_tuning) check_delay("tuning", tuning);
  for (const Cycles locking : delays.output_locking) check_delay("locking", locking);
}

}  // namespace

void set_switch_delays(DriverBus& bus, const ocs_dev& dev, const SwitchDelays& delays) {
  check(dev, delays);
  for (std::uint16_t o = 0; o < dev.ports; ++o) {
    const auto tuning = [&](std::uint16_t i) { return delays.tuning_of(Input{i}, Output{o}, dev.ports); };
    Cycles least = tuning(0);
    for (std::uint16_t i = 1; i < dev.ports; ++i) least = std::min(least, tuning(i));
    bus.check(ocs_set_delays(&dev, o, static_cast<std::uint32_t>(least.n),
                             static_cast<std::uint32_t>(delays.locking_of(Output{o}).n)));
    for (std::uint16_t i = 0; i < dev.ports; ++i) {
      const Cycles more = tuning(i) - least;
      if (more.n == 0) continue;
      if ((dev.options & OCS_REGS__CAP_OPTIONS__PAIR_bm) == 0)
        refuse("pairs of ports have different tuning times, but this switch has no PAIR memory for them");
      bus.check(ocs_set_pair(&dev, o, i, static_cast<std::uint32_t>(more.n)));
    }
  }
}

void set_switch_delays(Device& device, const SwitchDelays& delays) {
  DriverBus bus(device.bus());
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  set_switch_delays(bus, dev, delays);
}

}  // namespace ocs
