// Overlap that can't be: one sentence each.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/keys/unused_keys.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

std::string complaint(const std::vector<std::string>& overrides) {
  return refusal([&] { scheme_experiment(overrides); });
}

TEST(Overlap, IsRefusedWithSchemesThatHaveNoOneBackwardPassAPush) {
  const std::string begin =
      "--set job.overlap=wait_free_backprop: job.overlap is \"wait_free_backprop\", but must be \"none\" with "
      "job.sync ";
  EXPECT_EQ(
      complaint({"job.overlap=wait_free_backprop"}),
      begin +
          "\"bsp_phase\": its pushes are one coflow, which begins when all have computed; \"bsp\" has no such phases");
  EXPECT_EQ(complaint({"job.overlap=wait_free_backprop", "job.sync=predictive"}),
            begin + "\"predictive\": a push is the sum of several local steps");
  EXPECT_EQ(complaint({"job.overlap=some"}),
            "--set job.overlap=some: job.overlap is \"some\", but must be one of none, wait_free_backprop; did you "
            "mean \"none\"?");
}

TEST(BackwardShare, IsAFractionUpToOne) {
  const auto share = [](const char* text) {
    return scheme_job("bsp", {std::string("compute.backward=\"") + text + "\""}).job.overlap;
  };
  EXPECT_EQ(share("0.6").backward_num, 3u);
  EXPECT_EQ(share("0.6").backward_den, 5u);
  EXPECT_EQ(share("0").backward_num, 0u);
  for (const char* text : {"3/2", "1.1", "0.0001"})
    EXPECT_EQ(complaint({std::string("compute.backward=\"") + text + "\""}),
              std::string("--set compute.backward=\"") + text + "\": compute.backward is \"" + text +
                  "\", but must be a fraction from 0 to 1 with a denominator of at most 1000");
}

TEST(BackwardShare, HasNoEffectWithoutOverlap) {
  const auto sentences = without_effect(scheme_experiment({"job.sync=bsp", "compute.backward=1/2"}));
  ASSERT_FALSE(sentences.empty());
  EXPECT_EQ(
      sentences.front(),
      "--set compute.backward=1/2: compute.backward has no effect in this experiment: without job.overlap nothing "
      "is pushed before the end of computing");
}

TEST(Priorities, AreRefusedWhereNobodyKnowsThem) {
  EXPECT_EQ(
      complaint({"job.priorities=layer"}),
      "--set job.priorities=layer: job.priorities is \"layer\", but must be \"none\" with job.sync \"bsp_phase\": its "
      "pushes are one coflow");
  EXPECT_EQ(
      complaint({"job.priorities=layer", "job.sync=bsp", "scheduler=hlf"}),
      "--set job.priorities=layer: job.priorities is \"layer\", but must be \"none\" with scheduler \"hlf\": only "
      "sunflow_inter, sunflow_fifo, sunflow_fair, multicast_list know priorities");
}

}  // namespace
}  // namespace ocs::test
