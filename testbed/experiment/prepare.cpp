// Blocks, nodes and rates of a point, placed by its policy.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/prepare.hpp"

#include <algorithm>

#include "host/scheduler/splitmix.hpp"
#include "testbed/experiment/fit.hpp"

namespace ocs {
namespace {

Node node(int v) { return static_cast<Node>(v); }

std::vector<std::int64_t> node_rates(const Point& point) {
  std::vector<std::int64_t> rates(static_cast<std::size_t>(point.node_count()), point.fabric.rate_bps);
  std::uint64_t state = point.seed;
  if (point.nodes.rates == "drawn")
    for (std::int64_t& rate : rates) rate = std::max<std::int64_t>(1, rate >> (splitmix64(state) % 3));
  return rates;
}

/// The same placement of the blocks without their padding.
Placement without_padding(Placement placement, const std::vector<Block>& blocks) {
  for (Shard& shard : placement.shards)
    shard.size.n = std::min(shard.size.n, blocks.at(shard.block).size.n - shard.offset.n);
  std::erase_if(placement.shards, [](const Shard& shard) { return shard.size.n <= 0; });
  return placement;
}

}  // namespace

PreparedJob prepare(const Point& point) {
  PreparedJob prepared{
      .policy = &find(policies(), point.policy, "policy"), .job = {}, .padded = {}, .blocks = {}, .placement = {}};
  prepared.blocks = job_blocks(point.job, point.policy);
  Job& job = prepared.job;
  const int servers = point.job.servers;
  for (int v = point.job.colocated ? 0 : servers; v < point.node_count(); ++v) job.workers.push_back(node(v));
  for (int v = 0; v < (prepared.policy->any_node ? point.node_count() : servers); ++v)
    job.candidates.push_back(node(v));
  job.servers = static_cast<std::size_t>(servers);
  job.blocks = padded(prepared.blocks, point.fabric.word);
  job.rate_bps = node_rates(point);
  job.delta = to_picos(control_times(point).set_up(), point.fabric.cycle);
  job.seed = point.seed;
  job.tick = point.fabric.cycle;
  prepared.padded = make(placers(), prepared.policy->placer, "placer")->place(job);
  prepared.placement = without_padding(prepared.padded, prepared.blocks);
  return prepared;
}

ControlTimes control_times(const Point& point) {
  const FabricSettings& fabric = point.fabric;
  return {.mode = point.control.mode == "timetable" ? ControlMode::timetable : ControlMode::confirmed,
          .tuning = fabric.tuning_cycles,
          .locking = fabric.locking_cycles,
          .lead = point.control.lead_cycles,
          .fibre = fabric.fibre_cycles,
          .guard = point.control.guard_cycles,
          .pair_tuning = fabric.pair_tuning_cycles,
          .output_locking = fabric.output_locking_cycles,
          .clock_offset = point.nodes.clock_offset_cycles};
}

}  // namespace ocs
