// What the schemes promise holds in random runs, and none of them stops.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <set>

#include "host/core/error.hpp"
#include "tests/sync/random_input.hpp"

namespace ocs::abstract {
namespace {

std::uint64_t others(const Input& input) { return input.compute.size() - 1; }

/// Every worker does its iterations in order, each applied or dropped once, and no staleness is above the bound.
void check_whole_run(const Input& input, const Output& output, std::optional<std::uint64_t> bound) {
  RC_ASSERT(output.all_finished);
  std::vector<std::uint32_t> next(input.compute.size());
  for (const Push& push : output.pushes) {
    RC_ASSERT(push.iteration == next[push.worker]);
    ++next[push.worker];
    if (bound && push.applied) RC_ASSERT(push.stale <= *bound);
  }
  for (std::size_t w = 0; w < next.size(); ++w) RC_ASSERT(next[w] == input.compute[w].size());
}

TEST(Bounds, BspIsNeverStale) {
  for (const char* scheme : {"bsp", "bsp_phase"})
    EXPECT_TRUE(rc::check(scheme, [&] {
      const Input input = random_input(scheme);
      const Output output = run(input);
      check_whole_run(input, output, 0);
      RC_ASSERT(output.widest_gap == 0u);
      for (const Round& round : output.rounds) RC_ASSERT(round.members.size() == input.compute.size());
    }));
}

TEST(Bounds, AspNeverWaits) {
  EXPECT_TRUE(rc::check([] {
    const Input input = random_input("asp");
    const Output output = run(input);
    check_whole_run(input, output, {});
    std::vector<std::int64_t> last(input.compute.size());
    for (const Push& push : output.pushes) {
      RC_ASSERT(push.grant == last[push.worker]);
      last[push.worker] = push.push;
    }
  }));
}

TEST(Bounds, SspKeepsTheGapAndTheStaleness) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("ssp");
    input.settings.s = pick(0, 4);
    const Output output = run(input);
    check_whole_run(input, output, (2 * input.settings.s + 1) * others(input));
    RC_ASSERT(output.widest_gap <= input.settings.s);
  }));
}

TEST(Bounds, SspOfNoSlackHasTheTimesOfBsp) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("ssp");
    input.settings.s = 0;
    const Output ssp = run(input);
    input.scheme = "bsp";
    const Output bsp = run(input);
    RC_ASSERT(ssp.pushes.size() == bsp.pushes.size());
    for (std::size_t i = 0; i < ssp.pushes.size(); ++i) RC_ASSERT(ssp.pushes[i].push == bsp.pushes[i].push);
  }));
}

TEST(Bounds, DsspKeepsTheGapAndTheStaleness) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("dssp");
    input.settings.s_lo = pick(0, 3);
    input.settings.s_up = input.settings.s_lo + pick(0, 4);
    const Output output = run(input);
    check_whole_run(input, output, (2 * input.settings.s_up + 1) * others(input));
    RC_ASSERT(output.widest_gap <= input.settings.s_up);
  }));
}

TEST(Bounds, R2spTakesTurnsAGapApart) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("r2sp");
    input.settings.r_den = 5;
    input.settings.r_num = pick(0, 5);
    input.settings.ema_shift = pick(0, 3);
    input.settings.strict = pick(0, 1) == 1;
    const Output output = run(input);
    check_whole_run(input, output, (input.settings.strict ? 1 : 2) * others(input));
    for (std::size_t i = 0; i < output.grants.size(); ++i) {
      RC_ASSERT(output.grants[i].worker == i % input.compute.size());
      if (i > 0) RC_ASSERT(output.grants[i].at - output.grants[i - 1].at >= output.grants[i - 1].gap);
    }
  }));
}

TEST(Bounds, R2spIsAsStaleAsItsGateAllowsAndNoMoreWhenStrict) {
  // Worker 1 pushes twice while the push of worker 0, granted before both, is on its way.
  Input input{"r2sp", {}, {{1, 100, 1}, {50, 1, 1}}, {}, {}};
  input.settings.r_num = 0;
  const auto stalest = [&] {
    std::uint64_t most = 0;
    for (const Push& push : run(input).pushes) most = std::max(most, push.stale);
    return most;
  };
  EXPECT_EQ(stalest(), 2u);
  input.settings.strict = true;
  EXPECT_EQ(stalest(), 1u);
}

