// The shortest pair in BASE, the rest in PAIR.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/switch_delays.hpp"

#include <algorithm>
#include <array>
#include <string>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

constexpr int max_lanes = 256;
constexpr std::int64_t max_delay = (std::int64_t{1} << 30) - 1;

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

void check_programming(const ocs_dev& dev, const SwitchDelays& delays) {
  check_delay("programming", delays.programming);
  if (delays.programming.n == 0) return;
  if (delays.lanes < 1 || delays.lanes > max_lanes)
    refuse("mirrors are programmed " + std::to_string(delays.lanes) + " at once, but must be 1 to " +
           std::to_string(max_lanes));
  if ((dev.options & OCS_REGS__CAP_OPTIONS__SERIAL_bm) == 0)
    refuse("mirrors are to be programmed in turn, but this switch has no option for serial programming");
}

void check_receivers(const ocs_dev& dev, const SwitchDelays& delays) {
  if (!delays.receivers) return;
  check_delay("the time for which receivers stay warm", delays.receivers->warm_time);
  for (std::size_t k = 0; k < Receivers::points; ++k) {
    check_delay("locking of a warm receiver", delays.receivers->warm[k]);
    check_delay("locking of a cold receiver", delays.receivers->cold[k]);
  }
  if ((dev.options & OCS_REGS__CAP_OPTIONS__RECEIVER_bm) == 0)
    refuse("receivers are to lock by what they last received, but this switch has no option for receivers");
}

void check_neighbours(const ocs_dev& dev, const SwitchDelays& delays) {
  check_delay("the time for which mirrors are disturbed", delays.neighbours.disturbed);
  if (!delays.neighbours.any()) return;
  if ((dev.options & OCS_REGS__CAP_OPTIONS__NEIGHBOURS_bm) == 0)
    refuse("mirrors are to disturb others when they move, but this switch has no option for neighbours");
}

void check_light(const ocs_dev& dev, const SwitchDelays& delays) {
  if (!delays.light) return;
  check_delay("the time after which a loss of light is reported", delays.light->lost);
  check_delay("the time after which light is reported to be back", delays.light->back);
  check_delay("the time before a mirror rings", delays.light->ring_after);
  check_delay("the time for which a mirror rings", delays.light->ring);
  if ((dev.options & OCS_REGS__CAP_OPTIONS__POWER_bm) == 0)
    refuse("light is to have a level, but this switch has no option for power");
  check_count("levels of lasers", delays.light->lasers.size(), dev.ports);
  check_count("losses of outputs", delays.light->losses.size(), dev.ports);
}

void set_light(DriverBus& bus, const ocs_dev& dev, const LightLevel& light) {
  const auto number = [](auto count) { return static_cast<std::uint32_t>(count); };
  for (std::uint16_t p = 0; p < dev.ports; ++p)
    bus.check(ocs_set_power(&dev, p, light.laser_of(Input{p}), number(light.loss_of(Output{p}))));
  if (!light.detected) return;
  if (light.any_ring())
    bus.check(ocs_set_ringing(&dev, number(light.ring_after.n), number(light.ring.n), number(light.rings)));
  bus.check(
      ocs_set_light(&dev, true, light.threshold, number(light.hysteresis), number(light.lost.n), number(light.back.n)));
}

void set_receivers(DriverBus& bus, const ocs_dev& dev, const Receivers& receivers) {
  static_assert(Receivers::points == OCS_QUANTILES);
  std::array<std::uint32_t, Receivers::points> warm{}, cold{};
  const auto number = [](Cycles cycles) { return static_cast<std::uint32_t>(cycles.n); };
  std::ranges::transform(receivers.warm, warm.begin(), number);
  std::ranges::transform(receivers.cold, cold.begin(), number);
  bus.check(ocs_set_receivers(&dev, number(receivers.warm_time), warm.data(), cold.data()));
}

