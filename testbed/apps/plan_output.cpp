// Placement, blocks, reservations and bounds.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/plan_output.hpp"

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <utility>

#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs {
namespace {

std::size_t single(const Outputs& outs) { return outs._Find_first(); }

Json phase_json(const PlannedPhase& phase) {
  Json reservations = Json::array();
  for (const Reservation& r : phase.plan.list) reservations.push_back(to_json(r));
  return {{"start", phase.problem.now.n},
          {"end", phase.end.n},
          {"bound", phase.plan.bound.n},
          {"problem", to_json(phase.problem)},
          {"reservations", std::move(reservations)}};
}

void print_placement(const Point& point, const PreparedJob& prepared) {
  struct Load {
    std::int64_t blocks = 0;
    Bytes bytes;
  };
  std::map<Node, Load> loads;
  for (const Node server : prepared.placement.servers) loads[server];
  for (const Shard& shard : prepared.placement.shards) {
    ++loads[shard.server].blocks;
    loads[shard.server].bytes += shard.size;
  }
  for (const auto& [server, load] : loads)
    std::printf("  server on node %d: %s, %s\n", index(server), counted(load.blocks, "block").c_str(),
                to_text(load.bytes.n, Dimension::size).c_str());
  std::printf("  %5s  %-40s %12s %10s  %s\n", "block", "tensor", "bytes", "words", "server");
  for (const Shard& shard : prepared.placement.shards)
    std::printf("  %5u  %-40s %12lld %10lld  %d\n", shard.block,
                point.job.workload->tensors[prepared.blocks[shard.block].tensor].name.c_str(),
                static_cast<long long>(shard.size.n),
                static_cast<long long>(to_words(shard.size, point.fabric.word.n).n), index(shard.server));
}

/// Of a plan whose ticks are cycles.
std::string time_text(Ticks ticks, Picos cycle) { return human_time(to_picos({ticks.n}, cycle)); }

void print_phase(const char* name, const PlannedPhase& phase, Picos cycle) {
  const auto number = [](const auto& things) { return static_cast<std::int64_t>(things.size()); };
  std::printf("%s: %s, %s, %s; no plan takes less than %s; in cycles, and in time:\n", name,
              counted(number(phase.problem.flows), "flow").c_str(),
              counted(number(phase.plan.list), "reservation").c_str(),
              time_text(phase.end - phase.problem.now, cycle).c_str(), time_text(phase.plan.bound, cycle).c_str());
  std::printf("  %4s %4s %12s %12s %12s %12s %12s\n", "in", "out", "start", "up", "end", "starts at", "ends at");
  for (const Reservation& r : phase.plan.list)
    std::printf("  %4d %4zu %12lld %12lld %12lld %12s %12s\n", index(r.in), single(r.outs),
                static_cast<long long>(r.start.n), static_cast<long long>(r.up.n), static_cast<long long>(r.end.n),
                time_text(r.start, cycle).c_str(), time_text(r.end, cycle).c_str());
}

std::string kind_of_job(const Point& point) {
  if (point.collective()) return "collective " + collective_text(point.job);
  if (point.peers()) return "peers " + point.job.peers;
  return "servers " + point.job.sync;
}

Picos end_of(const Point& paper, const PaperRun& run) {
  Cycles end{0};
  for (const Carried& carried : run.reservations) end = std::max(end, carried.end);
  return to_picos(end, paper.fabric.cycle);
}

}  // namespace

Json plan_json(const Point& point, const PlannedJob& planned) {
  const PreparedJob& prepared = planned.prepared;
  Json servers = Json::array(), blocks = Json::array();
  for (const Node server : prepared.placement.servers) servers.push_back(index(server));
  for (const Shard& shard : prepared.placement.shards) {
    const std::uint32_t tensor = prepared.blocks[shard.block].tensor;
    blocks.push_back({{"block", shard.block},
                      {"tensor", point.job.workload->tensors[tensor].name},
                      {"offset", shard.offset.n},
                      {"bytes", shard.size.n},
                      {"words", to_words(shard.size, point.fabric.word.n).n},
                      {"server", index(shard.server)}});
  }
  const Picos cycle = point.fabric.cycle;
  return {{"policy", point.policy},
          {"placer", placer_of(point).name},
          {"scheduler", scheduler_name(point, *prepared.policy)},
          {"workload", point.job.workload_name},
          {"workers", point.job.workers},
          {"colocated", point.job.colocated},
          {"seed", point.seed},
          {"rate_bps", point.fabric.rate_bps},
          {"delta_ps", point.fabric.delta().n},
          {"cycle_ps", cycle.n},
          {"word_bytes", point.fabric.word.n},
          {"set_up_cycles", control_times(point).set_up().n},
          {"pst_ps", to_picos({planned.pst().n}, cycle).n},
          {"bound_ps", to_picos({planned.bound().n}, cycle).n},
          {"lp_bound_ps", to_picos({relaxed_bound(point, prepared.job).n}, cycle).n},
          {"pst_pipelined_ps", planned.pipelined ? Json(to_picos({planned.pipelined_pst().n}, cycle).n) : Json()},
          {"pipelined_bound_ps", planned.pipelined ? Json(to_picos({planned.pipelined->bound.n}, cycle).n) : Json()},
          {"servers", std::move(servers)},
          {"blocks", std::move(blocks)},
          {"push", phase_json(planned.push)},
          {"pull", phase_json(planned.pull)}};
}

