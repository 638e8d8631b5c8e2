// Scheduler, charge, fabric and circuits, each around the one before; or maps over a fabric; or packets alone.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/point_network.hpp"

#include <utility>

#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/run/job_row.hpp"

namespace ocs {
namespace {

RunShape shape_of(const Point& point) {
  return {.ports = point.fabric.ports,
          .planes = static_cast<std::size_t>(point.fabric.planes),
          .cycle = point.fabric.cycle,
          .fibre = point.fabric.fibres,
          .word_bytes = point.fabric.word.n,
          .workers = point.job.workers,
          .control_latency = point.nodes.control_latency,
          .packets = point.packets,
          .maps = point.sets_maps()};
}

}  // namespace

PacketConfig packet_config(const Point& point) {
  return {.ports = point.fabric.ports,
          .planes = point.fabric.planes,
          .word_bytes = point.fabric.word.n,
          .cycle = point.fabric.cycle,
          .word_cycles = point.nodes.word_cycles,
          .rate_changes = point.nodes.rate_changes,
          .outages = point.fabric.outages_cycles,
          .flight = to_picos(point.fabric.fibres.longest() * 2, point.fabric.cycle)};
}

PointNetwork::PointNetwork(const Point& point, const RunOptions& options, const Policy& policy,
                           const CircuitRules& rules, NodeTime* time)
    : watch_(options.watch) {
  if (watch_ != nullptr) watch_->begin(shape_of(point));
  make(point, options, policy, rules, time);
  if (watch_ != nullptr) outermost_ = &watched_.emplace(*outermost_, *watch_);
}

void PointNetwork::make(const Point& point, const RunOptions& options, const Policy& policy, const CircuitRules& rules,
                        NodeTime* time) {
  if (point.packets) {
    PacketConfig config = packet_config(point);
    if (time != nullptr || watch_ != nullptr)
      config.on_carried = [time, watch = watch_](const PacketCarried& one) {
        if (time != nullptr) time->sent(Output{index(one.to)}, Input{index(one.from)}, one.began, one.arrived);
        if (watch != nullptr) watch->crossed(one.from, one.to, one.began, one.arrived);
      };
    packets_.emplace(std::move(config));
    outermost_ = &before(profiled_, static_cast<Network&>(*packets_), options.profile);
    return;
  }
  if (point.sets_maps()) {
    fabric_.emplace(fabric_spec(point), fabric_hooks(options));
    maps_.emplace(point, options, *fabric_);
    outermost_ = &before(profiled_, maps_->network(), options.profile);
    return;
  }
  scheduler_ = make_scheduler(point, policy, options.pause);
  charged_.emplace(before(profiled_scheduler_, std::as_const(*scheduler_), options.profile), point);
  std::vector<OutputWatcher*> watchers;
  if (time != nullptr) watchers.push_back(time);
  fabric_.emplace(fabric_spec(point), fabric_hooks(options, std::move(watchers)));
  CircuitRules charging = rules;
  charging.charged = [this] { return charged_->last(); };
  circuits_.emplace(point, options, *fabric_, *charged_, charging);
  outermost_ = &before(profiled_, circuits_->network(), options.profile);
}

std::function<Picos(std::size_t, std::uint32_t)> PointNetwork::shown(
    std::function<Picos(std::size_t, std::uint32_t)> compute) {
  if (watch_ == nullptr) return compute;
  return [this, compute = std::move(compute)](std::size_t w, std::uint32_t k) {
    const Picos from = watched_->now(), length = compute(w, k);
    watch_->computes_until(Node{static_cast<std::uint16_t>(w)}, k, from, from + length);
    return length;
  };
}

void PointNetwork::add_to(Row& row, const JobResult& job) {
  if (packets_) {
    row.words_passed = packets_->stats().words;
  } else {
    fabric_->add_to(row);
    if (charged_) add_charges(row, charged_->charged());
    if (circuits_ && row.control == "timetable") row.guard_misses = circuits_->guard_misses();
  }
  row.words_misrouted = row.words_passed - job.words_delivered;
}

}  // namespace ocs