void check_jitter(const ocs_dev& dev, const SwitchDelays& delays) {
  check_delay("jitter", delays.jitter);
  if (delays.jitter.n == 0) return;
  if ((delays.jitter.n & (delays.jitter.n + 1)) != 0)
    refuse("jitter is " + std::to_string(delays.jitter.n) + " cycles, but must be 2^m - 1");
  if ((dev.options & OCS_REGS__CAP_OPTIONS__JITTER_bm) == 0)
    refuse("tuning times are to be drawn, but this switch has no option for jitter");
}

}  // namespace

OutputDelays delays_of(const SwitchDelays& delays, Output output, int ports) {
  const auto tuning = [&](int i) { return delays.tuning_of(static_cast<Input>(i), output, ports); };
  OutputDelays own{.base = tuning(0), .locking = delays.locking_of(output), .more = {}};
  for (int i = 1; i < ports; ++i) own.base = std::min(own.base, tuning(i));
  bool alike = true;
  for (int i = 0; i < ports; ++i) {
    own.more.push_back(tuning(i) - own.base);
    alike = alike && own.more.back().n == 0;
  }
  if (alike) own.more.clear();
  return own;
}

void check_switch_delays(const ocs_dev& dev, const SwitchDelays& delays) {
  check_delay("tuning", delays.tuning);
  check_delay("locking", delays.locking);
  check_count("tuning times of pairs", delays.pair_tuning.size(), std::size_t{dev.ports} * dev.ports);
  check_count("locking times of outputs", delays.output_locking.size(), dev.ports);
  for (const Cycles tuning : delays.pair_tuning) check_delay("tuning", tuning);
  for (const Cycles locking : delays.output_locking) check_delay("locking", locking);
  check_programming(dev, delays);
  check_jitter(dev, delays);
  check_receivers(dev, delays);
  check_neighbours(dev, delays);
  check_light(dev, delays);
  if ((dev.options & OCS_REGS__CAP_OPTIONS__PAIR_bm) != 0) return;
  for (std::uint16_t o = 0; o < dev.ports; ++o)
    if (!delays_of(delays, Output{o}, dev.ports).more.empty())
      refuse("pairs of ports have different tuning times, but this switch has no PAIR memory for them");
}

void set_switch_delays(DriverBus& bus, const ocs_dev& dev, const SwitchDelays& delays) {
  check_switch_delays(dev, delays);
  if (delays.programming.n > 0)
    bus.check(ocs_set_programming(&dev, static_cast<std::uint32_t>(delays.programming.n),
                                  static_cast<std::uint16_t>(delays.lanes)));
  if (delays.jitter.n > 0 || delays.receivers) bus.check(ocs_seed(&dev, delays.seed));
  if (delays.receivers) set_receivers(bus, dev, *delays.receivers);
  if (delays.neighbours.any())
    bus.check(
        ocs_set_disturb(&dev, static_cast<std::uint32_t>(delays.neighbours.disturbed.n), delays.neighbours.distances));
  if (delays.light) set_light(bus, dev, *delays.light);
  for (std::uint16_t o = 0; o < dev.ports; ++o) {
    if (delays.jitter.n > 0) bus.check(ocs_set_jitter(&dev, o, static_cast<std::uint32_t>(delays.jitter.n)));
    const OutputDelays own = delays_of(delays, Output{o}, dev.ports);
    bus.check(
        ocs_set_delays(&dev, o, static_cast<std::uint32_t>(own.base.n), static_cast<std::uint32_t>(own.locking.n)));
    for (std::size_t i = 0; i < own.more.size(); ++i)
      if (own.more[i].n != 0)
        bus.check(ocs_set_pair(&dev, o, static_cast<std::uint16_t>(i), static_cast<std::uint32_t>(own.more[i].n)));
  }
}

void set_switch_delays(Device& device, const SwitchDelays& delays) {
  DriverBus bus(device.bus());
  ocs_dev dev{};
  bus.check(ocs_probe(&dev, bus.c()));
  set_switch_delays(bus, dev, delays);
}

}  // namespace ocs
