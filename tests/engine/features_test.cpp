// Every pair of features that doesn't contradict itself is accepted, but for a list that only shrinks.
// SPDX-License-Identifier: Apache-2.0
#include "tests/engine/features.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "host/core/error.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/share.hpp"
#include "tests/rtl/built_ahead.hpp"

namespace ocs::test {
namespace {

/// Why these can't be had together; empty: they can.
std::string refusal_of(const std::vector<Feature>& wanted) {
  try {
    experiment_with(wanted);
  } catch (const Error& refused) {
    EXPECT_EQ(refused.kind(), ErrorKind::input) << refused.what();
    return refused.what();
  }
  return {};
}

/// Pairs that are accepted and can run here, every `step`-th of them.
std::vector<std::pair<Feature, Feature>> running_pairs(std::size_t step) {
  std::vector<std::pair<Feature, Feature>> pairs;
  std::size_t count = 0;
  for (auto a = features().begin(); a != features().end(); ++a)
    for (auto b = a + 1; b != features().end(); ++b) {
      const FeaturePair names{a->name, b->name};
      if (!a->runs || !b->runs || !makes_pair(*a, *b)) continue;
      if (!contradictions().contains(names) && count++ % step == 0) pairs.emplace_back(*a, *b);
    }
  return pairs;
}

/// What can be told of any run: its event log, or how it failed.
std::string outcome(Point point, const std::string& device) {
  point.fabric.device = device;
  try {
    const Row row = run_point(point, {});
    EXPECT_EQ(row.words_misrouted, 0);
    EXPECT_EQ(row.crc_errors, 0);
    EXPECT_EQ(row.sum_errors, 0);
    return std::to_string(row.events) + " events, hash " + std::to_string(row.event_log_hash.value_or(0)) + ", " +
           std::to_string(row.sim_time.n) + " ps";
  } catch (const Error& failure) {
    EXPECT_EQ(failure.kind(), ErrorKind::run) << failure.what();
    return failure.what();
  }
}

TEST(Features, InPairsDoTheSameOnModelAndRtl) {
  const bool built = built_ahead({.core = rtl::Core::fast, .ports = 8, .lanes = 0});
  std::size_t failed = 0;
  const auto pairs = running_pairs(share() > 1 ? 5 : 1);
  for (const auto& [a, b] : pairs) {
    SCOPED_TRACE(a.name + "," + b.name);
    const Point point = experiment_with({a, b}).points.front();
    const std::string on_model = outcome(point, "model");
    failed += !on_model.ends_with(" ps");
    if (built) {
      EXPECT_EQ(outcome(point, "verilated"), on_model);
    }
  }
  EXPECT_GT(pairs.size(), 100U);
  EXPECT_LT(failed, pairs.size() / 10) << "runs that fail compare little";
  if (!built) GTEST_SKIP() << "verilated of 8 ports isn't built: the pairs ran on the model alone";
}

TEST(Features, AreEachAcceptedAlone) {
  for (const Feature& feature : features()) EXPECT_EQ(refusal_of({feature}), "") << feature.name;
}

/// What is accepted is no contradiction.
TEST(Features, OfAContradictionAreRefused) {
  const auto named = [](const std::string& name) { return *std::ranges::find(features(), name, &Feature::name); };
  for (const auto& [a, b] : contradictions()) EXPECT_NE(refusal_of({named(a), named(b)}), "") << a << "," << b;
}

TEST(Features, AreAcceptedInPairs) {
  int pairs = 0;
  for (auto a = features().begin(); a != features().end(); ++a)
    for (auto b = a + 1; b != features().end(); ++b) {
      const FeaturePair pair{a->name, b->name};
      if (!makes_pair(*a, *b) || contradictions().contains(pair)) continue;
      ++pairs;
      EXPECT_EQ(refusal_of({*a, *b}), "") << pair.first << "," << pair.second;
    }
  RecordProperty("pairs", pairs);
}

}  // namespace
}  // namespace ocs::test
