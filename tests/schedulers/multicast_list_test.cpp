// The list of multicasts: urgent flows first, and no port idle that a flow could use.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/multicast_list.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <map>

#include "host/scheduler/check_plan.hpp"
#include "tests/schedulers/support.hpp"

namespace ocs {
namespace {

Flow flow(std::uint32_t id, std::uint16_t in, unsigned long outs, std::int64_t length, std::int32_t priority) {
  return {Id{id}, Id{id}, Input{in}, Outputs{outs}, Ticks{length}, Ticks{0}, priority};
}

Problem problem_of(int ports, std::vector<Flow> flows) {
  Problem problem;
  problem.ports = ports;
  problem.delta = Ticks{10};
  problem.flows = std::move(flows);
  return problem;
}

/// When each flow starts.
std::map<std::uint32_t, std::int64_t> starts(const Problem& problem) {
  const Plan plan = MulticastList().plan(problem);
  check_plan(problem, plan);
  std::map<std::uint32_t, std::int64_t> all;
  for (const Reservation& r : plan.list) all[index(r.flow)] = r.start.n;
  return all;
}

using Starts = std::map<std::uint32_t, std::int64_t>;

TEST(MulticastList, LetsAnUrgentFlowGoBeforeAnEarlierAndWiderOne) {
  const auto both = [](std::int32_t wide, std::int32_t narrow) {
    return starts(problem_of(4, {flow(0, 0, 0b1110, 100, wide), flow(1, 1, 0b1000, 100, narrow)}));
  };
  EXPECT_EQ(both(0, 0), (Starts{{0, 0}, {1, 110}}));
  EXPECT_EQ(both(1, 0), (Starts{{0, 110}, {1, 0}}));
  EXPECT_EQ(both(-3, -7), (Starts{{0, 110}, {1, 0}}));
}

TEST(MulticastList, LetsOthersRunWhereNoUrgentFlowCan) {
  // Flow 1 is urgent, but waits for output 3; flow 2 takes output 2 meanwhile, which flow 1 needs too.
  EXPECT_EQ(starts(problem_of(4, {flow(0, 0, 0b1000, 100, 0), flow(1, 1, 0b1100, 100, 1), flow(2, 3, 0b0100, 20, 9)})),
            (Starts{{0, 0}, {1, 110}, {2, 0}}));
}

struct Span {
  Outputs in, outs;
  std::int64_t from, to;
  std::int32_t priority;
  bool shares(const Span& other) const { return (in & other.in).any() || (outs & other.outs).any(); }
};

TEST(MulticastList, IsStrictAndConservesWork) {
  EXPECT_TRUE(rc::check([] {
    const int ports = *rc::gen::inRange(2, 9);
    const auto count = *rc::gen::inRange<std::uint32_t>(1, 20);
    std::vector<Flow> flows;
    for (std::uint32_t id = 0; id < count; ++id) {
      const auto in = *rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(ports));
      const auto outs = *rc::gen::inRange<unsigned long>(1, 1UL << ports);
      flows.push_back(flow(id, in, outs, *rc::gen::inRange(1, 60), *rc::gen::inRange(0, 4)));
    }
    Problem problem = problem_of(ports, flows);
    std::vector<Span> spans;
    if (*rc::gen::arbitrary<bool>()) {
      problem.up.push_back({Plane{0}, Input{0}, Outputs{0b10}, Ticks{25}});
      spans.push_back({Outputs{1}, Outputs{0b10}, -1, 25, -1});
    }
    const Plan plan = MulticastList().plan(problem);
    check_plan(problem, plan);
    for (const Reservation& r : plan.list)
      spans.push_back({Outputs{}.set(index(r.in)), r.outs, r.start.n, r.end.n, flows[index(r.flow)].priority});
    for (const Span& waits : spans)
      for (const Span& ends : spans)
        for (const std::int64_t now : {std::int64_t{0}, ends.to}) {
          if (now >= waits.from) continue;
          // Something that is no less urgent, or had begun before, keeps it from starting.
          RC_ASSERT(std::any_of(spans.begin(), spans.end(), [&](const Span& other) {
            return other.from <= now && now < other.to && other.shares(waits) &&
                   (other.from < now || other.priority <= waits.priority);
          }));
        }
  }));
}

}  // namespace
}  // namespace ocs
