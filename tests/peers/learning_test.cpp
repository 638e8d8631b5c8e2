// Peers that learn: their curve is that of the same steps and means in one thread, and the worst of those scored.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/classifier.hpp"
#include "testbed/learning/shards.hpp"
#include "testbed/learning/vectors.hpp"
#include "tests/learning/small_pictures.hpp"
#include "tests/peers/models.hpp"

namespace ocs::test {
namespace {

constexpr std::uint64_t seed = 1;                 // PeerSpec's
constexpr std::size_t replicas[] = {0, 1, 3, 4};  // four of six, evenly spread

LearningJob learning_of(ShardKind shards, std::uint64_t every) {
  LearningJob learning;
  learning.loaded = small_pictures();
  learning.shards = shards;
  learning.batch = 8;
  learning.every = every;
  return learning;
}

ModelRun learn(const std::string& policy, const LearningJob& learning, const std::vector<std::int64_t>& compute_us,
               const std::string& endpoint = "inproc://node-") {
  PeerSettings settings;
  settings.p = 2;
  return run_models(policy, settings, compute_us, endpoint, learning);
}

/// The models after each mean, by hand.
std::map<std::pair<std::size_t, std::uint32_t>, std::vector<float>> means_of(const ModelRun& run,
                                                                             const LearningJob& learning) {
  const Dataset& data = *learning.loaded;
  Classifier classifier(learning.model, data.inputs);
  std::vector<Batches> batches;
  for (std::size_t w = 0; w < model_peers; ++w)
    batches.emplace_back(shard_of(data.train.labels, learning.shards, w, model_peers, seed), seed, w);
  std::vector<float> gradient(classifier.parameters());
  return literally(run.orders, classifier.start(seed), [&](std::size_t w, std::uint32_t, std::span<float> model) {
    classifier.gradient(model, data, batches[w].next(learning.batch), gradient);
    subtract(model, static_cast<float>(learning.rate()), std::span<const float>(gradient));
  });
}

/// How many means each has taken by then.
std::map<std::size_t, std::uint32_t> taken_by(const ModelRun& run, Picos at) {
  std::map<std::size_t, std::uint32_t> taken;
  for (const Order& order : run.orders) taken[order.self] += order.at <= at ? 1 : 0;
  return taken;
}

void expect_curve_by_hand(const ModelRun& run, const LearningJob& learning) {
  EXPECT_EQ(run.result.job.crc_errors, 0);
  const auto means = means_of(run, learning);
  Classifier classifier(learning.model, learning.loaded->inputs);
  const auto& curve = run.result.job.learning->curve;
  std::uint64_t before = 0;
  for (std::size_t k = 0; k < curve.size(); ++k) {
    std::uint64_t all = 0;
    auto taken = taken_by(run, k == 0 ? Picos{-1} : curve[k].at);
    for (const auto& [peer, rounds] : taken) all += rounds;
    EXPECT_EQ(curve[k].updates, all) << "point " << k;
    EXPECT_TRUE(k == 0 || all / learning.every > before / learning.every || k + 1 == curve.size());
    before = all;
    Score worst{0, 1};
    for (const std::size_t peer : replicas) {
      const Score score = classifier.score(
          taken[peer] == 0 ? classifier.start(seed) : means.at({peer, taken[peer] - 1}), *learning.loaded);
      worst = {std::max(worst.loss, score.loss), std::min(worst.accuracy, score.accuracy)};
    }
    EXPECT_EQ(curve[k].score, worst) << "point " << k;
  }
  EXPECT_EQ(curve.back().updates, model_peers * model_rounds);
  EXPECT_EQ(run.result.job.learning->samples, std::vector<std::int64_t>(model_peers, 8 * model_rounds));
  EXPECT_LT(curve.back().score.loss, 0.95 * curve.front().score.loss);
}

TEST(LearningPeers, HaveTheCurveOfTheSameStepsInOneThread) {
  for (const char* policy : {"selmcast", "random", "mesh", "selmcast_ssp"})
    for (const ShardKind shards : {ShardKind::iid, ShardKind::sorted}) {
      SCOPED_TRACE(std::string(policy) + (shards == ShardKind::iid ? ", iid" : ", sorted"));
      const LearningJob learning = learning_of(shards, 7);
      expect_curve_by_hand(learn(policy, learning, {20, 30, 5}), learning);
    }
}

TEST(LearningPeers, AreScoredAtTheInstantsThatAreDueAndInTheEnd) {
  const auto updates = [](const std::string& policy, std::uint64_t every) {
    std::vector<std::uint64_t> all;
    const ModelRun run = learn(policy, learning_of(ShardKind::iid, every), {20, 30, 5});
    for (const CurvePoint& point : run.result.job.learning->curve) all.push_back(point.updates);
    return all;
  };
  EXPECT_EQ(updates("selmcast", 30), (std::vector<std::uint64_t>{0, 30, 60, 72}));
  EXPECT_EQ(updates("selmcast", 25), (std::vector<std::uint64_t>{0, 30, 54, 72}));  // rounds of six
  EXPECT_EQ(updates("selmcast", 1000), (std::vector<std::uint64_t>{0, 72}));
  EXPECT_EQ(updates("selmcast", 0), (std::vector<std::uint64_t>{0, 30, 60, 72}));  // five rounds
}

TEST(LearningPeers, LearnTheSameOverEveryTransport) {
  const LearningJob learning = learning_of(ShardKind::sorted, 6);
  for (const char* policy : {"selmcast", "selmcast_ssp"}) {
    const ModelRun threads = learn(policy, learning, {20, 30, 5});
    const ModelRun sockets = learn(policy, learning, {20, 30, 5}, "ipc://@lightloop-learning-peers-test-");
    EXPECT_EQ(threads.result.job.learning->curve, sockets.result.job.learning->curve) << policy;
  }
}

}  // namespace
}  // namespace ocs::test
