// An all_reduce of real gradients: the sums of its list in one thread, bit by bit, and one model at all ranks.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/collectives/sum_order.hpp"
#include "testbed/learning/vectors.hpp"
#include "testbed/nodes/payload/payload_roles.hpp"
#include "tests/learning/small_pictures.hpp"
#include "tests/nodes/fake_network.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;
using Vector = std::vector<float>;

constexpr std::int64_t parameters = 170;    // softmax on pictures of 16 pixels
constexpr std::int64_t word_elements = 16;  // of 64 bytes
constexpr std::uint32_t iterations = 9, batch = 8;

CollectiveSpec learning_spec(std::string_view algorithm, int ranks, ShardKind shards = ShardKind::sorted) {
  CollectiveSpec spec;
  spec.list = make_collective(CollectiveKind::all_reduce, algorithm, ranks);
  spec.gradient = Bytes{parameters * 4};
  spec.sizes = sizes_of(spec.list, to_words(spec.gradient, spec.word_bytes));
  spec.legs = legs_of(spec.list, spec.sizes, 1);
  spec.iterations = iterations;
  spec.compute = [](std::size_t w, std::uint32_t k) {
    return Picos{static_cast<std::int64_t>(40'000 + (w * 7 + k * 3) % 5 * 9'000)};
  };
  spec.learning = LearningJob{};
  spec.learning->loaded = small_pictures();
  spec.learning->shards = shards;
  spec.learning->batch = batch;
  spec.learning->every = 1;
  return spec;
}

CollectiveResult learn(const CollectiveSpec& spec) {
  FakeNetwork network(spec.word_bytes);
  return run_collective_job(spec, network);
}

/// The sum of all ranks' numbers at place `at`, in block `block`, as the algorithm's definition has it.
using SumOf = std::function<float(const std::vector<Vector>& numbers, std::size_t block, std::size_t at)>;

/// Round the ring from the block's own rank on.
float ring_sum(const std::vector<Vector>& numbers, std::size_t block, std::size_t at) {
  const std::size_t n = numbers.size();
  float sum = numbers[block % n][at];
  for (std::size_t k = 1; k < n; ++k) sum += numbers[(block + k) % n][at];
  return sum;
}

/// In pairs at `distances`, one after the other: what rank r has then.
float paired_sum(const std::vector<Vector>& numbers, std::vector<std::size_t> distances, std::size_t r,
                 std::size_t at) {
  if (distances.empty()) return numbers[r][at];
  const std::size_t last = distances.back();
  distances.pop_back();
  return paired_sum(numbers, distances, r, at) + paired_sum(numbers, distances, r ^ last, at);
}

float halving_sum(const std::vector<Vector>& numbers, std::size_t block, std::size_t at) {
  std::vector<std::size_t> distances;
  for (std::size_t h = numbers.size() / 2; h > 0; h /= 2) distances.push_back(h);
  return paired_sum(numbers, distances, block, at);
}

float doubling_sum(const std::vector<Vector>& numbers, std::size_t, std::size_t at) {
  std::vector<std::size_t> distances;
  for (std::size_t h = 1; h < numbers.size(); h *= 2) distances.push_back(h);
  return paired_sum(numbers, distances, 0, at);
}

/// The block that has each parameter.
std::vector<std::size_t> blocks_of(const CollectiveSpec& spec) {
  std::vector<std::size_t> blocks;
  for (std::size_t b = 0; b < spec.sizes.size(); ++b)
    blocks.insert(blocks.end(), static_cast<std::size_t>(spec.sizes[b].n * word_elements), b);
  blocks.resize(parameters);
  return blocks;
}

/// Without network or rank.
std::vector<Score> by_hand(const CollectiveSpec& spec, const SumOf& sum_of) {
  const Dataset& data = *spec.learning->loaded;
  const std::size_t ranks = spec.list.ranks;
  Classifier classifier(ModelKind::softmax, data.inputs);
  Vector model = classifier.start(spec.seed);
  std::vector<Batches> batches;
  for (std::size_t w = 0; w < ranks; ++w)
    batches.emplace_back(shard_of(data.train.labels, spec.learning->shards, w, ranks, spec.seed), spec.seed, w);
  std::vector<Score> all{classifier.score(model, data)};
  const std::vector<std::size_t> blocks = blocks_of(spec);
  for (std::uint32_t k = 0; k < iterations; ++k) {
    std::vector<Vector> gradients(ranks, Vector(parameters));
    for (std::size_t w = 0; w < ranks; ++w) classifier.gradient(model, data, batches[w].next(batch), gradients[w]);
    Vector sum(parameters);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] = sum_of(gradients, blocks[i], i);
    subtract(model, static_cast<float>(spec.learning->rate() / static_cast<double>(ranks)),
             std::span<const float>(sum));
    all.push_back(classifier.score(model, data));
  }
  return all;
}

