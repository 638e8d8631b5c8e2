// The same job as over circuits; what is measured comes from the job's result and from what the network carried.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_packets.hpp"

#include <algorithm>
#include <chrono>
#include <optional>
#include <vector>

#include "host/controller/packet_network.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "testbed/engine/profiled.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/node_time.hpp"

namespace ocs {
namespace {

/// What the side with the most to carry needs.
Cycles busiest_side(const std::vector<Flow>& flows, int ports) {
  const auto count = static_cast<std::size_t>(ports);
  std::vector<std::int64_t> sides(2 * count, 0);
  for (const Flow& flow : flows) {
    sides[index(flow.in)] += flow.length.n;
    for (std::size_t out = 0; out < count; ++out)
      if (flow.outs[out]) sides[count + out] += flow.length.n;
  }
  return Cycles{*std::max_element(sides.begin(), sides.end())};
}

}  // namespace

Row run_packets(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  const Picos cycle = point.fabric.cycle;
  const PreparedJob prepared = placed(point, options.profile);
  Row row = asked_row(point);
  row.version = options.version;
  NodeTime node_time(point.fabric.ports, cycle, Cycles{0});
  PacketNetwork network({.ports = point.fabric.ports,
                         .word_bytes = point.fabric.word.n,
                         .cycle = cycle,
                         .word_cycles = point.nodes.word_cycles,
                         .flight = to_picos(point.fabric.fibre_cycles * 2, cycle),
                         .on_carried = [&](const PacketCarried& one) {
                           node_time.sent(Output{index(one.to)}, Input{index(one.from)}, one.began, one.arrived);
                         }});
  JobHooks hooks;
  hooks.moment = [&](const JobMoment& moment) { node_time.on(moment); };
  std::optional<ProfiledNetwork> profiled_network;
  std::optional<ProfiledTransport> profiled_transport;
  hooks.coordinator = [&](Transport& transport) -> Transport& {
    return before(profiled_transport, transport, options.profile);
  };
  const JobResult result = run_prepared(
      point, prepared, before(profiled_network, static_cast<Network&>(network), options.profile), options, hooks);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_job(row, result, point.job);
  add_node_time(row, node_time);
  row.words_passed = network.stats().words;
  if (!row.eager)
    row.bound = to_picos(busiest_side(push_flows(prepared.job, prepared.padded), point.fabric.ports) +
                             busiest_side(pull_flows(prepared.job, prepared.padded), point.fabric.ports) +
                             point.fabric.fibre_cycles * 4,
                         cycle);
  return row;
}

}  // namespace ocs
