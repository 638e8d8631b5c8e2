// The experiment file: defaults, axes, what the command line adds, and what a delay becomes on the hardware.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/experiment.hpp"

#include "testbed/experiment/fit/fit.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::resolved;

TEST(Experiment, HasADefaultForEveryKey) {
  const Experiment experiment = resolved("seed = 1");
  ASSERT_EQ(experiment.points.size(), 4u);
  EXPECT_EQ(experiment.settings.size(), experiment_keys().size());
  const Point& point = experiment.points[0];
  EXPECT_EQ(point.name, "x");
  EXPECT_EQ(point.policy, "psscheduler");
  EXPECT_EQ(point.seed, 1u);
  EXPECT_EQ(point.fabric.device, "verilated");
  EXPECT_EQ(point.fabric.ports, 16);
  EXPECT_EQ(point.fabric.rate_bps, 100'000'000'000);
  EXPECT_EQ(point.fabric.word, Bytes{64});
  EXPECT_EQ(point.fabric.cycle, Picos{5120});
  EXPECT_EQ(point.fabric.tuning, Picos{10'000'000'000});
  EXPECT_EQ(point.fabric.tuning_cycles, Cycles{1'953'125});
  EXPECT_EQ(point.fabric.locking_cycles, Cycles{0});
  EXPECT_TRUE(point.fabric.time_warp);
  EXPECT_EQ(point.job.workload->tensors.size(), 161u);
  EXPECT_EQ(point.job.workers, 12);
  EXPECT_EQ(point.job.servers, 4);
  EXPECT_EQ(point.job.sync, "bsp_phase");
  EXPECT_EQ(point.job.iterations, 2);
  EXPECT_EQ(point.job.compute, Picos{100'000'000'000});
  EXPECT_EQ(point.job.payload, "full");
  EXPECT_EQ(point.nodes.transport, "inproc");
  EXPECT_EQ(experiment.points[3].policy, "hlf");
}

TEST(Experiment, ReadsEveryKeyOfTheFile) {
  const Point point = resolved(R"(
    name = "n"
    seed = 7
    policy = "hlf"
    [fabric]
    device = "model"
    ports = 8
    rate = "10 Gbit/s"
    word = "32 B"
    tuning = "11.5 us"
    locking = "3.84 ns"
    time_warp = false
    [job]
    workload = "alexnet"
    workers = 5
    servers = 3
    sync = "bsp_phase"
    iterations = 9
    compute = "1 ms"
    payload = "none"
    [nodes]
    transport = "inproc"
    timeout = "5 s"
  )")
                          .points.at(0);
  EXPECT_EQ(point.name, "n");
  EXPECT_EQ(point.seed, 7u);
  EXPECT_EQ(point.fabric.device, "model");
  EXPECT_EQ(point.fabric.ports, 8);
  EXPECT_EQ(point.fabric.cycle, Picos{25600});
  EXPECT_EQ(point.fabric.tuning_cycles, Cycles{450});
  EXPECT_EQ(point.fabric.locking_cycles, Cycles{1});
  EXPECT_EQ(point.fabric.delta(), Picos{451 * 25600});
  EXPECT_FALSE(point.fabric.time_warp);
  EXPECT_EQ(point.job.workload->name, "alexnet");
  EXPECT_EQ(point.node_count(), 8);
  EXPECT_EQ(point.job.iterations, 9);
  EXPECT_EQ(point.job.compute, Picos{1'000'000'000});
  EXPECT_EQ(point.job.payload, "none");
  EXPECT_EQ(point.nodes.timeout, Picos{5'000'000'000'000});
}

TEST(Experiment, RoundsADelayUpToCyclesAsTheSeamsSay) {
  const Point point = resolved("policy = 'hlf'\n[fabric]\ntuning = '11.5 us'\nlocking = '3.84 ns'").points.at(0);
  EXPECT_EQ(point.fabric.tuning_cycles, Cycles{2247});
  EXPECT_EQ(point.fabric.locking_cycles, Cycles{1});
  EXPECT_EQ(rounding_ppm({3840}, {5120}), 333'334);
  EXPECT_EQ(rounding_ppm({5120}, {5120}), 0);
  EXPECT_EQ(rounding_ppm({0}, {5120}), 0);
}

TEST(Experiment, KnowsTheWordThatKeepsRoundingWithinOnePercent) {
  FabricSettings fabric = resolved("policy = 'hlf'\n[fabric]\ntuning = '3.84 ns'").points.at(0).fabric;
  EXPECT_EQ(word_for_one_percent(fabric), Bytes{48});  // 3840 ps a cycle
  fabric.tuning = {1'000'000};
  fabric.locking = {100'000};
  EXPECT_EQ(word_for_one_percent(fabric), Bytes{60});  // 63 would do, but holds no whole number of parameters
  fabric.tuning = {1};
  EXPECT_EQ(word_for_one_percent(fabric), Bytes{0});  // a byte takes 80 ps
}

TEST(Experiment, RunsTheCrossProductWithTheLastKeyFastest) {
  const Experiment experiment = resolved(R"(
    policy = ["sunflow", "hlf"]
    seed = [1, 2]
    job.workers = [3, 4]
  )");
  std::vector<std::string> order;
  for (const Point& point : experiment.points)
    order.push_back(std::to_string(point.job.workers) + std::to_string(point.seed) + point.policy[0]);
  EXPECT_EQ(order, (std::vector<std::string>{"31s", "31h", "32s", "32h", "41s", "41h", "42s", "42h"}));
}

TEST(Experiment, TakesOverridesOfTheCommandLine) {
  const Point point = resolved("policy = 'hlf'", {"fabric.ports=32", "fabric.device=model", "fabric.time_warp=false",
                                                  "fabric.tuning=20 us", "job.payload='none'", "name=bare words"})
                          .points.at(0);
  EXPECT_EQ(point.fabric.ports, 32);
  EXPECT_EQ(point.fabric.device, "model");
  EXPECT_FALSE(point.fabric.time_warp);
  EXPECT_EQ(point.fabric.tuning, Picos{20'000'000});
  EXPECT_EQ(point.job.payload, "none");
  EXPECT_EQ(point.name, "bare words");
}

TEST(Experiment, LetsTheLastOverrideWin) {
  EXPECT_EQ(resolved("policy = 'hlf'", {"seed=2", "seed=3"}).points.at(0).seed, 3u);
}

TEST(Experiment, TakesAxesOfTheCommandLineWithOrWithoutQuotes) {
  EXPECT_EQ(resolved("seed = 1", {R"(policy=["sunflow", "hlf"])"}).points.size(), 2u);
  const Experiment bare = resolved("seed = 1", {"policy=[sunflow, hlf]", "job.workers=[1,2,3]"});
  EXPECT_EQ(bare.points.size(), 6u);
  EXPECT_EQ(bare.points[5].policy, "hlf");
}

TEST(Experiment, LoadsATableOnceForAllItsPoints) {
  const Experiment experiment = resolved("policy = ['sunflow', 'hlf']");
  EXPECT_EQ(experiment.points[0].job.workload, experiment.points[1].job.workload);
}

TEST(Fit, NamesTheNearestRatesWithAWholeCycle) {
  EXPECT_EQ(nearest_rates(112'000'000'000, {64}), (std::vector<std::int64_t>{102'400'000'000, 125'000'000'000}));
  EXPECT_EQ(nearest_rates(100'000'000'000, {64}), (std::vector<std::int64_t>{100'000'000'000}));
  EXPECT_EQ(nearest_rates(1, {64}).size(), 1u);  // CYCLE_PS holds no longer cycle
  EXPECT_EQ(nearest_rates(512'000'000'000'001, {64}), (std::vector<std::int64_t>{512'000'000'000'000}));  // 1 ps
  for (const std::int64_t rate : nearest_rates(99'999'999'999, {48})) EXPECT_EQ(48 * 8 * 1'000'000'000'000 % rate, 0);
}

TEST(Fit, PadsEachBlock) {
  const Workload table = parse_workload("index,name,shape,elements,bytes\n0,a,17,17,68\n1,b,16,16,64\n", "t", "t");
  JobSettings job;
  job.workload = std::make_shared<const Workload>(table);
  job.servers = 2;
  EXPECT_EQ(total(padded(job_blocks(job, "sunflow"), {64})), Bytes{192});
}

}  // namespace
}  // namespace ocs
