// Gradients are those of the loss, and the same bits come out in every build.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/learning/classifier.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <span>

#include "testbed/learning/random.hpp"
#include "testbed/learning/shards.hpp"

namespace ocs {
namespace {

/// Random pixels; what is for training is for tests as well.
Dataset noise(std::size_t count, std::size_t inputs) {
  Dataset data;
  data.inputs = inputs;
  Draws draws(1);
  for (std::size_t k = 0; k < count; ++k) {
    data.train.labels.push_back(static_cast<std::uint8_t>(draws.below(10)));
    for (std::size_t i = 0; i < inputs; ++i) data.train.pixels.push_back(static_cast<std::uint8_t>(draws.below(256)));
  }
  data.test = data.train;
  data.mean.assign(inputs, 0.4375F);
  return data;
}

std::vector<float> some_model(const Classifier& classifier) {
  std::vector<float> model(classifier.parameters());
  Draws draws(2);
  for (float& value : model) value = static_cast<float>(draws.normal()) * 0.2F;
  return model;
}

class EachModel : public testing::TestWithParam<ModelKind> {};
INSTANTIATE_TEST_SUITE_P(Learning, EachModel, testing::Values(ModelKind::softmax, ModelKind::mlp),
                         [](const auto& kind) { return std::string(name_of(kind.param)); });

TEST_P(EachModel, GradientIsThatOfTheLoss) {
  const Dataset data = noise(4, 5);
  Classifier classifier(GetParam(), data.inputs);
  auto model = some_model(classifier);
  std::vector<float> gradient(model.size());
  classifier.gradient(model, data, std::vector<std::uint32_t>{0, 1, 2, 3}, gradient);
  constexpr float step = 1.0F / 2048;
  const double here = classifier.score(model, data).loss;
  std::size_t not_zero = 0, at_a_kink = 0;
  for (std::size_t i = 0; i < model.size(); ++i) {
    const float before = model[i];
    model[i] = before + step;
    const double above = classifier.score(model, data).loss;
    model[i] = before - step;
    const double below = classifier.score(model, data).loss;
    model[i] = before;
    if (std::abs(above - 2 * here + below) / step > 5e-4) {  // a hidden unit passes its kink
      ++at_a_kink;
      continue;
    }
    EXPECT_NEAR(gradient[i], (above - below) / (2 * step), 5e-4) << "parameter " << i;
    not_zero += gradient[i] != 0 ? 1 : 0;
  }
  EXPECT_GT(not_zero, model.size() / 3);
  EXPECT_LE(at_a_kink, model.size() / 100);
}

TEST_P(EachModel, ScoreIsMeanCrossEntropyAndShareOfRightOnes) {
  const Dataset data = noise(1203, 5);  // more than are worked on together
  Classifier classifier(GetParam(), data.inputs);
  const std::vector<float> nothing(classifier.parameters(), 0.0F);
  const Score score = classifier.score(nothing, data);
  EXPECT_NEAR(score.loss, std::log(10.0), 1e-12);
  const auto of_first = std::count(data.test.labels.begin(), data.test.labels.end(), 0);
  EXPECT_EQ(score.accuracy, static_cast<double>(of_first) / 1203);  // of equals the first one is taken
}

TEST_P(EachModel, StartsTheSameForASeed) {
  const Classifier classifier(GetParam(), 784);
  EXPECT_EQ(classifier.start(3), classifier.start(3));
  EXPECT_EQ(classifier.start(3).size(), classifier.parameters());
  EXPECT_EQ(classifier.start(3) == classifier.start(4), GetParam() == ModelKind::softmax);
}

TEST(Classifier, StartsAfterHe) {
  const Classifier classifier(ModelKind::mlp, 784);
  const auto model = classifier.start(1);
  const auto variance = [&](std::size_t first, std::size_t count) {
    double sum = 0;
    for (std::size_t i = first; i < first + count; ++i) sum += double{model[i]} * double{model[i]};
    return sum / static_cast<double>(count);
  };
  EXPECT_NEAR(variance(0, 784 * 128) * 784 / 2, 1, 0.02);
  EXPECT_EQ(variance(784 * 128, 128), 0);
  EXPECT_NEAR(variance(784 * 128 + 128, 1280) * 128 / 2, 1, 0.15);
}

/// FNV-1a of the bits.
std::uint64_t bits_of(std::span<const float> values) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const std::byte byte : std::as_bytes(values))
    hash = (hash ^ std::to_integer<std::uint64_t>(byte)) * 0x100000001b3;
  return hash;
}

TEST_P(EachModel, LearnsToTheSameBitsInEveryBuild) {
  const Dataset data = noise(500, 784);
  Classifier classifier(GetParam(), data.inputs);
  auto model = classifier.start(1);
  std::vector<float> gradient(model.size());
  Batches batches(shard_of(data.train.labels, ShardKind::iid, 0, 1, 1), 1, 0);
  const double before = classifier.score(model, data).loss;
  for (const std::size_t size : {32, 33, 64, 137, 512, 1}) {
    classifier.gradient(model, data, batches.next(size), gradient);
    for (std::size_t i = 0; i < model.size(); ++i) model[i] -= gradient[i] * 0.0625F;
  }
  EXPECT_EQ(bits_of(model), GetParam() == ModelKind::softmax ? 17333313502112133369U : 12928013301403659194U);
  const double after = classifier.score(model, data).loss;
  EXPECT_LT(after, before);
  const float rounded = static_cast<float>(after);
  EXPECT_EQ(bits_of({&rounded, 1}), GetParam() == ModelKind::softmax ? 4058397886880161185U : 7179693576218011605U);
}

TEST(Classifier, KnowsItsModels) {
  EXPECT_EQ(name_of(ModelKind::softmax), "softmax");
  EXPECT_EQ(name_of(ModelKind::mlp), "mlp");
  EXPECT_EQ(Classifier(ModelKind::softmax, 784).parameters(), 7850U);
  EXPECT_EQ(Classifier(ModelKind::mlp, 784).parameters(), 101770U);
}

}  // namespace
}  // namespace ocs
