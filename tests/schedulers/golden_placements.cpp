// Placers: the block rule is exact, PSscheduler has an optimum and bounds, and the plans of a given
// placement are exact.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/lists/colour.hpp"
#include "host/scheduler/lists/hlf.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/placers/exact_placer.hpp"
#include "host/scheduler/placers/mxnet_blocks.hpp"
#include "host/scheduler/placers/placement_relaxation.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

Placement placement(const Job& job, const std::vector<Node>& place) {
  Placement placement{place, {}};
  std::sort(placement.servers.begin(), placement.servers.end());
  placement.servers.erase(std::unique(placement.servers.begin(), placement.servers.end()), placement.servers.end());
  for (std::uint32_t k = 0; k < place.size(); ++k)
    placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, place[k]});
  return placement;
}

Problem phase(const Job& job, std::vector<Flow> flows) {
  Problem problem;
  problem.ports = static_cast<int>(job.rate_bps.size());
  problem.delta = delta_ticks(job);
  problem.flows = std::move(flows);
  return problem;
}

/// Pushes, then pulls that start with the circuits which the pushes left established.
PlacementCase::Synchronisation synchronise(const Job& job, const Placement& placed, const Scheduler& rule) {
  const Problem push = phase(job, push_flows(job, placed));
  const Plan pushes = rule.plan(push);
  check_plan(push, pushes);
  Problem pull = phase(job, pull_flows(job, placed));
  pull.now = plan_end(pushes, push.now);
  for (Flow& flow : pull.flows) flow.release = pull.now;
  pull.up = circuits_after(push, pushes);
  const Plan pulls = rule.plan(pull);
  check_plan(pull, pulls);
  const Ticks end = plan_end(pulls, pull.now);
  return {pull.now.n, (end - pull.now).n, end.n};
}

void expect_equal(const PlacementCase::Synchronisation& found, const PlacementCase::Synchronisation& golden,
                  const char* rule) {
  EXPECT_EQ(found.push, golden.push) << rule;
  EXPECT_EQ(found.pull, golden.pull) << rule;
  EXPECT_EQ(found.both, golden.both) << rule;
}

void golden_placements_check_optimum(const PlacementCase& golden, const PlacementCase::Optimum& optimum,
                                     std::int64_t reached) {
  EXPECT_GE(reached, optimum.bound);
  EXPECT_GE(optimum.bound, golden.lp_bound);
  if (golden.job.blocks.size() <= 7 && golden.job.candidates.size() <= 6) {
    EXPECT_EQ(placement_bound(golden.job, ExactPlacer().place(golden.job)).n, optimum.bound);
  }
  const Placement best = placement(golden.job, optimum.place);
  EXPECT_EQ(placement_bound(golden.job, best).n, optimum.bound);
  expect_equal(synchronise(golden.job, best, Sunflow(FlowOrder::src_dst)), optimum.sunflow, "sunflow");
  expect_equal(synchronise(golden.job, best, Hlf()), optimum.hlf, "hlf");
  expect_equal(synchronise(golden.job, best, RotationList()), optimum.rotation, "rotation");
  expect_equal(synchronise(golden.job, best, Colour()), optimum.colour, "colour");
  expect_equal(synchronise(golden.job, best, Sunflow(FlowOrder::longest)), optimum.longest, "longest");
  const auto ours = synchronise(golden.job, best, Psscheduler());
  EXPECT_GE(optimum.push, optimum.bound);
  EXPECT_GE(ours.push, optimum.push);
  EXPECT_EQ(ours.push, std::min({optimum.sunflow.push, optimum.hlf.push, optimum.rotation.push, optimum.colour.push,
                                 optimum.longest.push}));
}

}  // namespace

void check(const BlockCase& golden) {
  const std::vector<Block> blocks = mxnet_blocks(golden.elements, golden.servers, golden.bytes_per_element);
  std::vector<std::int64_t> sizes;
  for (const Block& block : blocks) sizes.push_back(block.size.n);
  EXPECT_EQ(sizes, golden.blocks);
  const std::vector<std::size_t> server = mxnet_servers(blocks, golden.servers);
  EXPECT_EQ(std::vector<std::int64_t>(server.begin(), server.end()), golden.server);
}

void check(const PlacementCase& golden) {
  const Job& job = golden.job;
  const Placement placed = PsschedulerPlacer().place(job);
  const std::int64_t reached = placement_bound(job, placed).n;
  EXPECT_LE(reached, golden.exchange.bound);
  EXPECT_GE(reached, golden.lp_bound);
  // The solver works in floating point; T is compared as an integer, so one tick is all that rounding may cost.
  EXPECT_NEAR(static_cast<double>(relax_placement(job).bound.n), static_cast<double>(golden.lp_bound), 1);
  EXPECT_EQ(placed.servers.size(), job.servers);
  for (const PlacementCase::Reference* reference : {&golden.plain, &golden.exchange}) {
    const Placement theirs = placement(job, reference->place);
    EXPECT_EQ(theirs.servers, reference->opened);
    EXPECT_EQ(placement_bound(job, theirs).n, reference->bound);
  }
  if (golden.optimum) golden_placements_check_optimum(golden, *golden.optimum, reached);
}

}  // namespace ocs::golden
