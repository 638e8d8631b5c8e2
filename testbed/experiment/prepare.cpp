// Blocks, nodes and rates of a point, placed by its policy.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/prepare.hpp"

#include <algorithm>
#include <tuple>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/placers/check_placement.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {
namespace {

bool before(const Shard& a, const Shard& b) { return std::tie(a.block, a.offset) < std::tie(b.block, b.offset); }

Node node(int v) { return static_cast<Node>(v); }

std::vector<std::int64_t> node_rates(const Point& point) {
  std::vector<std::int64_t> rates(static_cast<std::size_t>(point.node_count()), point.fabric.rate_bps);
  const std::vector<Cycles>& cycles = point.nodes.word_cycles;
  for (std::size_t v = 0; v < cycles.size(); ++v) rates[v] /= cycles[v].n;
  return rates;
}

/// A placement of a file of plans. @throws BrokenRule (input)
void check_given(const Placement& given, Job job, const std::vector<Block>& blocks, const std::string& name) {
  job.blocks = blocks;
  try {
    check_placement(job, given, ErrorKind::input);
  } catch (const BrokenRule& broken) {
    throw BrokenRule(ErrorKind::input, broken.rule(), name + ", breaks the rule \"placement\": " + broken.what());
  }
}

/// The placement with each block padded to whole words.
Placement with_padding(Placement placement, Bytes word) {
  for (Shard& shard : placement.shards) shard.size = {to_words(shard.size, word.n).n * word.n};
  return placement;
}

/// The same placement of the blocks without their padding.
Placement without_padding(Placement placement, const std::vector<Block>& blocks) {
  for (Shard& shard : placement.shards)
    shard.size.n = std::min(shard.size.n, blocks.at(shard.block).size.n - shard.offset.n);
  std::erase_if(placement.shards, [](const Shard& shard) { return shard.size.n <= 0; });
  return placement;
}

}  // namespace

const PlacerEntry& placer_of(const Point& point) {
  if (point.own_placer) return *point.own_placer;
  const std::string_view name = point.placer.empty() ? find(policies(), point.policy, "policy").placer : point.placer;
  return find(placers(), name, "placer");
}

PreparedJob prepare(const Point& point) {
  if (point.arrivals())
    throw Error(ErrorKind::input,
                "coflows that arrive over time have no one plan; `lightloop run` plans them as they come");
  if (point.peers())
    throw Error(ErrorKind::input,
                "job.peers is \"" + point.job.peers +
                    "\": without servers there is nothing to place; `lightloop run` plans each round");
  if (point.collective())
    throw Error(ErrorKind::input, "job.collective is \"" + point.job.collective +
                                      "\": without servers there is nothing to place; `lightloop run` plans each leg");
  PreparedJob prepared{
      .policy = &find(policies(), point.policy, "policy"), .job = {}, .padded = {}, .blocks = {}, .placement = {}};
  prepared.blocks = job_blocks(point.job, point.policy);
  Job& job = prepared.job;
  const int servers = point.job.servers;
  const OutsideScheduler* outside = point.planning.outside.get();
  const bool placed = outside != nullptr && outside->plan && outside->plan->placement;
  for (int v = point.job.colocated ? 0 : servers; v < point.node_count(); ++v) job.workers.push_back(node(v));
  for (int v = 0; v < (prepared.policy->any_node || placed ? point.node_count() : servers); ++v)
    job.candidates.push_back(node(v));
  job.servers = static_cast<std::size_t>(servers);
  job.blocks = padded(prepared.blocks, point.fabric.word);
  job.rate_bps = node_rates(point);
  job.delta = to_picos(control_times(point).set_up(), point.fabric.cycle);
  job.seed = point.seed;
  job.tick = point.fabric.cycle;
  job.word = point.fabric.word;
  if (placed) {
    prepared.placement = *outside->plan->placement;
    std::stable_sort(prepared.placement.shards.begin(), prepared.placement.shards.end(), before);
    check_given(prepared.placement, job, prepared.blocks, outside->name);
    prepared.padded = with_padding(prepared.placement, point.fabric.word);
    return prepared;
  }
  prepared.padded = placer_of(point).make()->place(job);
  check_placement(job, prepared.padded, ErrorKind::internal);
  prepared.placement = without_padding(prepared.padded, prepared.blocks);
  return prepared;
}

ControlTimes control_times(const Point& point) {
  const FabricSettings& fabric = point.fabric;
  return {.mode = point.control.mode == "timetable" ? ControlMode::timetable : ControlMode::confirmed,
          .tuning = fabric.tuning_cycles,
          .locking = fabric.locking_cycles,
          .lead = point.control.lead_cycles,
          .fibre = fabric.fibres,
          .guard = point.control.guard_cycles,
          .pair_tuning = fabric.pair_tuning_cycles,
          .output_locking = fabric.output_locking_cycles,
          .clock_offset = point.nodes.clock_offset_cycles,
          .clock_drift = point.nodes.clock_drift,
          .clock_sync = point.nodes.clock_sync_cycles,
          .programming = fabric.program_cycles,
          .lanes = fabric.program_lanes};
}

Cycles longest_set_up(const Point& point) { return control_times(point).set_up() + point.fabric.longest_programming(); }

}  // namespace ocs