std::vector<Score> scores(const CollectiveResult& result) {
  std::vector<Score> all;
  for (const CurvePoint& point : result.job.learning->curve) all.push_back(point.score);
  return all;
}

TEST(LearningRanks, HaveTheCurveOfTheirListsSumsInOneThread) {
  const std::vector<std::pair<std::string, SumOf>> forms = {
      {"ring", ring_sum}, {"halving_doubling", halving_sum}, {"recursive_doubling", doubling_sum}};
  for (const auto& [name, form] : forms)
    for (const int ranks : {2, 4, 8})
      for (const ShardKind shards : {ShardKind::iid, ShardKind::sorted}) {
        SCOPED_TRACE(name + ", " + std::to_string(ranks) + (shards == ShardKind::iid ? ", iid" : ", sorted"));
        const CollectiveSpec spec = learning_spec(name, ranks, shards);
        const CollectiveResult result = learn(spec);
        EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0);
        EXPECT_EQ(scores(result), by_hand(spec, form));
        EXPECT_LT(result.job.learning->curve.back().score.loss, 0.95 * result.job.learning->curve.front().score.loss);
      }
}

/// Another order of sums is another curve, in the last bits: what the forms above are compared with isn't alike.
TEST(LearningRanks, AddInTheOrderOfTheirList) {
  const CollectiveSpec spec = learning_spec("ring", 8);
  EXPECT_NE(by_hand(spec, ring_sum), by_hand(spec, halving_sum));
}

TEST(LearningRanks, CountAllGradientsOfAnIteration) {
  const CollectiveResult result = learn(learning_spec("ring", 5));
  const LearningResult& learned = *result.job.learning;
  ASSERT_EQ(learned.curve.size(), iterations + 1);
  for (std::size_t k = 0; k < learned.curve.size(); ++k) {
    EXPECT_EQ(learned.curve[k].updates, 5 * k);
    EXPECT_EQ(learned.curve[k].at, k == 0 ? Picos{0} : result.ends[k - 1]);
  }
  EXPECT_EQ(learned.samples, std::vector<std::int64_t>(5, std::int64_t{iterations} * batch));
}

TEST(LearningRanks, AreScoredEveryFiveRoundsUnlessMoreIsSaid) {
  const auto updates = [](std::uint64_t every) {
    CollectiveSpec spec = learning_spec("ring", 3);
    spec.learning->every = every;
    std::vector<std::uint64_t> all;
    const CollectiveResult result = learn(spec);
    for (const CurvePoint& point : result.job.learning->curve) all.push_back(point.updates);
    return all;
  };
  EXPECT_EQ(updates(0), (std::vector<std::uint64_t>{0, 15, 27}));
  EXPECT_EQ(updates(10), (std::vector<std::uint64_t>{0, 12, 21, 27}));
  EXPECT_EQ(updates(1000), (std::vector<std::uint64_t>{0, 27}));
}

TEST(LearningRanks, LearnTheSameThroughLosses) {
  for (const char* algorithm : {"ring", "halving_doubling"}) {
    CollectiveSpec spec = learning_spec(algorithm, 4);
    spec.attempts = 8;
    const CollectiveResult whole = learn(spec);
    FakeNetwork network(spec.word_bytes);
    network.set_fate([](const Transfer& transfer, Words words) {
      const bool torn = transfer.sent_before == 0 && index(transfer.id) % 3 == 0 && words.n > 1;
      return std::vector<WordRun>{{Words{torn ? 1 : 0}, torn ? words - Words{1} : words}};
    });
    const CollectiveResult lossy = run_collective_job(spec, network);
    EXPECT_GT(lossy.job.words_retransmitted, 0);
    EXPECT_EQ(scores(lossy), scores(whole)) << algorithm;
    EXPECT_GT(lossy.job.end, whole.job.end);
  }
}

TEST(LearningRanks, LearnTheSameOverEveryTransport) {
  for (const char* algorithm : {"ring", "swing", "bruck"}) {
    CollectiveSpec spec = learning_spec(algorithm, 4);
    const CollectiveResult threads = learn(spec);
    spec.endpoint = "ipc://@lightloop-learning-ranks-test-";
    EXPECT_EQ(learn(spec).job.learning->curve, threads.job.learning->curve) << algorithm;
  }
}

