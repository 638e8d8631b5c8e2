// Matchings, stuffing and slots: against the rules written down a second time, and by hand.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/slots/bvn.hpp"
#include "host/scheduler/slots/slot_run.hpp"
#include "host/scheduler/slots/solstice.hpp"
#include "host/scheduler/slots/tms.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

using test::Decision;
using test::decisions;
using test::problem;

/// The rule of the matching, row by row and column by column.
class LiteralMatching {
 public:
  explicit LiteralMatching(const std::vector<std::vector<bool>>& edges)
      : edges_(edges), n_(static_cast<int>(edges.size())), column_of_(edges.size(), -1), row_of_(edges.size(), -1) {
    for (bool gained = true; gained;) {
      layers();
      gained = false;
      seen_.assign(edges.size(), false);
      for (int row = 0; row < n_; ++row)
        if (column_of(row) < 0 && search(row)) gained = true;
    }
  }
  Matching pairs() const {
    Matching list;
    for (int row = 0; row < n_; ++row)
      if (column_of_[static_cast<std::size_t>(row)] >= 0)
        list.push_back(
            {static_cast<std::uint16_t>(row), static_cast<std::uint16_t>(column_of_[static_cast<std::size_t>(row)])});
    return list;
  }

 private:
  bool edge(int row, int column) const {
    return edges_[static_cast<std::size_t>(row)][static_cast<std::size_t>(column)];
  }
  int& column_of(int row) { return column_of_[static_cast<std::size_t>(row)]; }
  int& row_of(int column) { return row_of_[static_cast<std::size_t>(column)]; }
  int& layer(int row) { return layer_[static_cast<std::size_t>(row)]; }

  void layers() {
    layer_.assign(edges_.size(), -1);
    std::vector<int> queue;
    for (int row = 0; row < n_; ++row)
      if (column_of(row) < 0) {
        layer(row) = 0;
        queue.push_back(row);
      }
    for (std::size_t head = 0; head < queue.size(); ++head)
      for (int column = 0; column < n_; ++column) {
        if (!edge(queue[head], column) || row_of(column) < 0 || layer(row_of(column)) >= 0) continue;
        layer(row_of(column)) = layer(queue[head]) + 1;
        queue.push_back(row_of(column));
      }
  }

  bool search(int row) {
    seen_[static_cast<std::size_t>(row)] = true;
    for (int column = n_ - 1; column >= 0; --column) {
      if (!edge(row, column)) continue;
      const int other = row_of(column);
      if (other >= 0 && (seen_[static_cast<std::size_t>(other)] || layer(other) != layer(row) + 1 || !search(other)))
        continue;
      column_of(row) = column;
      row_of(column) = row;
      return true;
    }
    return false;
  }

  const std::vector<std::vector<bool>>& edges_;
  int n_;
  std::vector<int> column_of_, row_of_, layer_;
  std::vector<bool> seen_;
};

TEST(LargestMatching, DoesWhatTheRuleSaysRowByRow) {
  EXPECT_TRUE(rc::check([] {
    const auto ports = *rc::gen::inRange<std::size_t>(1, 90);
    const auto one_in = *rc::gen::element(1, 2, 4, 12);
    auto state = *rc::gen::arbitrary<std::uint64_t>();
    std::vector<std::vector<bool>> rows(ports, std::vector<bool>(ports, false));
    Edges edges(ports);
    for (std::size_t in = 0; in < ports; ++in)
      for (std::size_t out = 0; out < ports; ++out) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        if ((state >> 33) % static_cast<std::uint64_t>(one_in) != 0) continue;
        rows[in][out] = true;
        edges[in].insert(out);
      }
    RC_ASSERT(largest_matching(edges) == LiteralMatching(rows).pairs());
  }));
}

Problem any_dense_problem() {
  const int ports = *rc::gen::inRange(2, 10);
  std::vector<test::Row> flows;
  for (int in = 0; in < ports; ++in)
    for (int out = 0; out < ports; ++out)
      if (*rc::gen::inRange(0, 3) > 0) flows.push_back({in, out, *rc::gen::inRange(1, 50)});
  return problem(ports, *rc::gen::element<std::int64_t>(0, 1, 10), flows);
}

TEST(QuickStuff, MakesAllRowsAndColumnsInUseSumToTheBudget) {
  EXPECT_TRUE(rc::check([] {
    const Problem p = any_dense_problem();
    const Demand demand = read_demand(p, "the test");
    const Stuffed stuffed = quick_stuff(demand);
    const auto ports = static_cast<std::size_t>(p.ports);
    std::vector<std::int64_t> row(ports, 0), column(ports, 0);
    for (const auto& entry : stuffed.square.entries()) {
      row[entry.in] += entry.length;
      column[entry.out] += entry.length;
    }
    for (const auto* sums : {&row, &column})
      for (const std::int64_t sum : *sums) RC_ASSERT(sum == 0 || sum == stuffed.budget);
    for (const PairDemand& pair : demand.pairs) RC_ASSERT(stuffed.square.at(pair.in, pair.out) >= pair.length);
  }));
}

TEST(EveryDecomposition, HasSlotsThatTogetherLastTheBudget) {
  EXPECT_TRUE(rc::check([] {
    const Demand demand = read_demand(any_dense_problem(), "the test");
    for (const Decompose decompose : {bvn, solstice, tms}) {
      std::int64_t sum = 0;
      for (const Slot& slot : decompose(demand)) sum += slot.length;
      RC_ASSERT(sum == quick_stuff(demand).budget);
    }
  }));
}

