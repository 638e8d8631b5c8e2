// What every selection promises, on random problems; RapidCheck prints the seed of a failure.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include "host/scheduler/check_plan.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/selection/check_selection.hpp"
#include "testbed/selection/policies.hpp"
#include "tests/common/refusal.hpp"
#include "tests/selection/study.hpp"

namespace ocs::test {
namespace {

SelectionProblem any_problem() {
  const auto n = static_cast<std::size_t>(*rc::gen::inRange(1, 12));
  SelectionProblem problem{.peers = n};
  const auto cost = rc::gen::map(rc::gen::inRange<std::int64_t>(0, 20), [](std::int64_t c) { return Ticks{c}; });
  problem.at_sender = *rc::gen::container<std::vector<Ticks>>(n * n, cost);
  problem.at_receiver = *rc::gen::container<std::vector<Ticks>>(n * n, cost);
  problem.least = *rc::gen::container<std::vector<std::uint32_t>>(
      n, rc::gen::inRange<std::uint32_t>(0, static_cast<std::uint32_t>(n)));
  problem.unsent = *rc::gen::container<std::vector<std::uint32_t>>(n * n, rc::gen::inRange<std::uint32_t>(0, 5));
  for (std::uint16_t i = 0; i < n; ++i)
    for (std::uint16_t j = 0; j < n; ++j)
      if (i != j && *rc::gen::inRange(0, 8) == 0) problem.must.emplace_back(i, j);
  problem.layer = *rc::gen::element(Layer::network, Layer::application);
  problem.seed = *rc::gen::arbitrary<std::uint64_t>();
  return problem;
}

void add_sending(SelectionProblem& problem) {
  const std::size_t n = problem.peers;
  Sending sending{.ready = static_cast<std::uint16_t>(*rc::gen::inRange<std::size_t>(0, n)),
                  .plan = PeerPairs(n),
                  .mostly_sent = PeerPairs(n)};
  for (std::uint16_t i = 0; i < n; ++i) {
    sending.slack.push_back(Ticks{*rc::gen::inRange<std::int64_t>(0, 60)});
    if (i == sending.ready || *rc::gen::inRange(0, 2) == 0) continue;
    sending.senders.push_back(i);
    for (std::size_t j = 0; j < n; ++j) {
      if (i == j || *rc::gen::inRange(0, 2) == 0) continue;
      sending.plan[i].set(j);
      sending.mostly_sent[i].set(j, *rc::gen::inRange(0, 3) == 0);
    }
  }
  problem.sending = sending;
}

void expect_promises(const SelectionProblem& problem, const Selection& selection) {
  check_selection(problem, selection, ErrorKind::internal);
  const std::size_t n = problem.peers;
  Selection loads{.selected = selection.selected};
  add_loads(problem, loads);
  RC_ASSERT(loads.sender == selection.sender && loads.receiver == selection.receiver);
  for (std::size_t i = 0; i < n; ++i) {
    RC_ASSERT(!selection.selected[i].test(i));
    RC_ASSERT((selection.basic[i] & ~selection.selected[i]).none());
  }
}

TEST(EverySelection, ServesWhatMustBeAndAsManyAsAreNeeded) {
  EXPECT_TRUE(rc::check([] {
    const SelectionProblem problem = any_problem();
    for (const SelectionEntry& entry : receiver_selections()) {
      if (entry.while_sending) continue;
      const Selection selection = entry.make()->select(problem);
      expect_promises(problem, selection);
      for (const auto& [i, j] : problem.must) RC_ASSERT(selection.selected[i].test(j));
      for (std::size_t i = 0; i < problem.peers; ++i) RC_ASSERT(selection.selected[i].count() >= problem.least[i]);
      RC_ASSERT(selection.aborted.empty() && selection.deadlines.empty());
    }
  }));
}

/// What the checker says of a selection; empty: nothing.
std::string verdict(const SelectionProblem& problem, const Selection& selection) {
  try {
    check_selection(problem, selection, ErrorKind::input);
  } catch (const BrokenRule& broken) {
    EXPECT_EQ(broken.rule(), PlanRule::receivers);
    return broken.what();
  }
  return "";
}

TEST(CheckSelection, NamesWhatIsWrong) {
  SelectionProblem problem = equal_peers(3, 1, Ticks{1}, Layer::network);
  problem.must = {{0, 2}};
  problem.unsent[2] = 4;
  Selection selection{.selected = {Outputs{0b110}, Outputs{0b100}, Outputs{0b011}}};
  EXPECT_EQ(verdict(problem, selection), "");
  selection.selected[0] = Outputs{0b010};
  EXPECT_EQ(verdict(problem, selection), "peer 0 doesn't send to peer 2, but it must: it has left it out 4 times");
  selection.selected[0] = Outputs{0b100};
  selection.selected[1] = Outputs{};
  EXPECT_EQ(verdict(problem, selection), "peer 1 has 0 receivers, but must have 1 or more");
  for (const unsigned wrong : {0b0010U, 0b1000U}) {
    selection.selected[1] = Outputs{wrong};
    EXPECT_EQ(verdict(problem, selection), "peer 1 sends to itself, or to one beyond the 3 peers");
  }
  selection.selected.pop_back();
  EXPECT_EQ(verdict(problem, selection), "the selection has receivers of 2 peers, but there are 3");
}

TEST(CheckSelection, KeepsSendersToTheirPlans) {
  SelectionProblem problem = equal_peers(3, 1, Ticks{1}, Layer::network);
  problem.sending = Sending{.ready = 0,
                            .senders = {1},
                            .plan = {Outputs{}, Outputs{0b101}, Outputs{}},
                            .mostly_sent = PeerPairs(3),
                            .slack = std::vector<Ticks>(3)};
  Selection selection{.selected = {Outputs{0b100}, Outputs{0b001}, Outputs{}}, .aborted = {{1, 2}}};
  selection.deadlines = {{0, Ticks{3}}, {1, Ticks{4}}};
  EXPECT_EQ(verdict(problem, selection), "");
  selection.aborted = {{1, 0}};
  EXPECT_EQ(verdict(problem, selection), "the pair 1 to 0 is aborted, but isn't in the plan, or is selected");
  selection.aborted.clear();
  selection.deadlines = {{2, Ticks{3}}};
  EXPECT_EQ(verdict(problem, selection), "peer 2 has a deadline, but doesn't send");
  selection.selected[2] = Outputs{0b001};
  EXPECT_EQ(verdict(problem, selection),
            "peer 2 is to send to peer 0, but it isn't ready, and this pair isn't in its plan");
}

TEST(Selmcast, AddsNothingThatMakesARoundLonger) {
  EXPECT_TRUE(rc::check([] {
    const SelectionProblem problem = any_problem();
    const Selection selection = SelmcastBsp().select(problem);
    Selection basic{.selected = selection.basic};
    add_loads(problem, basic);
    RC_ASSERT(selection.bound == basic.bound);
    // and leaves nothing out that would fit
    for (std::size_t i = 0; i < problem.peers; ++i)
      for (std::size_t j = 0; j < problem.peers; ++j) {
        if (i == j || selection.selected[i].test(j)) continue;
        Selection more{.selected = selection.selected};
        more.selected[i].set(j);
        add_loads(problem, more);
        RC_ASSERT(more.bound > selection.bound);
      }
  }));
}

TEST(SelmcastWhileSending, KeepsWhatMustBeServedOrIsMostlySent) {
  EXPECT_TRUE(rc::check([] {
    SelectionProblem problem = any_problem();
    add_sending(problem);
    const Sending& sending = *problem.sending;
    const Selection selection = SelmcastSsp().select(problem);
    expect_promises(problem, selection);
    for (std::size_t i = 0; i < problem.peers; ++i) {
      Outputs possible = sending.plan[i];
      if (i == sending.ready) possible.set().reset(i), possible &= ~(Outputs{}.set() << problem.peers);
      RC_ASSERT((selection.selected[i] & ~possible).none());
      RC_ASSERT((sending.mostly_sent[i] & possible & ~selection.selected[i]).none());
      RC_ASSERT(selection.selected[i].count() >= std::min<std::size_t>(problem.least[i], possible.count()));
      for (const auto& [from, to] : problem.must)
        if (from == i && possible.test(to)) RC_ASSERT(selection.selected[i].test(to));
    }
    PeerPairs left = sending.plan;  // what is aborted is what fell out
    for (const auto& [i, j] : selection.aborted) {
      RC_ASSERT(left[i].test(j) && !selection.selected[i].test(j));
      left[i].reset(j);
    }
    for (std::size_t i = 0; i < problem.peers; ++i) RC_ASSERT((left[i] & ~selection.selected[i]).none());
  }));
}

TEST(Random, HasExactlyAsManyAsAreNeededAndAllAlike) {
  constexpr std::uint16_t n = 10;
  std::vector<int> times(n, 0);
  for (std::uint64_t seed = 0; seed < 400; ++seed) {
    const PeerPairs drawn = RandomReceivers().select(equal_peers(n, 3, Ticks{1}, Layer::network, seed)).selected;
    for (std::size_t i = 0; i < n; ++i) EXPECT_EQ(drawn[i].count(), 3u);
    for (std::size_t j = 0; j < n; ++j) times[j] += static_cast<int>(drawn[0].test(j));
  }
  for (std::size_t j = 1; j < n; ++j) EXPECT_NEAR(times[j], 400 * 3 / 9, 40) << j;  // more than four deviations
}

/// On 3 to 5 peers: no set with as many receivers has a shorter longest load by more than what the list loses.
TEST(Selmcast, IsNearTheOptimumOfSmallProblems) {
  int optimal = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 8; ++seed)
    for (const Layer layer : {Layer::network, Layer::application}) {
      constexpr std::uint16_t n = 5;
      SelectionProblem problem = equal_peers(n, 2, Ticks{100}, layer);
      std::uint64_t state = seed;
      for (std::size_t j = 0; j < n; ++j) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const Ticks cost{80 + static_cast<std::int64_t>((state >> 33) % 50)};
        for (std::size_t i = 0; i < n; ++i) problem.at_receiver[i * n + j] = cost;
      }
      const Ticks found = SelmcastBsp().select(problem).bound;
      Ticks best = never<Ticks>;
      const std::size_t sets[] = {0b0011, 0b0101, 0b0110, 0b1001, 0b1010, 0b1100};  // two of four others
      for (std::size_t number = 0; number < 6 * 6 * 6 * 6 * 6; ++number) {
        Selection one{.selected = PeerPairs(n)};
        std::size_t rest = number;
        for (std::size_t i = 0; i < n; ++i, rest /= 6)
          for (std::size_t k = 0; k < 4; ++k)
            if ((sets[rest % 6] >> k & 1) != 0) one.selected[i].set(k < i ? k : k + 1);
        add_loads(problem, one);
        best = std::min(best, one.bound);
      }
      EXPECT_LE(found.n * 100, best.n * 105) << "seed " << seed;
      ++all;
      optimal += static_cast<int>(found == best);
    }
  EXPECT_GE(optimal * 4, all * 3);
}

