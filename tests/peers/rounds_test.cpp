// Rounds of peers over the Verilated switch, to the cycle; delta = T + L + 1.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/peers/support.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t compute = 100'000'000;  // ps
constexpr std::int64_t rounds_words = 1000;

constexpr std::int64_t rounds_tau = rounds_words + delta_cycles;

/// Cycles of the first round's exchange.
std::int64_t exchange(const std::string& peers, const std::vector<std::string>& more) {
  std::vector<std::string> all = {"job.iterations=1"};
  all.insert(all.end(), more.begin(), more.end());
  const Row row = run_point(peer_job(peers, 8, rounds_words, all), {});
  EXPECT_EQ(row.words_lost, 0);
  EXPECT_EQ(row.words_unrouted, 0);
  EXPECT_EQ(row.words_misrouted, 0);
  const std::int64_t begin = (compute + cycle_ps - 1) / cycle_ps;  // the plan is made in the next cycle
  return row.sim_time.n / cycle_ps - begin;
}

TEST(Rounds, OfAFullMeshAreOneMulticastAfterAnother) { EXPECT_EQ(exchange("mesh", {}), 8 * rounds_tau); }

TEST(Rounds, TakeTheMakespansOfThePlans) {
  EXPECT_EQ(exchange("selmcast", {"peers.p=2"}), 4 * rounds_tau);
  EXPECT_EQ(exchange("selmcast", {"peers.p=2", "peers.layer=L7"}), 4 * rounds_tau);
}

TEST(Rounds, AreTheSameOnEveryDeviceWarpedOrNot) {
  const std::vector<std::string> job = {"job.iterations=2", "peers.p=2", "fabric.ports=4"};
  const Row right = run_point(peer_job("selmcast", 4, 100, job), {});
  ASSERT_TRUE(right.event_log_hash);
  EXPECT_GT(right.events, 0);
  for (const char* const other : {"fabric.device=model", "fabric.device=verilated", "fabric.time_warp=false"}) {
    std::vector<std::string> more = job;
    more.emplace_back(other);
    const Row row = run_point(peer_job("selmcast", 4, 100, more), {});
    EXPECT_EQ(row.event_log_hash, right.event_log_hash) << other;
    EXPECT_EQ(row.sim_time, right.sim_time) << other;
  }
}

TEST(Rounds, DontDependOnPayloadOrLayerOfPayload) {
  const std::vector<std::string> job = {"job.iterations=3", "peers.p=2", "fabric.device=model"};
  std::optional<std::uint64_t> hash;
  for (const char* payload : {"none", "digest", "full"}) {
    std::vector<std::string> more = job;
    more.push_back(std::string("job.payload=") + payload);
    const Row row = run_point(peer_job("selmcast", 6, 3000, more), {});
    if (hash) {
      EXPECT_EQ(row.event_log_hash, hash) << payload;
    }
    hash = row.event_log_hash;
    EXPECT_EQ(row.crc_errors, 0) << payload;
    EXPECT_EQ(row.sum_errors, 0) << payload;
  }
}

TEST(Rounds, ServeEveryPairOnceInKPlusOne) {
  const Row row = run_point(peer_job("selmcast", 8, 10, {"job.iterations=40", "peers.p=1", "peers.k=3"}), {});
  // 56 pairs, each at least every fourth round; of the first rounds, none is due
  EXPECT_GE(row.schemes->updates, 56 * 10);
}

TEST(Rounds, OfOneSelectionAreNamedInTheRow) {
  const Row row = run_point(peer_job("random", 4, 10, {"peers.p=2", "peers.layer=L7"}), {});
  EXPECT_EQ(row.sync, "random");
  EXPECT_EQ(row.sync_settings, "p=2 k=4 layer=L7 delta=1");
  EXPECT_EQ(row.schemes->updates, 2 * 4 * 2);
  EXPECT_EQ(row.schemes->staleness_max, 0);
}

}  // namespace
}  // namespace ocs::test
