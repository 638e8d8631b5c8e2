// Makes devices alike, and adds up.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/planes.hpp"

#include <algorithm>

#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "testbed/experiment/prepare.hpp"

namespace ocs {

Planes::Planes(const Point& point, const std::function<void()>& pause) {
  const FabricSettings& fabric = point.fabric;
  for (int p = 0; p < fabric.planes; ++p) {
    One& one = *planes_.emplace_back(std::make_unique<One>(fabric.ports));
    one.device = make_device(fabric.device, {.ports = fabric.ports,
                                             .word_bytes = static_cast<int>(fabric.word.n),
                                             .cycle = fabric.cycle,
                                             .time_warp = fabric.time_warp,
                                             .words = fabric.words_cross});
    if (one.device->clock().kind() == ClockKind::wall_time)
      throw Error(ErrorKind::input, "device \"" + fabric.device +
                                        "\" has a clock of its own; it is for one job on one switch, not for jobs "
                                        "that come over time or several planes");
    one.bare = make_switch(*one.device, {.tuning = fabric.tuning_cycles,
                                         .locking = fabric.locking_cycles,
                                         .all_stop = fabric.all_stop,
                                         .multicast = point.peers(),
                                         .pair_tuning = fabric.pair_tuning_cycles,
                                         .output_locking = fabric.output_locking_cycles});
    one.watched = std::make_unique<WatchedSwitch>(*one.bare, std::vector<OutputWatcher*>{&one.time},
                                                  fabric.time_warp ? nullptr : pause);
  }
}

bool Planes::exact() {
  return std::all_of(planes_.begin(), planes_.end(), [](const auto& one) {
    return one->bare->clock().kind() == ClockKind::virtual_time && one->bare->constants().cycle_exact;
  });
}

void Planes::add_counters(Row& row) {
  for (const auto& one : planes_) {
    ocs::add_counters(row, *one->watched);
    add_port_time(row, one->time);
    row.words_compared += one->device->clock().words_compared();
  }
}

void add_counters(Row& row, Switch& plane) {
  for (int port = 0; port < row.ports; ++port) {
    const Counters counters = plane.counters(static_cast<std::uint16_t>(port));
    row.words_passed += counters.passed.n;
    row.words_lost += counters.lost.n;
    row.words_unrouted += counters.unrouted.n;
    row.dark_port_cycles += counters.dark.n;
    row.reconfigurations += counters.reconfigurations;
  }
  row.cycles = plane.clock().now();
  row.edges += plane.clock().edges();
}

void add_port_time(Row& row, PortTime& time) {
  time.finish(row.cycles);
  row.port_up += time.of(EventKind::up);
  row.port_tuning += time.of(EventKind::tuning);
  row.port_locking += time.of(EventKind::locking);
  row.port_held += time.of(EventKind::held) + time.of(EventKind::failed);
  row.port_idle += time.of(EventKind::idle);
}

PlaneSplit plane_split(const Point& point) {
  return {point.fabric.planes, point.fabric.ports, point.fabric.equal_split ? SplitRule::equal : SplitRule::longest,
          Words{control_times(point).set_up().n}};
}

}  // namespace ocs
