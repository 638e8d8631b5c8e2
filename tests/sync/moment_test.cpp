// The chosen moment against all selections; batches against the published table's rule.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/moment.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <tuple>

#include "host/core/error.hpp"
#include "testbed/sync/batch.hpp"
#include "tests/sync/random_input.hpp"

namespace ocs {
namespace {

using abstract::pick;

/// Tries every selection of one end a worker: least cost, then least moment.
std::pair<std::int64_t, std::int64_t> least_of_all(const std::vector<std::vector<Ticks>>& ends, Objective objective) {
  std::vector<std::size_t> chosen(ends.size());
  std::pair<std::int64_t, std::int64_t> best{INT64_MAX, INT64_MAX};
  while (true) {
    std::int64_t first = INT64_MAX, last = 0, sum = 0;
    for (std::size_t w = 0; w < ends.size(); ++w) {
      const std::int64_t at = ends[w][chosen[w]].n;
      first = std::min(first, at);
      last = std::max(last, at);
      sum += at;
    }
    const std::int64_t total = last * static_cast<std::int64_t>(ends.size()) - sum;
    best = std::min(best, {objective == Objective::range ? last - first : total, last});
    std::size_t w = 0;
    while (w < ends.size() && ++chosen[w] == ends[w].size()) chosen[w++] = 0;
    if (w == ends.size()) return best;
  }
}

TEST(ChosenMoment, IsTheBestOfAllSelections) {
  EXPECT_TRUE(rc::check([] {
    std::vector<std::vector<Ticks>> ends(pick(1, 4));
    for (auto& of_worker : ends) {
      std::int64_t at = 0;
      for (std::uint32_t k = pick(1, 5); k > 0; --k) of_worker.push_back({at += pick(0, 12)});
    }
    const auto objective = pick(0, 1) == 1 ? Objective::total : Objective::range;
    const Moment moment = choose_moment(ends, objective);
    std::int64_t first = INT64_MAX, sum = 0;
    for (std::size_t w = 0; w < ends.size(); ++w) {
      const auto up_to = std::upper_bound(ends[w].begin(), ends[w].end(), moment.at);
      RC_ASSERT(moment.quota[w] == static_cast<std::uint32_t>(up_to - ends[w].begin()));
      RC_ASSERT(moment.quota[w] >= 1u);
      first = std::min(first, ends[w][moment.quota[w] - 1].n);
      sum += ends[w][moment.quota[w] - 1].n;
    }
    const std::int64_t total = moment.at.n * static_cast<std::int64_t>(ends.size()) - sum;
    const auto [cost, at] = least_of_all(ends, objective);
    RC_ASSERT((objective == Objective::range ? moment.at.n - first : total) == cost);
    RC_ASSERT(moment.at.n == at);
  }));
}

TEST(ChosenMoment, NeedsAnEndOfEveryWorker) {
  EXPECT_THROW(choose_moment({}, Objective::range), Error);
  EXPECT_THROW(choose_moment({{Ticks{1}}, {}}, Objective::range), Error);
}

TEST(Batch, RoundsHalvesUpAndSaturates) {
  EXPECT_EQ(adapted_batch(10, Ticks{1}, 1, Ticks{2}), 11u);
  EXPECT_EQ(adapted_batch(10, Ticks{1}, 1, Ticks{3}), 10u);
  EXPECT_EQ(adapted_batch(10, Ticks{2}, 1, Ticks{3}), 11u);
  EXPECT_EQ(adapted_batch(10, Ticks{INT64_MAX}, UINT64_MAX, Ticks{1}), UINT32_MAX);
  EXPECT_THROW(adapted_batch(10, Ticks{-1}, 1, Ticks{1}), Error);
  EXPECT_THROW(adapted_batch(10, Ticks{1}, 1, Ticks{0}), Error);
}

TEST(Batch, IsKeptWithinItsBoundsAndNotChangedForLittle) {
  EXPECT_EQ(next_batch(100, 104, 1, 1000), 100u);
  EXPECT_EQ(next_batch(100, 105, 1, 1000), 105u);
  EXPECT_EQ(next_batch(100, 500, 1, 200), 200u);
}

}  // namespace
}  // namespace ocs
