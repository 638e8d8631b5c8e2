// Scheduler, charge, fabric and circuits, each around the one before; or the packet network alone.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/point_network.hpp"

#include <utility>

#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/run/job_row.hpp"

namespace ocs {

PacketConfig packet_config(const Point& point) {
  return {.ports = point.fabric.ports,
          .word_bytes = point.fabric.word.n,
          .cycle = point.fabric.cycle,
          .word_cycles = point.nodes.word_cycles,
          .rate_changes = point.nodes.rate_changes,
          .flight = to_picos(point.fabric.fibre_cycles * 2, point.fabric.cycle)};
}

PointNetwork::PointNetwork(const Point& point, const RunOptions& options, const Policy& policy,
                           const CircuitRules& rules, NodeTime* time) {
  if (point.packets) {
    PacketConfig config = packet_config(point);
    if (time != nullptr)
      config.on_carried = [time](const PacketCarried& one) {
        time->sent(Output{index(one.to)}, Input{index(one.from)}, one.began, one.arrived);
      };
    packets_.emplace(std::move(config));
    outermost_ = &before(profiled_, static_cast<Network&>(*packets_), options.profile);
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

void PointNetwork::add_to(Row& row, const JobResult& job) {
  if (packets_) {
    row.words_passed = packets_->stats().words;
  } else {
    fabric_->add_to(row);
    add_charges(row, charged_->charged());
  }
  row.words_misrouted = row.words_passed - job.words_delivered;
}

}  // namespace ocs
