// Accuracies of plain gradient descent on Fashion-MNIST, as docs/sync-schemes.md, section 6, states them: batch 512.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <numeric>

#include "testbed/learning/classifier.hpp"
#include "testbed/learning/shards.hpp"
#include "tests/learning/pictures.hpp"

namespace ocs {
namespace {

/// @param stated accuracy after so many epochs
void expect_accuracies(ModelKind kind, float rate, const std::map<int, double>& stated) {
  const Dataset data = load_dataset(dataset_folder());
  Classifier classifier(kind, data.inputs);
  auto model = classifier.start(1);
  std::vector<float> gradient(model.size());
  std::vector<std::uint32_t> all(data.train.count());
  std::iota(all.begin(), all.end(), 0U);
  Batches batches(all, 1, 0);
  constexpr std::size_t batch = 512;
  std::size_t seen = 0;
  for (const auto& [epochs, accuracy] : stated) {
    for (; seen < static_cast<std::size_t>(epochs) * data.train.count(); seen += batch) {
      classifier.gradient(model, data, batches.next(batch), gradient);
      for (std::size_t i = 0; i < model.size(); ++i) model[i] -= rate * gradient[i];
    }
    EXPECT_NEAR(classifier.score(model, data).accuracy, accuracy, 0.01) << "after " << epochs << " epochs";
  }
}

TEST(Reference, SoftmaxAtRatePoint1) {
  NEEDS_DATASET();
  expect_accuracies(ModelKind::softmax, 0.1F, {{1, .773}, {5, .815}, {10, .827}});
}

TEST(Reference, SoftmaxAtRatePoint5) {
  NEEDS_DATASET();
  expect_accuracies(ModelKind::softmax, 0.5F, {{1, .816}, {5, .834}, {10, .839}});
}

TEST(Reference, MlpAtRatePoint3) {
  NEEDS_DATASET();
  expect_accuracies(ModelKind::mlp, 0.3F, {{1, .818}, {3, .849}, {6, .859}});
}

}  // namespace
}  // namespace ocs
