// Plans without a device: nodes of the two set-ups, words, and the order of the policies.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/plan.hpp"

#include "testbed/experiment/fit/fit.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::resolved;

TEST(Prepare, PutsDedicatedServersOnTheFirstNodesAndWorkersBehindThem) {
  const PreparedJob prepared = prepare(resolved("policy = 'sunflow'").points.at(0));
  EXPECT_EQ(prepared.placement.servers, (std::vector<Node>{Node{0}, Node{1}, Node{2}, Node{3}}));
  ASSERT_EQ(prepared.job.workers.size(), 12u);
  EXPECT_EQ(prepared.job.workers.front(), Node{4});
  EXPECT_EQ(prepared.job.workers.back(), Node{15});
  EXPECT_EQ(prepared.job.candidates.size(), 4u);
}

TEST(Prepare, LetsPsschedulerUseAllNodes) {
  const PreparedJob prepared = prepare(resolved("policy = 'psscheduler'").points.at(0));
  EXPECT_EQ(prepared.job.candidates.size(), 16u);
  EXPECT_EQ(prepared.job.workers.front(), Node{4});
}

TEST(Prepare, PadsBlocksToWordsForThePlanAndKeepsTheirBytesForTheNodes) {
  const PreparedJob prepared =
      prepare(resolved("policy = 'psscheduler'\n[fabric]\nword = '4096 B'\nrate = '6400 Gbit/s'").points.at(0));
  Bytes with, without;
  for (const Shard& shard : prepared.padded.shards) {
    EXPECT_EQ(shard.size.n % 4096, 0);
    with += shard.size;
  }
  for (const Shard& shard : prepared.placement.shards) without += shard.size;
  EXPECT_EQ(without, Bytes{102'228'128});
  EXPECT_EQ(with, total(prepared.job.blocks));
  EXPECT_GT(with, without);
}

TEST(Plan, HasEachWordOfPushAndPull) {
  const PlannedJob planned = plan_job(resolved("policy = 'hlf'").points.at(0));
  std::int64_t words = 0;
  for (const Reservation& r : planned.push.plan.list) words += (r.end - r.up).n;
  EXPECT_EQ(words, 12 * total(planned.prepared.job.blocks).n / 64);
  EXPECT_EQ(planned.pull.problem.now, planned.push.end);
  EXPECT_EQ(planned.push.problem.delta, Ticks{1'953'126});
  EXPECT_GE(planned.pst(), planned.bound());
}

TEST(Plan, IsRefusedWhereMirrorsAreProgrammedInTurn) {
  const std::string four = "policy = 'hlf'\n[fabric]\nprogram_time = '1 ms'\n";
  EXPECT_EQ(test::refusal([&] { plan_job(resolved(four).points.at(0)); }),
            "fabric.program_time is 1 ms, but must be 0 s for a plan without a device: how long a mirror waits for "
            "others depends on what is committed with it");
  EXPECT_NO_THROW(plan_job(resolved(four + "program_lanes = 16").points.at(0)));
}

TEST(Plan, OfPsschedulerIsAtMostThatOfSunflowAndHlfOnTheMainJob) {
  const Experiment experiment = resolved("seed = 1");
  const auto pst = [&](std::size_t k) { return plan_job(experiment.points.at(k)).pst(); };
  ASSERT_EQ(experiment.points[2].policy, "sunflow");
  ASSERT_EQ(experiment.points[3].policy, "hlf");
  for (const std::size_t mine : {0u, 1u})
    for (const std::size_t other : {2u, 3u}) EXPECT_LE(pst(mine), pst(other)) << mine << " against " << other;
}

TEST(Plan, HasBoundsThatItKeeps) {
  for (const char* policy : {"psscheduler", "psscheduler_dedicated", "sunflow", "hlf"}) {
    const Point point = resolved("policy = '" + std::string(policy) + "'\n[job]\niterations = 1").points.at(0);
    const PlannedJob planned = plan_job(point);
    const Ticks relaxed = relaxed_bound(point, planned.prepared.job);
    EXPECT_GT(relaxed, Ticks{0});
    EXPECT_GE(planned.pst(), relaxed) << policy;
    EXPECT_LE(planned.pst().n, relaxed.n + relaxed.n / 2) << policy << ": the bound is worth something";
    EXPECT_GE(planned.pipelined_pst(), planned.pipelined->bound) << policy;
    EXPECT_LE(planned.pipelined_pst(), planned.pst()) << policy << ": on this job overlapping never takes longer";
  }
}

TEST(Plan, RelaxedBoundCountsCircuitsThatLaterIterationsFind) {
  const auto bound = [](const char* iterations) {
    const Point point = resolved("policy = 'sunflow'\n[job]\niterations = " + std::string(iterations)).points.at(0);
    return relaxed_bound(point, prepare(point).job).n;
  };
  const std::int64_t delta = prepare(resolved("policy = 'sunflow'").points.at(0)).job.delta.n / 5120;
  EXPECT_NEAR(static_cast<double>(bound("1") - bound("2")), static_cast<double>(delta), 1);  // two of four phases
}

}  // namespace
}  // namespace ocs
