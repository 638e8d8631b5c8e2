// Matching and shifts of event logs.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/events/log_difference.hpp"

#include <gtest/gtest.h>

namespace ocs::test {
namespace {

Event event(std::int64_t at, EventKind kind, std::uint16_t port, std::int64_t words = 0) {
  return {.at = Cycles{at}, .kind = kind, .port = port, .words = {Words{0}, Words{words}}};
}

constexpr Picos cycle{1000};

TEST(LogDifference, OfEqualLogsIsNone) {
  const std::vector<Event> log{event(5, EventKind::committed, 0), event(5, EventKind::up, 1)};
  EXPECT_TRUE(difference_of(log, cycle, log, cycle).same());
  EXPECT_TRUE(difference_of({}, cycle, {}, cycle).same());
}

TEST(LogDifference, DoesNotMindWhoGaveACommitButWhereAnOutputIs) {
  const std::vector<Event> software{event(5, EventKind::committed, 0)}, timed{event(5, EventKind::committed, 1)};
  EXPECT_TRUE(difference_of(software, cycle, timed, cycle).same());
  const std::vector<Event> one{event(5, EventKind::up, 1)}, other{event(5, EventKind::up, 2)};
  const LogDifference difference = difference_of(one, cycle, other, cycle);
  EXPECT_EQ(difference.only_first.size(), 1u);
  EXPECT_EQ(difference.only_second.size(), 1u);
}

TEST(LogDifference, ComparesInTimeNotInCycles) {
  const std::vector<Event> fast{event(10, EventKind::up, 1)}, slow{event(5, EventKind::up, 1)};
  EXPECT_TRUE(difference_of(fast, cycle, slow, Picos{2000}).same());
}

TEST(LogDifference, SaysShiftsByKindAndTheFirstOne) {
  const std::vector<Event> first{event(10, EventKind::up, 1), event(20, EventKind::up, 2),
                                 event(30, EventKind::run, 1, 4), event(40, EventKind::up, 1)};
  const std::vector<Event> second{event(10, EventKind::up, 1), event(23, EventKind::up, 2),
                                  event(29, EventKind::run, 1, 4)};
  const LogDifference difference = difference_of(first, cycle, second, cycle);
  ASSERT_EQ(difference.kinds.size(), 2u);
  EXPECT_EQ(difference.kinds.at(EventKind::up).events, 2);
  EXPECT_EQ(difference.kinds.at(EventKind::up).shifted, 1);
  EXPECT_EQ(difference.kinds.at(EventKind::up).largest, Picos{3000});
  EXPECT_EQ(difference.kinds.at(EventKind::run).largest, Picos{-1000});
  EXPECT_EQ(difference.size_quantile(1'000'000), Picos{3000});
  EXPECT_EQ(difference.size_quantile(500'000), Picos{1000});
  ASSERT_EQ(difference.only_first.size(), 1u);
  EXPECT_EQ(difference.only_first.front().at, Cycles{40});
  ASSERT_TRUE(difference.first_shift);
  EXPECT_EQ(difference.first_shift->first.at, Cycles{20});
  const std::string text = to_text(difference);
  EXPECT_NE(text.find("1 only in the first log, first: cycle 40  output 1 up"), std::string::npos) << text;
}

TEST(LogDifference, CountsOtherWords) {
  const std::vector<Event> first{event(30, EventKind::run, 1, 4)}, second{event(30, EventKind::run, 1, 3)};
  EXPECT_EQ(difference_of(first, cycle, second, cycle).other_words, 1);
  EXPECT_FALSE(difference_of(first, cycle, second, cycle).same());
}

}  // namespace
}  // namespace ocs::test