TEST(Selection, RefusesProblemsThatContradictThemselves) {
  const auto verdict = [](const auto& spoil) {
    SelectionProblem problem = equal_peers(4, 1, Ticks{1}, Layer::network);
    spoil(problem);
    return refusal([&] { SelmcastBsp().select(problem); });
  };
  EXPECT_EQ(verdict([](auto& p) { p.least[2] = 4; }), "receivers: a sender needs 4 receivers; there are 3 others");
  EXPECT_EQ(verdict([](auto& p) { p.must.emplace_back(1, 1); }),
            "receivers: the pair 1 to 1 that must be served isn't one of two peers");
  EXPECT_EQ(verdict([](auto& p) { p.at_sender.pop_back(); }), "receivers: 15 costs of senders; there must be 16");
  EXPECT_EQ(verdict([](auto& p) { p.at_receiver[3] = Ticks{-1}; }),
            "receivers: a block costs -1 ticks; it must be 0 to 2^46; use a coarser tick");
  EXPECT_EQ(verdict([](auto& p) { p.sending.emplace(); }).substr(0, 11), "receivers: ");
  EXPECT_NE(refusal([] {
              SelmcastSsp().select(equal_peers(4, 1, Ticks{1}, Layer::network));
            }).find("is for a worker that becomes ready"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs::test