TEST(LearningRanks, DontGoWithAListThatLeavesOtherSums) {
  CollectiveSpec spec = learning_spec("ring", 4);
  spec.list.steps.pop_back();  // the last blocks stay what they were, at every rank another one
  spec.legs = legs_of(spec.list, spec.sizes, 1);
  try {
    learn(spec);
    FAIL() << "it ended";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("should be an all_reduce that adds alike at every rank"));
  }
}

TEST(LearningRanks, NeedBlocksOfTheirGradient) {
  const auto refused = [](const auto& change) -> std::string {
    CollectiveSpec spec = learning_spec("ring", 4);
    change(spec);
    try {
      learn(spec);
    } catch (const Error& error) {
      return error.what();
    }
    return "run";
  };
  EXPECT_EQ(refused([](CollectiveSpec&) {}), "run");
  EXPECT_THAT(refused([](CollectiveSpec& s) { s.payload = PayloadMode::digest; }), HasSubstr("payload should be full"));
  EXPECT_THAT(refused([](CollectiveSpec& s) { s.gradient = Bytes{678}; }), HasSubstr("has 678 bytes; it is real"));
  EXPECT_THAT(refused([](CollectiveSpec& s) { s.gradient = Bytes{64}; }), HasSubstr("but the blocks have 11 words"));
  EXPECT_THAT(refused([](CollectiveSpec& s) { s.gradient = Bytes{676}; }),
              HasSubstr(" has 169 parameters, but model \"softmax\" has 170"));
}

/// Swing's partners of one group lie in different groups from 8 ranks on: each rank would have a sum of its own.
TEST(SumOrder, IsOneForAllRanksButOfSwingLatency) {
  for (const CollectiveEntry& entry : algorithms_of(CollectiveKind::all_reduce))
    for (const int ranks : {2, 4, 8, 16, 64})
      EXPECT_EQ(adds_alike(make_collective(entry, ranks)), entry.name != "swing_latency" || ranks < 8)
          << entry.name << ", " << ranks;
  for (const int ranks : {3, 5, 6, 7}) {
    EXPECT_TRUE(adds_alike(make_collective(CollectiveKind::all_reduce, "ring", ranks)));
    EXPECT_TRUE(adds_alike(make_collective(CollectiveKind::all_reduce, "bruck", ranks)));
  }
}

TEST(SumOrder, CountsWhichNumbersAreAddedAndNotWhichIsNamedFirst) {
  Collective list{CollectiveKind::all_reduce, 2, 1, {{{0, 1, {0}, true}, {1, 0, {0}, true}}}};
  EXPECT_TRUE(adds_alike(list)) << "a + b is b + a";
  list.steps = {{{0, 1, {0}, true}}};
  EXPECT_FALSE(adds_alike(list)) << "rank 0 has its own";
  list.steps = {{{0, 1, {0}, true}}, {{1, 0, {0}, false}}};
  EXPECT_TRUE(adds_alike(list)) << "one adds, and the other takes its sum";
  list.steps = {{{0, 1, {0}, true}}, {{1, 0, {0}, true}}};
  EXPECT_FALSE(adds_alike(list)) << "rank 0 adds its own number twice";
}

/// A model in words of 64 bytes, as its rank says it in the end.
Message model_of(float number) {
  const Words words = to_words(Bytes{parameters * 4}, 64);
  const Vector numbers(static_cast<std::size_t>(words.n * word_elements), number);
  return snapshot(0, {Words{0}, words}, std::as_bytes(std::span(numbers)));
}

TEST(Evaluator, HasOneModelOfAllRanks) {
  NodeJob job;
  job.workers = {Node{0}, Node{1}, Node{2}};
  const Words words = to_words(Bytes{parameters * 4}, 64);
  job.servers = {{Node{0}, words, Bytes{words.n * 64}, {{Words{0}, words, Bytes{words.n * 64}}}, {{0, 0, parameters}}}};
  job.memory = ServerMemory::ranks;
  job.learning = LearningJob{};
  job.learning->loaded = small_pictures();
  Evaluator alike(job), apart(job);
  for (Evaluator* one : {&alike, &apart}) one->plan({});
  alike.take(Node{1}, model_of(0.5F));
  alike.take(Node{0}, model_of(0.5F));
  EXPECT_THROW(alike.result(), Error) << "one rank's model hasn't come";
  alike.take(Node{2}, model_of(0.5F));
  EXPECT_EQ(alike.result().curve.size(), 1U);
  EXPECT_THROW(alike.take(Node{3}, model_of(0.5F)), Error) << "it is no rank";
  apart.take(Node{0}, model_of(0.5F));
  try {
    apart.take(Node{2}, model_of(std::nextafter(0.5F, 1.0F)));
    FAIL() << "the models are equal";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the model of node 2 isn't that of node 0 in the end"));
  }
}

}  // namespace
}  // namespace ocs::test
