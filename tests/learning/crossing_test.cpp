// Real gradients over a network without hardware: every scheme, words that are lost, servers on workers' nodes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <string>

#include "testbed/learning/random.hpp"
#include "testbed/sync/catalogue.hpp"
#include "tests/learning/small_pictures.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

/// Weights on the first server, biases on the last one; chunks of two words; compute times that differ.
JobSpec learning_job(const std::string& sync, int workers, int servers, bool colocate = false) {
  JobSpec spec = small_job(workers, servers, colocate);
  constexpr std::int64_t weights = 160 * 4, biases = 10 * 4;
  spec.blocks = {{Bytes{weights}, 0}, {Bytes{biases}, 1}};
  const Node last{static_cast<std::uint16_t>(servers - 1)};
  spec.placement.shards = {{0, Bytes{0}, Bytes{weights}, Node{0}}, {1, Bytes{0}, Bytes{biases}, last}};
  spec.iterations = 8;
  spec.chunk = Bytes{128};
  spec.compute_of = [](std::size_t w, std::uint32_t k) {
    return Picos{static_cast<std::int64_t>(40'000'000 + (w * 7 + k * 3) % 5 * 9'000'000)};
  };
  spec.sync = sync;
  spec.sync_settings.p = static_cast<std::uint32_t>(workers > 1 ? workers - 1 : 1);
  spec.learning = LearningJob{};
  spec.learning->loaded = test::small_pictures();
  spec.learning->batch = 8;
  spec.learning->every = 1;
  return spec;
}

/// Of a transfer's first two attempts some words are lost, drawn by transfer.
std::vector<WordRun> some_lost(const Transfer& transfer, Words words) {
  Draws draws(index(transfer.id));
  if (transfer.sent_before >= 2 || draws.below(2) == 0) return {{Words{0}, words}};
  const Words cut{static_cast<std::int64_t>(draws.below(static_cast<std::uint64_t>(words.n)))};
  std::vector<WordRun> runs;
  if (cut.n > 0) runs.push_back({Words{0}, cut});
  if (cut.n + 1 < words.n) runs.push_back({cut + Words{1}, words - cut - Words{1}});
  return runs;
}

JobResult run(const JobSpec& spec, bool lossy = false) {
  FakeNetwork network(spec.word_bytes);
  if (lossy) network.set_fate(some_lost);
  return run_job(spec, network);
}

std::vector<Score> scores(const JobResult& result) {
  std::vector<Score> all;
  for (const CurvePoint& point : result.learning->curve) all.push_back(point.score);
  return all;
}

TEST(Crossing, LearnsWithEverySchemeWhereverServersAre) {
  for (const SyncEntry& scheme : sync_schemes())
    for (const bool colocate : {false, true})
      for (const int servers : {1, 2}) {
        const JobResult result = run(learning_job(std::string(scheme.name), 3, servers, colocate));
        const std::string what =
            std::string(scheme.name) + (colocate ? ", colocated, " : ", ") + std::to_string(servers);
        EXPECT_EQ(result.crc_errors, 0) << what;
        EXPECT_EQ(result.learning->curve.back().updates, static_cast<std::uint64_t>(result.sync.updates)) << what;
        EXPECT_LT(result.learning->curve.back().score.loss, 0.95 * result.learning->curve.front().score.loss) << what;
      }
}

TEST(Crossing, GivesOneWorkerTheSameBitsWhateverIsLost) {
  for (const SyncEntry& scheme : sync_schemes()) {
    if (scheme.compute == ComputeStart::local_steps) continue;  // what it has merged depends on time
    const JobSpec spec = learning_job(std::string(scheme.name), 1, 2);
    const JobResult whole = run(spec), lossy = run(spec, true);
    EXPECT_GT(lossy.words_retransmitted, 0) << scheme.name;
    EXPECT_EQ(scores(lossy), scores(whole)) << scheme.name;
    EXPECT_GT(lossy.end, whole.end) << scheme.name;
  }
}

TEST(Crossing, GivesRoundsTheSameBitsWhateverIsLost) {
  for (const char* scheme : {"bsp", "bsp_phase"}) {
    const JobSpec spec = learning_job(scheme, 4, 2);
    const JobResult whole = run(spec), lossy = run(spec, true);
    EXPECT_GT(lossy.words_retransmitted, 0) << scheme;
    EXPECT_EQ(scores(lossy), scores(whole)) << scheme;
  }
}

TEST(Crossing, LearnsWithEverySchemeThroughLosses) {
  for (const SyncEntry& scheme : sync_schemes()) {
    const JobSpec spec = learning_job(std::string(scheme.name), 4, 2);
    const JobResult first = run(spec, true), again = run(spec, true);
    EXPECT_GT(first.words_retransmitted, 0) << scheme.name;
    EXPECT_EQ(first.crc_errors, 0) << scheme.name;
    EXPECT_EQ(first.learning->curve, again.learning->curve) << scheme.name << ": threads decide nothing";
    EXPECT_LT(first.learning->curve.back().score.loss, 0.95 * first.learning->curve.front().score.loss) << scheme.name;
  }
}

}  // namespace
}  // namespace ocs