void print_plan(const Point& point, const PlannedJob& planned) {
  const Picos cycle = point.fabric.cycle, pst = to_picos({planned.pst().n}, cycle),
              bound = to_picos({planned.bound().n}, cycle);
  std::printf("%s: placer %s, scheduler %s, workload %s, %s, delta %s\n", point.policy.c_str(),
              std::string(placer_of(point).name).c_str(), scheduler_name(point, *planned.prepared.policy).c_str(),
              point.job.workload_name.c_str(), counted(point.job.workers, "worker").c_str(),
              human_time(point.fabric.delta()).c_str());
  print_placement(point, planned.prepared);
  print_phase("push", planned.push, cycle);
  print_phase("pull", planned.pull, cycle);
  std::printf("PST %s, lower bound %s, ratio %s\n\n", human_time(pst).c_str(), human_time(bound).c_str(),
              bound.n == 0 ? "-" : human_ratio(static_cast<double>(pst.n) / static_cast<double>(bound.n)).c_str());
}

Json paper_json(const Point& paper, const PaperRun& run) {
  Json reservations = Json::array();
  for (const Carried& carried : run.reservations) {
    Reservation done = carried.planned;
    done.start = {carried.start.n};
    done.up = {carried.up.n};
    done.end = {carried.end.n};
    Json json = to_json(done);
    json["words"] = carried.sent.n;
    reservations.push_back(std::move(json));
  }
  const Row& row = run.row;
  return {{"policy", paper.policy},
          {"scheduler", scheduler_name(paper, find(policies(), paper.policy, "policy"))},
          {"job", kind_of_job(paper)},
          {"workload", paper.job.workload_name},
          {"workers", paper.job.workers},
          {"iterations", paper.job.iterations},
          {"seed", paper.seed},
          {"rate_bps", paper.fabric.rate_bps},
          {"delta_ps", paper.fabric.delta().n},
          {"cycle_ps", paper.fabric.cycle.n},
          {"word_bytes", paper.fabric.word.n},
          {"planes", paper.fabric.planes},
          {"set_up_cycles", control_times(paper).set_up().n},
          {"end_ps", end_of(paper, run).n},
          {"words", row.words_passed},
          {"reservations", std::move(reservations)}};
}

void print_paper(const Point& paper, const PaperRun& run) {
  std::printf("%s: scheduler %s, %s, workload %s, %s, delta %s\n", paper.policy.c_str(),
              scheduler_name(paper, find(policies(), paper.policy, "policy")).c_str(), kind_of_job(paper).c_str(),
              paper.job.workload_name.c_str(), counted(paper.job.workers, "worker").c_str(),
              human_time(paper.fabric.delta()).c_str());
  const bool planes = paper.fabric.planes > 1;
  std::printf("on paper, one iteration: %zu reservations, the last one ends at %s; in cycles, and in time:\n",
              run.reservations.size(), human_time(end_of(paper, run)).c_str());
  std::printf("  %s%4s %4s %12s %12s %12s %12s %12s %12s\n", planes ? "plane " : "", "in", "out", "start", "up", "end",
              "starts at", "ends at", "words");
  const Picos cycle = paper.fabric.cycle;
  for (const Carried& carried : run.reservations) {
    const Reservation& r = carried.planned;
    if (planes) std::printf("  %5d", index(r.plane));
    std::printf("  %4d %4s %12lld %12lld %12lld %12s %12s %12lld\n", index(r.in), ports_text(r.outs).c_str(),
                static_cast<long long>(carried.start.n), static_cast<long long>(carried.up.n),
                static_cast<long long>(carried.end.n), human_time(to_picos(carried.start, cycle)).c_str(),
                human_time(to_picos(carried.end, cycle)).c_str(), static_cast<long long>(carried.sent.n));
  }
  std::printf("\n");
}

}  // namespace ocs
