// Each seam of a switch gets its watcher as it is made.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/fabric.hpp"

#include <algorithm>
#include <optional>
#include <utility>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/engine/port_time.hpp"
#include "testbed/engine/profiled.hpp"

namespace ocs {

struct Fabric::One {
  explicit One(int ports) : time(ports) {}
  std::unique_ptr<Device> device;
  std::optional<ProfiledDevice> profiled_device;
  std::unique_ptr<Switch> bare;
  std::optional<ProfiledSwitch> profiled_driver, profiled_switch;
  PortTime time;
  std::unique_ptr<WatchedSwitch> watched;
  Switch* outermost = nullptr;
};

namespace {

void add_counters(Row& row, Switch& plane) {
  for (int port = 0; port < row.ports; ++port) {
    const Counters counters = plane.counters(static_cast<std::uint16_t>(port));
    row.words_passed += counters.passed.n;
    row.words_lost += counters.lost.n;
    row.words_unrouted += counters.unrouted.n;
    row.dark_port_cycles += counters.dark.n;
    row.reconfigurations += counters.reconfigurations;
    if (row.words_shown) *row.words_shown += counters.shown.n;
  }
  row.cycles = plane.clock().now();
  row.edges += plane.clock().edges();
}

/// What the outputs did until row.cycles.
void add_port_time(Row& row, PortTime& time) {
  time.finish(row.cycles);
  row.port_up += time.of(EventKind::up);
  row.port_tuning += time.of(EventKind::tuning);
  row.port_locking += time.of(EventKind::locking);
  row.port_held += time.of(EventKind::held) + time.of(EventKind::failed);
  row.port_idle += time.of(EventKind::idle);
}

}  // namespace

Fabric::Fabric(const FabricSpec& spec, FabricHooks hooks)
    : hooks_(std::move(hooks)), events_([this](const Event& event) {
        hash_.add(event);
        if (hooks_.on_event) hooks_.on_event(event);
      }) {
  for (std::size_t plane = 0; plane < spec.planes; ++plane) make_one(spec);
}

Fabric::~Fabric() = default;

void Fabric::make_one(const FabricSpec& spec) {
  Profile* const profile = hooks_.profile;
  const std::size_t number = planes_.size();
  One& one = *planes_.emplace_back(std::make_unique<One>(spec.config.ports));
  DeviceConfig config = spec.config;
  config.stopwatch = profile != nullptr;
  rtl::Waveform* const waveform = hooks_.waveform ? hooks_.waveform(number) : nullptr;
  one.device = make_device(device_of_plane(spec.device, number), config, waveform);
  if (hooks_.on_device) hooks_.on_device(*one.device, number);
  one.bare = make_switch(before(one.profiled_device, *one.device, profile), spec.plane, &commands_);
  if (waveform != nullptr)
    waveform->count_from(to_picos(one.device->clock().now() - one.bare->clock().now(), config.cycle));
  std::vector<OutputWatcher*> watchers{&one.time};
  watchers.insert(watchers.end(), hooks_.watchers.begin(), hooks_.watchers.end());
  if (OutputWatcher* const more = hooks_.watcher ? hooks_.watcher(number) : nullptr) watchers.push_back(more);
  one.watched = std::make_unique<WatchedSwitch>(before(one.profiled_driver, *one.bare, profile, Part::driver),
                                                std::move(watchers), config.time_warp ? nullptr : hooks_.pause);
  one.outermost = &before(one.profiled_switch, static_cast<Switch&>(*one.watched), profile, Part::accounting);
}

Switch& Fabric::plane(std::size_t number) { return *planes_.at(number)->outermost; }

std::function<void(const Event&)> Fabric::log(std::size_t plane) {
  if (planes_.size() > 1) return events_.of(Plane{static_cast<std::uint8_t>(plane)});
  return [this](const Event& event) {
    hash_.add(event);
    if (hooks_.on_event) hooks_.on_event(event);
  };
}

bool Fabric::has_own_clock() { return planes_.front()->device->clock().kind() == ClockKind::wall_time; }

/// Every event is the same in every run.
bool Fabric::exact() {
  return !has_own_clock() &&
         std::ranges::all_of(planes_, [](const auto& one) { return one->bare->constants().cycle_exact; });
}

void Fabric::add_commands(Row& row) const {
  if (commands_.count() == 0) return;
  row.commands = CommandResults{.count = commands_.count(),
                                .late = commands_.late(),
                                .mean = to_picos(commands_.mean(), row.cycle),
                                .median = to_picos(commands_.quantile(500'000), row.cycle),
                                .p99 = to_picos(commands_.quantile(990'000), row.cycle),
                                .max = to_picos(commands_.quantile(1'000'000), row.cycle),
                                .histogram = commands_.histogram(row.cycle)};
}

void Fabric::add_to(Row& row) {
  std::chrono::nanoseconds evaluation{0};
  std::uint64_t edges = 0;
  for (const auto& one : planes_) {
    add_counters(row, *one->outermost);
    add_port_time(row, one->time);
    FabricClock& clock = one->device->clock();
    row.words_compared += clock.words_compared();
    evaluation += clock.evaluation();
    edges += clock.edges();
  }
  if (has_own_clock()) row.reproducible = false;
  row.events = static_cast<std::int64_t>(hash_.count());
  if (exact()) row.event_log_hash = hash_.value();
  add_commands(row);
  if (hooks_.profile) hooks_.profile->evaluated(evaluation, edges);
}

}  // namespace ocs
