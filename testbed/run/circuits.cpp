// A network a plane, and what joins them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/circuits.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

CircuitConfig circuit_config(const Point& point, const RunOptions& options, const CircuitRules& rules, Plane plane) {
  CircuitConfig config;
  config.times = control_times(point);
  config.seed = point.seed;
  config.word_cycles = point.nodes.word_cycles;
  config.rate_changes = point.nodes.rate_changes;
  config.outages = point.fabric.outages_cycles;
  config.mirror_changes = point.fabric.mirror_changes;
  config.neighbours = point.fabric.neighbours;
  config.online = rules.online;
  config.join_coflows = rules.join_coflows;
  config.at_ends = rules.at_ends;
  config.charged = rules.charged;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  config.on_carried = carried_hook(options, plane);
  return config;
}

/// Checks a plan, then shows it.
std::function<void(const Problem&, const Plan&)> watched_check(RunWatch& watch, const CircuitConfig& config,
                                                               FabricClock& clock, std::size_t plane) {
  return [&watch, check = config.check, charged = config.charged, &clock, plane](const Problem& problem,
                                                                                 const Plan& plan) {
    check(problem, plan);
    WatchedPlan seen{.plane = Plane{static_cast<std::uint8_t>(plane)},
                     .asked = clock.now(),
                     .origin = Cycles{problem.now.n},
                     .end = Cycles{problem.now.n},
                     .charged = charged ? charged() : Cycles{0},
                     .flows = static_cast<std::int64_t>(problem.flows.size()),
                     .reservations = static_cast<std::int64_t>(plan.list.size())};
    for (const Reservation& r : plan.list) seen.end = std::max(seen.end, Cycles{r.end.n});
    watch.planned(seen);
  };
}

Picos mean_bound(const NetworkStats& stats, Picos cycle, int iterations) {
  Ticks sum;
  for (const PlanRecord& plan : stats.plans) sum += plan.bound;
  return {(sum.n * cycle.n + iterations / 2) / iterations};
}

bool has_peers(const Point& point) {
  return point.peers() || std::any_of(point.jobs.begin(), point.jobs.end(),
                                      [](const ArrivingJob& one) { return one.job.peers != "none"; });
}

}  // namespace

FabricSpec fabric_spec(const Point& point) {
  const FabricSettings& fabric = point.fabric;
  SwitchDelays delays = fabric.delays();
  delays.seed = static_cast<std::uint32_t>(point.seed);
  return {.device = fabric.device,
          .planes = static_cast<std::size_t>(fabric.planes),
          .config = {.ports = fabric.ports,
                     .word_bytes = static_cast<int>(fabric.word.n),
                     .cycle = fabric.cycle,
                     .time_warp = fabric.time_warp,
                     .words = fabric.words_cross},
          .plane = {.delays = std::move(delays), .all_stop = fabric.all_stop, .multicast = has_peers(point)}};
}

FabricHooks fabric_hooks(const RunOptions& options, std::vector<OutputWatcher*> watchers) {
  return {.profile = options.profile,
          .pause = options.pause,
          .on_event = options.watch == nullptr ? options.on_event : [see = options.on_event, watch = options.watch](const Event& event) {
            if (see) see(event);
            watch->on(event);
          },
          .on_device = options.on_device,
          .watchers = std::move(watchers),
          .watcher = options.watch == nullptr ? std::function<OutputWatcher*(std::size_t)>{}
                                              : [watch = options.watch](std::size_t p) { return watch->outputs(p); },
          .waveform = options.waveform};
}

std::function<void(const Carried&)> carried_hook(const RunOptions& options, Plane plane) {
  if (!options.on_carried && options.watch == nullptr) return {};
  return [see = options.on_carried, watch = options.watch, plane](Carried carried) {
    carried.planned.plane = plane;  // each plane plans for itself, as the only one
    if (see) see(carried);
    if (watch != nullptr) watch->carried(carried);
  };
}

PlaneSplit plane_split(const Point& point) {
  return {point.fabric.planes, point.fabric.ports, point.fabric.equal_split ? SplitRule::equal : SplitRule::longest,
          Words{control_times(point).set_up().n}};
}

Circuits::Circuits(const Point& point, const RunOptions& options, Fabric& fabric, const Scheduler& scheduler,
                   const CircuitRules& rules)
    : cycle_(point.fabric.cycle), count_(fabric.planes()) {
  if (fabric.has_own_clock() && point.control.mode == "timetable")
    throw Error(ErrorKind::input, "device " + in_quotes(point.fabric.device) +
                                      " has a clock of its own, for which control.mode must be \"confirmed\": its "
                                      "bursts don't start in exactly their cycles");
  std::vector<std::unique_ptr<CircuitNetwork>> networks;
  for (std::size_t p = 0; p < count_; ++p) {
    CircuitConfig config = circuit_config(point, options, rules, Plane{static_cast<std::uint8_t>(p)});
    config.on_event = fabric.log(p);
    if (options.watch != nullptr) config.check = watched_check(*options.watch, config, fabric.plane(p).clock(), p);
    networks.push_back(std::make_unique<CircuitNetwork>(fabric.plane(p), scheduler, std::move(config)));
  }
  join(point, std::move(networks), [&fabric] { fabric.settled(); });
}

Circuits::Circuits(const Point& point, const Scheduler& scheduler, const CircuitRules& rules)
    : cycle_(point.fabric.cycle), count_(static_cast<std::size_t>(point.fabric.planes)) {
  std::vector<std::unique_ptr<CircuitNetwork>> networks;
  for (std::size_t p = 0; p < count_; ++p) {
    CircuitConfig config = circuit_config(point, {}, rules, Plane{static_cast<std::uint8_t>(p)});
    config.check = [](const Problem&, const Plan&) {};
    config.outages.clear();
    config.mirror_changes.clear();
    config.neighbours = {};
    config.times.clock_offset.clear();  // nothing is lost on paper
    config.times.clock_drift.clear();
    paper_.push_back(std::make_unique<PaperSwitch>(point.fabric.ports, point.fabric.word.n, cycle_, config.times));
    networks.push_back(std::make_unique<CircuitNetwork>(*paper_.back(), scheduler, std::move(config)));
  }
  join(point, std::move(networks), {});
}

void Circuits::join(const Point& point, std::vector<std::unique_ptr<CircuitNetwork>> networks,
                    std::function<void()> settled) {
  if (count_ == 1)
    one_ = std::move(networks.front());
  else
    planes_ = std::make_unique<PlaneNetwork>(std::move(networks), plane_split(point), cycle_, point.fabric.word.n,
                                             std::move(settled));
}

std::int64_t Circuits::guard_misses() const {
  std::int64_t all = 0;
  for (std::size_t p = 0; p < count_; ++p) all += stats(p).guard_misses;
  return all;
}

Picos Circuits::bound(int iterations) const {
  Picos bound;
  for (std::size_t p = 0; p < count_; ++p) bound = std::max(bound, mean_bound(stats(p), cycle_, iterations));
  return bound;
}

}  // namespace ocs
