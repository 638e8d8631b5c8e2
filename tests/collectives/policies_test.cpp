// Policies on paper: against enumeration, closed forms and a theorem, in time, and what is refused.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/policies.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <functional>
#include <limits>
#include <random>

#include "host/core/catalogue.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/phases.hpp"
#include "testbed/collectives/plane_plans.hpp"
#include "tests/collectives/drawn_sequence.hpp"
#include "tests/collectives/steps_of_list.hpp"
#include "tests/common/refusal.hpp"
#include "tests/common/sanitized.hpp"

namespace ocs::test {
namespace {

using enum CollectiveKind;

LegSequence sequence_of(CollectiveKind kind, const char* algorithm, int ranks, std::int64_t words, SwitchTimes times,
                        std::int64_t lag = 1) {
  const Collective list = make_collective(kind, algorithm, ranks);
  const auto nodes = static_cast<std::uint32_t>(ranks);
  LegSequence one{nodes, legs_of(list, sizes_of(list, Words{words}), lag), times, dark_map(nodes), {}};
  one.candidates = candidate_maps(std::vector<CandidateChoice>{"ring", "steps"}, nodes, one.legs);
  return one;
}

std::optional<ReconfigurationPlan> plan(const char* policy, const LegSequence& sequence) {
  check(sequence);
  return find(reconfiguration_policies(), policy, "policy").plan(sequence);
}

std::int64_t cycles(const char* policy, const LegSequence& sequence) { return plan(policy, sequence)->cost.cycles; }

/// The first of the best of all sequences of moves.
ReconfigurationPlan enumerated(const LegSequence& sequence) {
  ReconfigurationPlan best, now;
  bool found = false;
  const std::function<void(const PortMap&)> go = [&](const PortMap& map) {
    const std::size_t leg = now.moves.size();
    if (leg == sequence.legs.size()) {
      if (!found || now.cost < best.cost) best = now, found = true;
      return;
    }
    for (std::int32_t move = MapMove::stay; move < static_cast<std::int32_t>(sequence.candidates.size()); ++move) {
      const PortMap next = move == MapMove::stay  ? map
                           : move == MapMove::own ? overlaid(map, sequence.legs[leg].transfers)
                                                  : sequence.candidates[static_cast<std::size_t>(move)];
      const auto served = LegOnMap::of(sequence.legs[leg], next, sequence.times);
      if (!served) continue;
      const LegCost before = now.cost;
      now.cost = before + served->cost(map);
      now.moves.push_back({move});
      go(next);
      now.moves.pop_back();
      now.cost = before;
    }
  };
  go(sequence.start);
  return best;
}

void expect_optimal(const LegSequence& sequence) {
  const ReconfigurationPlan best = optimal_plan(sequence), right = enumerated(sequence);
  EXPECT_EQ(best.cost, right.cost);
  EXPECT_EQ(best.moves, right.moves);
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    const auto other = policy.plan(sequence);
    EXPECT_LE(best.cost, other ? other->cost : best.cost) << policy.name;
  }
}

TEST(Optimal, IsTheFirstOfTheBestOfAllSequences) {
  std::mt19937 random(34);
  for (int k = 0; k < 450; ++k) {
    SCOPED_TRACE(k);
    check(drawn_sequence(random));
    expect_optimal(drawn_sequence(random));
  }
}

TEST(Optimal, IsTheFirstOfTheBestWherePairsAndNodesAreUnlike) {
  std::mt19937 random(35);
  for (int k = 0; k < 300; ++k) {
    SCOPED_TRACE(k);
    LegSequence sequence = drawn_sequence(random);
    make_unlike(sequence, random);
    check(sequence);
    expect_optimal(sequence);
  }
}

TEST(Optimal, IsTheFirstOfTheBestForEveryList) {
  std::mt19937 random(7);
  for (int k = 0; k < 3; ++k)
    for (const CollectiveEntry& entry : collectives())
      for (const int ranks : {2, 4}) {
        if (make_collective(entry, ranks).at_once) continue;  // no map has its pairs
        const std::int64_t alpha = 1 + static_cast<std::int64_t>(random() % 4);
        const SwitchTimes times{alpha + static_cast<std::int64_t>(random() % 60), alpha};
        SCOPED_TRACE(std::string(name_of(entry.kind)) + " " + std::string(entry.name));
        expect_optimal(sequence_of(entry.kind, entry.name.data(), ranks, static_cast<std::int64_t>(1 + random() % 60),
                                   times, random() % 2 == 0 ? 1 : no_streaming));
      }
}

/// Node 0 sends 5 words to node 1, and node 2 has 4 for node 0; 0 -> 1 is up already.
TEST(LegCosts, OfUnlikePairsAndNodesFollowTheSlowestThatIsUsed) {
  const std::vector<Leg> legs =
      legs_of(std::vector<TrafficPhase>{{PairPhase{{{0, 1, Words{5}}, {2, 0, Words{4}}}}}}, 3, 1);
  const PortMap old = {1, -1, -1}, map = {1, 2, 0};
  SwitchTimes times{100, 10};
  const auto cost = [&] { return LegOnMap::of(legs.front(), map, times)->cost(old); };
  EXPECT_EQ(cost(), (LegCost{100 + 4, 2}));
  times.pair_delta = {100, 100, 100, 100, 100, 70, 30, 100, 100};
  EXPECT_EQ(cost(), (LegCost{70, 2})) << "2 -> 0 is over at 34, and 1 -> 2, which nobody uses, is up at 70";
  times.all_stop = true;
  EXPECT_EQ(cost(), (LegCost{70 + 5, 2})) << "0 -> 1 stops, too";
  times.word_cycles = {1, 1, 8};
  EXPECT_EQ(cost(), (LegCost{70 + 4 * 8, 2}));
  times.all_stop = false;
  EXPECT_EQ(cost(), (LegCost{70, 2})) << "30 + 32 are less";
  const PortMap ring = {2, 0, 1};  // 0 -> 1 by node 2, 2 -> 0 by node 1: two hops of 5 and 4 words
  times.pair_delta.clear();
  EXPECT_EQ(LegOnMap::of(legs.front(), ring, times)->cost(ring), (LegCost{(10 + 5 * 8) + (10 + 5 * 8), 0}));
}

TEST(ClosedForms, OfSection9) {
  for (const int n : {4, 8, 16})
    for (const std::int64_t b : {1, 7, 40})
      for (const auto& [delta, alpha] : {std::pair<std::int64_t, std::int64_t>{1, 1}, {50, 1}, {900, 30}}) {
        const std::int64_t s = n * b, q = n == 4 ? 2 : n == 8 ? 3 : 4;
        const SwitchTimes times{delta, alpha};
        const auto of = [&](CollectiveKind kind, const char* name) { return sequence_of(kind, name, n, s, times); };
        EXPECT_EQ(cycles("always", of(all_reduce, "ring")), delta + 2 * (n - 1) * b);
        EXPECT_EQ(cycles("never", of(all_reduce, "ring")), delta + 2 * (n - 1) * b);
        const auto steps = sequence_of(all_reduce, "ring", n, s, times, no_streaming);
        EXPECT_EQ(cycles("always", steps), delta - alpha + 2 * (n - 1) * (alpha + b));
        EXPECT_EQ(cycles("optimal", steps), delta - alpha + 2 * (n - 1) * (alpha + b));
        for (const char* name : {"halving_doubling", "swing"})
          EXPECT_EQ(cycles("always", of(all_reduce, name)), (2 * q - 1) * delta + 2 * (n - 1) * b) << name;
        EXPECT_EQ(cycles("always", of(all_reduce, "recursive_doubling")), q * (delta + s));
        EXPECT_EQ(cycles("always", of(all_to_all, "ring")), delta + n * (n - 1) / 2 * b);
        EXPECT_EQ(cycles("always", of(all_to_all, "linear")), (n - 1) * (delta + b));
        EXPECT_EQ(cycles("never", of(all_to_all, "linear")), delta - alpha + n * (n - 1) / 2 * (alpha + b));
        EXPECT_EQ(cycles("always", of(all_to_all, "bruck")), q * (delta + n * b / 2));
        EXPECT_EQ(cycles("never", of(all_to_all, "bruck")), delta - alpha + (n - 1) * (alpha + n * b / 2));
      }
}

/// The best cut of `legs` legs, leg k of power power[k] and longest burst words[k], into segments on one shift each.
std::int64_t best_cut(const std::vector<int>& power, const std::vector<std::int64_t>& words, SwitchTimes times) {
  std::vector<std::int64_t> best(power.size() + 1, 0);
  for (std::size_t end = 1; end <= power.size(); ++end) {
    best[end] = std::numeric_limits<std::int64_t>::max();
    for (std::size_t first = 0; first < end; ++first) {
      const int least = *std::min_element(power.begin() + static_cast<std::ptrdiff_t>(first),
                                          power.begin() + static_cast<std::ptrdiff_t>(end));
      std::int64_t sum = best[first] + times.delta - times.alpha;
      for (std::size_t k = first; k < end; ++k)
        sum += (std::int64_t{1} << (power[k] - least)) * (times.alpha + words[k]);
      best[end] = std::min(best[end], sum);
    }
  }
  return best.back();
}

TEST(Theorem, OfBruckHoldsAgainstTheBestCut) {
  for (const CollectiveKind kind : {all_gather, reduce_scatter, all_to_all})
    for (const int q : {2, 3, 4, 5})
      for (const std::int64_t delta : {1, 20, 100, 400, 2000, 30000}) {
        const LegSequence one = sequence_of(kind, "bruck", 1 << q, (1 << q) * 10, {delta, 1});
        std::vector<int> power;
        std::vector<std::int64_t> words;
        for (const Leg& leg : one.legs) {
          int k = 0;
          while (1 << k < leg.transfers[0].receiver) ++k;
          power.push_back(k), words.push_back(leg.transfers[0].words.n);
        }
        EXPECT_EQ(cycles("optimal", one), best_cut(power, words, one.times)) << name_of(kind) << q << " " << delta;
      }
}

/// For an all_to_all the best cut is even.
TEST(Theorem, OfBruckHasAClosedFormForAllToAll) {
  for (const int q : {2, 3, 4, 5, 6})
    for (const std::int64_t delta : {1, 50, 300, 5000}) {
      const std::int64_t n = std::int64_t{1} << q, b = 10, alpha = 1;
      std::int64_t best = std::numeric_limits<std::int64_t>::max();
      for (int m = 1; m <= q; ++m) {
        const int j = q / m, r = q % m;
        const std::int64_t legs = (m - r) * ((std::int64_t{1} << j) - 1) + r * ((std::int64_t{2} << j) - 1);
        best = std::min(best, m * (delta - alpha) + legs * (alpha + n * b / 2));
      }
      EXPECT_EQ(cycles("optimal", sequence_of(all_to_all, "bruck", 1 << q, n * b, {delta, alpha})), best);
    }
}

TEST(Optimal, IsPlannedInLessThanASecond) {
  for (const auto& [algorithm, ranks] : {std::pair{"linear", 64}, {"bruck", 256}}) {
    const LegSequence one = sequence_of(all_to_all, algorithm, ranks, 64 * ranks, {20'000, 1});
    const auto begun = std::chrono::steady_clock::now();
    const ReconfigurationPlan best = optimal_plan(one);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count();
    RecordProperty(algorithm, std::to_string(seconds));
    std::printf("optimal for %d ranks of all_to_all %s: %zu legs, %zu candidates, %.3f s\n", ranks, algorithm,
                one.legs.size(), one.candidates.size(), seconds);
    EXPECT_EQ(best.moves.size(), one.legs.size());
    EXPECT_LT(seconds, sanitized ? 60.0 : 1.0);
  }
}

TEST(Policies, HaveNoPlanWhereAReceiverIsOutOfReach) {
  LegSequence one = sequence_of(all_to_all, "linear", 4, 40, {10, 1});
  one.candidates = {dark_map(4)};
  EXPECT_FALSE(plan("never", one));
  EXPECT_FALSE(plan("best_static", one));
  EXPECT_EQ(cycles("optimal", one), cycles("always", one));
  one.candidates.clear();
  EXPECT_FALSE(plan("never", one));
  EXPECT_FALSE(plan("best_static", one));
}

TEST(Policies, RefuseWhatCannotBePlanned) {
  const auto refused = [](const auto& spoil) {
    LegSequence one = sequence_of(all_reduce, "ring", 4, 40, {10, 1});
    spoil(one);
    return refusal([&] { check(one); });
  };
  EXPECT_EQ(refused([](LegSequence& s) { s.times.alpha = 11; }),
            "delta is 10 cycles and alpha 11, but 1 <= alpha <= delta is needed");
  EXPECT_EQ(refused([](LegSequence& s) { s.start = {1, 1, -1, -1}; }), "the map at the start leads to node 1 twice");
  EXPECT_EQ(refused([](LegSequence& s) { s.start = {1, 4, -1, -1}; }), "the map at the start leads to node 4 of 4");
  EXPECT_EQ(refused([](LegSequence& s) { s.candidates.push_back({1}); }),
            "candidate 1 has entries for 1 nodes, but there are 4");
  EXPECT_EQ(refused([](LegSequence& s) { s.legs[0].gap = std::numeric_limits<std::int64_t>::max(); }),
            "words, gaps and delta must be so small that no plan can last 2^62 cycles");
}

TEST(Policies, RefuseMapsWithoutEnd) {
  const auto of = [](const char* name, std::uint32_t nodes) {
    return refusal([&] { candidate_maps(std::vector<CandidateChoice>{name}, nodes, {}); });
  };
  EXPECT_EQ(of("rings", 4), "unknown candidates \"rings\"; known: ring, back, shifts, steps, all, a map");
  EXPECT_EQ(of("all", 9), "candidates \"all\" of 9 nodes are 8361360 maps; at most 1048576 can be tried");
  EXPECT_NE(of("all", 256).find("are more than"), std::string::npos);
}

/// Every part of a ring of 18 nodes that carries the one burst.
TEST(Policies, RefuseMoreThan65536Maps) {
  LegSequence one{18, legs_of(std::vector<TrafficPhase>{{PairPhase{{{0, 1, Words{5}}}}}}, 18, 1), {10, 1}, {}, {}};
  one.start = dark_map(18);
  const auto add = [&](std::uint32_t from, std::uint32_t to) {
    for (std::uint32_t part = from; part < to; ++part) {
      PortMap map = shift_map(18, 1);
      for (std::size_t k = 0; k < 17; ++k)
        if ((part >> k & 1) == 0) map[k + 1] = -1;
      one.candidates.push_back(map);
    }
  };
  add(0, 65'536);
  EXPECT_EQ(optimal_plan(one).cost, (LegCost{15, 1})) << "as many as can be";
  add(65'536, 65'537);
  EXPECT_EQ(refusal([&] { optimal_plan(one); }),
            "65537 maps can be reached at the leg of steps 0 to 0; at most 65536 can be planned with");
}

TEST(Phases, RefuseWhatIsNoTraffic) {
  const auto of_pairs = [](std::vector<LegTransfer> pairs) {
    return refusal([&] { legs_of(std::vector<TrafficPhase>{{PairPhase{std::move(pairs)}}}, 4, 1); });
  };
  EXPECT_EQ(of_pairs({{0, 1, Words{0}}}), "phase 0 has no words");
  EXPECT_EQ(of_pairs({{0, 1, Words{1}}, {2, 1, Words{1}}}),
            "phase 0 uses a port of pair 2 to 1 twice; pairs must be a partial permutation");
  EXPECT_EQ(of_pairs({{0, 4, Words{1}}}), "phase 0 has a pair of nodes 0 and 4, which aren't two of 4");
  const auto of_groups = [](std::vector<std::vector<std::uint16_t>> groups) {
    return refusal([&] {
      const Collective list = make_collective(all_reduce, "ring", 2);
      legs_of(std::vector<TrafficPhase>{{GroupPhase{list, block_words(Words{8}, 2), std::move(groups)}}}, 4, 1);
    });
  };
  EXPECT_EQ(of_groups({{0, 1}, {1, 2}}), "phase 0 names node 1 twice");
  EXPECT_EQ(of_groups({{0, 4}}), "phase 0 names node 4 of 4");
  EXPECT_EQ(of_groups({{0, 1}, {2}}), "phase 0 has groups of 2 and of 1 ranks; all must be of one size");
  EXPECT_EQ(of_groups({}), "phase 0 has no groups");
}

/// A bidirectional ring is two copies: half the words, the same way.
TEST(Planes, OfCopiesShareTheWords) {
  const LegSequence half = sequence_of(all_reduce, "ring", 8, 400, {100, 1});
  const std::vector<ReconfigurationPlan> plans(2, optimal_plan(half));
  EXPECT_EQ(copies(plans), (LegCost{100 + 2 * 7 * 50, 16}));
}

TEST(Planes, OverlapIsNeverSlowerThanTheOtherRules) {
  std::mt19937 random(5);
  for (const CollectiveEntry& entry : collectives())
    for (const std::uint32_t planes : {2u, 3u})
      for (int k = 0; k < 3; ++k) {
        const std::int64_t alpha = 1 + static_cast<std::int64_t>(random() % 3);
        const SwitchTimes times{alpha + static_cast<std::int64_t>(random() % 300), alpha};
        const Collective list = make_collective(entry.kind, entry.name, 8);
        const PlaneSteps steps{test::steps_of_list(list, sizes_of(list, Words{80})), planes, times};
        EXPECT_LE(overlap(steps).cost, together(steps).cost) << name_of(entry.kind) << entry.name;
        EXPECT_LE(overlap(steps).cost, alternate(steps).cost) << name_of(entry.kind) << entry.name;
      }
}

/// Cycles that a plan takes, counted one by one: each plane sets up the pairs that the plan names, and its carriers send
/// from the cycle in which they are up. Nothing else of the plan is used. -1: the plan can't be executed.
std::int64_t cycles_of_planes(const PlaneSteps& all, const PlanePlan& plan) {
  struct Plane {
    std::vector<PortPair> pairs;
    std::int64_t up = 0;
  };
  std::vector<Plane> planes(all.planes);
  for (std::size_t p = 0; p < all.start.size(); ++p) planes[p].pairs = all.start[p];
  std::int64_t now = 0;
  for (std::size_t s = 0; s < all.steps.size(); ++s) {
    const std::int64_t asked = now + all.gap(s);
    for (const PlaneStep::Told& told : plan.steps[s].told)
      planes[told.plane] = {pairs_of(all.steps[told.step]), (all.times.preset ? now : asked) + all.times.delta};
    std::vector<std::int64_t> left;
    for (const LegTransfer& one : all.steps[s]) left.push_back(one.words.n);
    const auto open = [&] {
      return std::any_of(left.begin(), left.end(), [](std::int64_t words) { return words > 0; });
    };
    std::int64_t t = asked;
    for (; open(); ++t) {  // in cycle t every carrier passes a word of every pair
      if (t > now + (std::int64_t{1} << 20)) return -1;
      for (const PlaneCarrier& carrier : plan.steps[s].carriers) {
        const Plane& plane = planes[carrier.plane];
        if (plane.pairs != pairs_of(all.steps[s]) || t < plane.up || t < asked + all.times.alpha) continue;
        for (std::int64_t& words : left) --words;
      }
    }
    now = t;
  }
  return now;
}

/// A few steps with some pairs that come again, any times, planes that have something or nothing.
PlaneSteps drawn_plane_steps(std::mt19937& random, std::uint32_t planes, std::size_t number) {
  PlaneSteps all{{}, planes, {}};
  all.times.alpha = 1 + static_cast<std::int64_t>(random() % 4);
  all.times.delta = all.times.alpha + static_cast<std::int64_t>(random() % 40);
  all.times.preset = random() % 2 == 0;
  const std::vector<std::vector<PortPair>> kinds = {{{0, 1}, {1, 0}}, {{0, 2}}, {{1, 2}, {2, 1}}};
  for (std::size_t s = 0; s < number; ++s) {
    auto& step = all.steps.emplace_back();
    for (const auto& [from, to] : kinds[random() % kinds.size()])
      step.push_back({from, to, Words{1 + static_cast<std::int64_t>(random() % 30)}});
    all.gaps.push_back(random() % 3 == 0 ? static_cast<std::int64_t>(random() % 20) : 0);
  }
  if (random() % 2 == 0)
    for (std::uint32_t p = 0; p < planes; ++p) all.start.push_back(kinds[random() % kinds.size()]);
  return all;
}

/// Least (cycles, changes) of all ways to tell planes, each step by brute force.
PlaneCost best_of_planes(const PlaneSteps& all) {
  PlaneCost best{std::int64_t{1} << 40, 0};
  PlanePlan plan;
  const std::function<void(std::vector<std::vector<PortPair>>)> go =
      [&](const std::vector<std::vector<PortPair>>& has) {
        const std::size_t s = plan.steps.size();
        if (s == all.steps.size()) {
          const std::int64_t cycles = cycles_of_planes(all, plan);
          if (cycles >= 0) best = std::min(best, {cycles, plan.cost.changes});
          return;
        }
        const std::size_t choices = std::min(all.steps.size() - s, std::size_t{all.planes}) + 1;  // the last one: stay
        std::vector<std::size_t> choice(all.planes, 0);
        for (bool more = true; more;) {
          std::vector<std::vector<PortPair>> then = has;
          PlaneStep step{{}, {}, 0};
          for (std::uint32_t p = 0; p < all.planes; ++p) {
            const auto told = static_cast<std::uint32_t>(s + choice[p]);
            if (choice[p] + 1 < choices && then[p] != pairs_of(all.steps[told])) {
              step.told.push_back({p, told});
              then[p] = pairs_of(all.steps[told]);
            }
            if (then[p] == pairs_of(all.steps[s])) step.carriers.push_back({p, 0});
          }
          if (!step.carriers.empty()) {
            plan.cost.changes += static_cast<std::int64_t>(step.told.size());
            plan.steps.push_back(step);
            go(then);
            plan.steps.pop_back();
            plan.cost.changes -= static_cast<std::int64_t>(step.told.size());
          }
          more = false;
          for (std::uint32_t p = 0; p < all.planes && !more; ++p) {
            more = ++choice[p] < choices;
            if (!more) choice[p] = 0;
          }
        }
      };
  std::vector<std::vector<PortPair>> has = all.start;
  has.resize(all.planes);
  go(has);
  return best;
}

TEST(Planes, OverlapIsTheBestOfAllWaysToTellPlanes) {
  std::mt19937 random(11);
  for (int k = 0; k < 150; ++k) {
    SCOPED_TRACE(k);
    const PlaneSteps all = drawn_plane_steps(random, 2, 1 + random() % 4);
    EXPECT_EQ(overlap(all).cost, best_of_planes(all));
  }
  for (int k = 0; k < 5; ++k) {
    SCOPED_TRACE(k);
    const PlaneSteps all = drawn_plane_steps(random, 3, 3);
    EXPECT_EQ(overlap(all).cost, best_of_planes(all));
  }
}

TEST(Planes, OfEveryRuleTakeTheCyclesOfTheirPlan) {
  std::mt19937 random(12);
  for (int k = 0; k < 300; ++k)
    for (const PlaneRule& rule : plane_rules()) {
      SCOPED_TRACE(std::to_string(k) + " " + std::string(rule.name));
      const PlaneSteps all = drawn_plane_steps(random, 1 + random() % 4, 1 + random() % 8);
      const PlanePlan plan = rule.plan(all);
      EXPECT_EQ(cycles_of_planes(all, plan), plan.cost.cycles);
      std::size_t told = 0;
      for (const PlaneStep& step : plan.steps) told += step.told.size();
      EXPECT_EQ(plan.cost.changes, static_cast<std::int64_t>(told));
    }
}

/// Pairs that come again make a plane worth keeping as it is: mixtures of what planes have add up.
TEST(Planes, RefuseMoreStatesThanCanBePlannedWith) {
  PlaneSteps all{{}, 3, {300, 1}};
  for (std::uint16_t s = 0; s < 24; ++s) {
    const auto from = static_cast<std::uint16_t>(s % 12);
    all.steps.push_back({{from, static_cast<std::uint16_t>(from + 1), Words{100 + 7 * s}}});
  }
  EXPECT_EQ(refusal([&] { overlap_within(100, all); }),
            "101 states of planes can be reached at a step; at most 100 can be planned with");
  EXPECT_EQ(overlap(all).cost, overlap_within(65'536, all).cost);
  all.planes = 16;
  EXPECT_EQ(
      refusal([&] { overlap(all); }),
      "16 planes can each be told 12 maps at a step, in 1 states; these are more than 2^26 ways, too many to plan "
      "with");
}

/// Planes that begin at once carry in their order; one that is up when all words have passed carries none.
TEST(Planes, CarryInTheOrderInWhichTheyAreUp) {
  const std::vector<LegTransfer> step = {{0, 1, Words{4}}};
  PlaneSteps steps{{step}, 2, {30, 1}};
  const PlanePlan dark = together(steps);
  EXPECT_EQ(dark.cost, (PlaneCost{30 + 2, 2}));
  EXPECT_EQ(dark.steps[0].carriers, (std::vector<PlaneCarrier>{{0, 30}, {1, 30}}));
  steps.start = {{}, pairs_of(step)};
  const PlanePlan one_up = together(steps);
  EXPECT_EQ(one_up.cost, (PlaneCost{1 + 4, 1}));
  EXPECT_EQ(one_up.steps[0].carriers, (std::vector<PlaneCarrier>{{1, 1}}));
}

/// With one plane all rules are the same: it is told the pairs of each step.
TEST(Planes, OfOneAreASwitchThatSetsUpEachStep) {
  const LegSequence one = sequence_of(all_to_all, "linear", 8, 80, {30, 2}, no_streaming);
  const Collective list = make_collective(all_to_all, "linear", 8);
  const PlaneSteps steps{test::steps_of_list(list, sizes_of(list, Words{80})), 1, {30, 2}};
  for (const auto rule : {together, alternate, overlap})
    EXPECT_EQ(rule(steps).cost, (PlaneCost{cycles("always", one), 7}));
}

}  // namespace
}  // namespace ocs::test
