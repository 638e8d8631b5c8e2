// Peers that go on by themselves: what falls out of a plan is stopped on the switch, and never averaged.
// SPDX-License-Identifier: Apache-2.0
#include "tests/peers/models.hpp"
#include "tests/peers/support.hpp"

namespace ocs::test {
namespace {

/// Computing takes about as long as a few models, and not everybody as long: plans meet one another.
const std::vector<std::int64_t> uneven = {2, 9, 1, 14, 4, 40, 3};

PeerSettings going_on(Layer layer) {
  PeerSettings settings;
  settings.p = 1;
  settings.s = 2;
  settings.k = 6;
  settings.layer = layer;
  return settings;
}

TEST(Aborts, LeaveMeansOfWholeModelsToTheBit) {
  for (const Layer layer : {Layer::network, Layer::application}) {
    SCOPED_TRACE(layer == Layer::network ? "L3" : "L7");
    PeerSettings settings = going_on(layer);
    if (layer == Layer::application) settings.s = 0;  // who waits for the slowest has time to send more
    const ModelRun all = run_models("selmcast_ssp", settings,
                                    layer == Layer::network ? uneven : std::vector<std::int64_t>{2, 3, 1, 5, 4, 8, 3});
    expect_exact(all);
    EXPECT_GT(all.result.aborted, 0) << "nothing was aborted, so nothing is shown";
    // what was to be sent was averaged, or had been aborted, or came too late or twice
    EXPECT_EQ(all.result.pairs, all.result.job.sync.updates + all.result.aborted + all.result.unused);
  }
}

TEST(Aborts, AreTheSameInEveryRun) {
  const ModelRun one = run_models("selmcast_ssp", going_on(Layer::network), uneven);
  const ModelRun other = run_models("selmcast_ssp", going_on(Layer::network), uneven, "ipc://@lightloop-aborts-test-");
  EXPECT_EQ(one.means, other.means);
  EXPECT_EQ(one.result.job.end, other.result.job.end);
}

TEST(Aborts, LetNobodyBeFurtherAheadThanAllowed) {
  const ModelRun all = run_models("selmcast_ssp", going_on(Layer::network), uneven);
  EXPECT_LE(all.result.job.sync.clock_gap, 2u);
  EXPECT_GE(all.result.job.sync.clock_gap, 1u);
}

TEST(Aborts, AreTheSameOnModelAndVerilated) {
  const std::vector<std::string> job = {"job.iterations=12",
                                        "peers.p=1",
                                        "peers.s=2",
                                        "peers.k=6",
                                        "job.compute=10 us",
                                        "fabric.tuning=1 us",
                                        "compute.jitter=uniform 60 %",
                                        "job.payload=full"};
  const Row right = run_point(peer_job("selmcast_ssp", 6, 400, job), {});
  EXPECT_GT(right.schemes->dropped, 0);
  EXPECT_EQ(right.sum_errors, 0);
  EXPECT_EQ(right.crc_errors, 0);
  EXPECT_EQ(right.words_lost, 0);
  EXPECT_EQ(right.words_unrouted, 0);
  EXPECT_EQ(right.words_misrouted, 0);
  std::vector<std::string> model = job;
  model.emplace_back("fabric.device=model");
  const Row same = run_point(peer_job("selmcast_ssp", 6, 400, model), {});
  EXPECT_EQ(same.event_log_hash, right.event_log_hash);
  EXPECT_EQ(same.sim_time, right.sim_time);
  EXPECT_EQ(same.schemes->dropped, right.schemes->dropped);
}

TEST(Aborts, GoWithEverySchedulerThatKnowsPriorities) {
  for (const char* policy : {"sunflow_inter", "sunflow_fifo", "sunflow_fair", "multicast"}) {
    const Row row = run_point(peer_job("selmcast_ssp", 6, 400,
                                       {"job.iterations=12", "peers.p=1", "peers.s=0", "peers.layer=L7",
                                        "job.compute=10 us", "fabric.tuning=1 us", "compute.jitter=uniform 60 %",
                                        "job.payload=full", "policy=" + std::string(policy)}),
                              {});
    EXPECT_GT(row.schemes->dropped, 0) << policy;
    EXPECT_EQ(row.sum_errors + row.crc_errors, 0) << policy;
    EXPECT_EQ(row.words_lost + row.words_unrouted + row.words_misrouted, 0) << policy;
  }
}

}  // namespace
}  // namespace ocs::test