TEST(Bounds, POfNMissesNobodyTooOften) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("p_of_n");
    input.horizon = some_rounds(input);
    const auto workers = static_cast<std::uint32_t>(input.compute.size());
    const std::uint32_t k = pick(0, 4);
    input.settings.p = pick(1, workers);
    input.settings.k = k;
    const Output output = run(input);
    std::vector<std::uint32_t> missed(workers);
    for (const Round& round : output.rounds) {
      RC_ASSERT(round.members.size() >= input.settings.p);
      for (std::uint32_t w = 0; w < workers; ++w) {
        const bool member = std::count(round.members.begin(), round.members.end(), w) == 1;
        missed[w] = member ? 0 : missed[w] + 1;
        RC_ASSERT(missed[w] <= k);
      }
    }
    for (const Push& push : output.pushes)
      if (push.applied) RC_ASSERT(push.stale <= k * others(input));
  }));
}

TEST(Bounds, POfNComesToAnEnd) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("p_of_n");
    input.settings.p = pick(1, static_cast<std::uint32_t>(input.compute.size()));
    if (pick(0, 1) == 1)
      input.settings.k.reset();
    else
      input.settings.k = pick(0, 4);
    const Output output = run(input);
    check_whole_run(input, output, {});
  }));
}

TEST(Bounds, ElasticDoesExactlyItsQuotas) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("elastic");
    input.settings.most_quota = pick(1, 8);
    input.settings.objective = pick(0, 1) == 1 ? Objective::total : Objective::range;
    input.horizon = some_rounds(input);
    const Output output = run(input);
    std::int64_t begin = -1;
    if (input.compute.size() == 1) return;  // alone, every release is a super-step's end
    for (const SuperStep& step : output.super_steps) {
      std::vector<std::int64_t> done(input.compute.size());
      for (const Push& push : output.pushes)
        if (push.grant >= std::max<std::int64_t>(begin, 0) && push.push <= step.end && push.grant < step.end)
          ++done[push.worker];
      for (std::size_t w = 0; w < done.size(); ++w) {
        RC_ASSERT(step.quota[w] >= 1);
        RC_ASSERT(step.quota[w] <= std::int64_t{input.settings.most_quota});
        RC_ASSERT(done[w] == step.quota[w]);
      }
      begin = step.end;
    }
    for (const Push& push : output.pushes) RC_ASSERT(push.stale <= input.settings.most_quota * others(input));
  }));
}

TEST(Bounds, ElasticComesToAnEnd) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("elastic");
    const Output output = run(input);
    check_whole_run(input, output, input.settings.most_quota * others(input));
  }));
}

TEST(Bounds, PredictiveStaysNearItsPushAndLosesNoStep) {
  EXPECT_TRUE(rc::check([] {
    Input input = random_input("predictive");
    input.net.circuit = false;
    input.settings.ahead = pick(1, 6);
    input.settings.most_quota = pick(1, 8);
    input.horizon = some_rounds(input);
    const PredictiveOutput output = run_predictive(input);
    RC_ASSERT(output.max_ahead <= std::int64_t{input.settings.ahead});
    RC_ASSERT(output.syncs.size() > 1u);
    for (const Sync& sync : output.syncs)
      for (const std::int64_t quota : sync.quota)
        RC_ASSERT(quota <= std::int64_t{input.settings.ahead} + input.settings.most_quota);
    for (const Merge& merge : output.merges) RC_ASSERT(merge.steps_done <= output.steps_done[merge.worker]);
  }));
}

/// The steady time of an iteration of workers that are alike, one server, circuits.
TEST(Bounds, ClosedFormsHoldForAnySize) {
  EXPECT_TRUE(rc::check([] {
    const std::int64_t workers = pick(2, 16), compute = pick(0, 3000), delta = pick(0, 50), wire = pick(1, 100);
    constexpr std::size_t iterations = 60;
    const std::int64_t tau = wire + delta;
    const auto period = [&](std::string_view scheme) {
      Input input{scheme, {}, {}, {}, {}};
      input.compute.assign(static_cast<std::size_t>(workers), std::vector<std::int64_t>(iterations, compute));
      input.net = {true, 0, 0, wire, delta};
      const Output output = run(input);
      const std::size_t last = output.pushes.size() - 1;
      return output.pushes[last].push - output.pushes[last - static_cast<std::size_t>(workers)].push;
    };
    RC_ASSERT(period("bsp_phase") == compute + 2 * workers * tau);
    RC_ASSERT(period("bsp") == compute + (workers + 1) * tau);
    RC_ASSERT(period("r2sp") == std::max(workers * tau, compute + 2 * tau));
  }));
}

}  // namespace
}  // namespace ocs::abstract