TEST(EveryDecomposition, HoldsOnAnAllStopSwitchAndEndsNoLaterWhenCircuitsGoOn) {
  EXPECT_TRUE(rc::check([] {
    Problem p = any_dense_problem();
    for (const Decompose decompose : {bvn, solstice, tms}) {
      const Plan held = Decomposition("the test", decompose, SlotMode::hold).plan(p);
      check_plan(p, held);
      Problem stopped = p;
      stopped.all_stop = true;
      const Plan plan = Decomposition("the test", decompose, SlotMode::all_stop).plan(stopped);
      check_plan(stopped, plan);
      RC_ASSERT(plan_end(held, p.now) <= plan_end(plan, p.now));
    }
  }));
}

/// Solstice's rule once more, with a fresh look at the whole table for each matching.
std::vector<Slot> literal_solstice(Square left) {
  const auto ports = static_cast<std::size_t>(left.ports());
  const auto match = [&](std::int64_t threshold) {
    std::vector<std::vector<bool>> rows(ports, std::vector<bool>(ports, false));
    for (const auto& entry : left.entries()) rows[entry.in][entry.out] = entry.length > threshold;
    return LiteralMatching(rows).pairs();
  };
  std::int64_t largest = 0, threshold = 1;
  for (const auto& entry : left.entries()) largest = std::max(largest, entry.length);
  while (threshold * 2 <= largest) threshold *= 2;
  const std::size_t size = match(0).size();
  std::vector<Slot> slots;
  while (!left.entries().empty()) {
    while (match(threshold).size() < size) threshold = threshold == 1 ? 0 : threshold / 2;
    slots.push_back({largest, match(threshold)});
    for (const Pair& pair : slots.back().pairs)
      slots.back().length = std::min(slots.back().length, left.at(pair.in, pair.out));
    for (const Pair& pair : slots.back().pairs) left.at(pair.in, pair.out) -= slots.back().length;
  }
  return slots;
}

TEST(Solstice, DoesWhatTheRuleSaysSlotBySlot) {
  EXPECT_TRUE(rc::check([] {
    const Square stuffed = quick_stuff(read_demand(any_dense_problem(), "the test")).square;
    RC_ASSERT(solstice_slots(stuffed) == literal_solstice(stuffed));
  }));
}

TEST(Tms, PlaysSlotsOfFallingLength) {
  EXPECT_TRUE(rc::check([] {
    const auto slots = tms(read_demand(any_dense_problem(), "the test"));
    RC_ASSERT(std::is_sorted(slots.begin(), slots.end(), [](auto& a, auto& b) { return a.length > b.length; }));
  }));
}

TEST(Tms, BeginsWithTheMatchingWhoseSmallestEntryIsLargest) {
  // 0 sends 9 and 1, 1 sends 4 and 6: the diagonal lasts 6, the other one 1.
  const auto slots = tms(read_demand(problem(4, 10, {{0, 2, 9}, {0, 3, 1}, {1, 2, 1}, {1, 3, 9}}), "the test"));
  EXPECT_EQ(slots, (std::vector<Slot>{{9, {{0, 2}, {1, 3}}}, {1, {{0, 3}, {1, 2}}}}));
}

TEST(Slots, LetACircuitOfTwoSlotsInARowGoOn) {
  // Sums 9: slots of 6 (0-2 1-3) and 3, both with 4-5.
  const Problem p = problem(6, 10, {{0, 2, 6}, {0, 3, 3}, {1, 2, 3}, {1, 3, 6}, {4, 5, 9}});
  const auto made = [&](const char* name) { return decisions(make(schedulers(), name, "scheduler")->plan(p)); };
  EXPECT_EQ(made("solstice"), (std::vector<Decision>{{0, 2, 0, 10, 16},
                                                     {1, 3, 0, 10, 16},
                                                     {4, 5, 0, 10, 16},
                                                     {0, 3, 16, 26, 29},
                                                     {1, 2, 16, 26, 29},
                                                     {4, 5, 16, 26, 29}}));
  EXPECT_EQ(made("solstice_hold"),
            (std::vector<Decision>{
                {0, 2, 0, 10, 16}, {1, 3, 0, 10, 16}, {4, 5, 0, 10, 19}, {0, 3, 16, 26, 29}, {1, 2, 16, 26, 29}}));
}

TEST(Slots, UseWhatIsEstablishedAtTheOriginWhenCircuitsGoOn) {
  Problem p = problem(4, 10, {{0, 2, 20}, {1, 3, 20}});
  p.up = {test::circuit(0, 2)};
  EXPECT_EQ(decisions(make(schedulers(), "bvn_hold", "scheduler")->plan(p)),
            (std::vector<Decision>{{0, 2, 0, 0, 20}, {1, 3, 0, 10, 30}}));
  EXPECT_EQ(decisions(make(schedulers(), "bvn", "scheduler")->plan(p)),
            (std::vector<Decision>{{0, 2, 0, 10, 30}, {1, 3, 0, 10, 30}}));
}

TEST(Slots, SplitMergedFlowsAtTheEndsOfSlots) {
  const Problem p = problem(4, 10, {{0, 2, 4}, {0, 2, 5}, {0, 3, 2}, {1, 2, 2}, {1, 3, 9}});
  const Plan plan = make(schedulers(), "bvn", "scheduler")->plan(p);
  check_plan(p, plan);
}

TEST(Slots, RefuseWhatLastsBeyond64Bits) {
  const Demand demand = read_demand(problem(4, 10, {{0, 2, 4}}), "the test");
  SlotRun run(demand, SlotMode::hold);
  const Slot half{std::int64_t{1} << 62, {{1, 3}}};
  run.play(half);
  EXPECT_THROW(run.play(half), Error);
}

}  // namespace
}  // namespace ocs
