// SELMCAST's figures of docs/sync-schemes.md, section 4, within their tolerances: seed 1.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/multicast_list.hpp"
#include "testbed/selection/policies.hpp"
#include "tests/selection/study.hpp"

namespace ocs::test {
namespace {

constexpr std::uint64_t seed = 1;

void expect(const StudyCase& one, double network, double application, double random, double receivers) {
  const StudyRow row = study(one, seed);
  SCOPED_TRACE(std::to_string(one.peers) + " peers, lambda " + std::to_string(one.lambda_percent) + " %");
  EXPECT_NEAR(row.network, network, .03);
  EXPECT_NEAR(row.application, application, .03);
  EXPECT_NEAR(row.random, random, .08);
  EXPECT_NEAR(row.application_receivers, receivers, .03);
  EXPECT_NEAR(row.network_receivers, .3, .001) << "the network layer keeps exactly p";
}

TEST(Figures, OfTheReproductionTable) {
  expect({50, 25, 10}, 1.03, 1.32, 1.74, .383);
  expect({100, 25, 10}, 1.03, 1.33, 1.65, .387);
  expect({200, 25, 5}, 1.01, 1.33, 1.60, .393);
  expect({100, 50, 10}, 1.04, 1.97, 2.24, .552);
}

/// Where senders are so slow that one block takes them as long as p take a receiver.
TEST(Figures, OfSlowSenders) {
  EXPECT_NEAR(study({.peers = 100, .lambda_percent = 25, .draws = 10, .sender_rate = 0}, seed).network_receivers, .39,
              .03);
}

/// Planned without delta and paid afterwards, against planned with it.
TEST(Figures, OfDeltaInTheAdmissionTest) {
  const auto row = [](std::int64_t delta, bool planned) {
    return study({.peers = 50, .lambda_percent = 25, .draws = 10, .delta_ns = delta, .planned_with_delta = planned},
                 seed);
  };
  const struct {
    std::int64_t delta;
    double application, application_planned, network, network_planned;
  } rows[] = {
      {100'000, 1.34, 1.29, 1.04, 1.03}, {1'000'000, 1.46, 1.16, 1.13, 1.04}, {10'000'000, 1.57, 1.03, 1.23, 1.03}};
  for (const auto& one : rows) {
    SCOPED_TRACE("delta " + std::to_string(one.delta) + " ns");
    const StudyRow blind = row(one.delta, false), planned = row(one.delta, true);
    EXPECT_NEAR(blind.application, one.application, .03);
    EXPECT_NEAR(planned.application, one.application_planned, .03);
    EXPECT_NEAR(blind.network, one.network, .03);
    EXPECT_NEAR(planned.network, one.network_planned, .03);
  }
}

/// In tau: one circuit to all receivers of a sender, or one to each.
std::int64_t makespan(const PeerPairs& pairs, bool multicast) {
  const Problem problem = as_flows(pairs, Ticks{90}, Ticks{10}, multicast);
  const Plan plan = MulticastList().plan(problem);
  check_plan(problem, plan);
  Ticks end;
  for (const Reservation& r : plan.list) end = std::max(end, r.end);
  EXPECT_EQ(end.n % 100, 0);
  return end.n / 100;
}

TEST(Makespans, OfPlansOnTheCrossbar) {
  const struct {
    std::uint16_t peers;
    std::uint32_t least;
    std::int64_t multicast, as_unicast, unicast, bound;
    double random, random_unicast;
  } rows[] = {{8, 2, 4, 7, 4, 3, 4.4, 4.4}, {16, 5, 7, 15, 7, 6, 11.4, 9.6}, {32, 10, 13, 31, 13, 11, 27.6, 15.2}};
  for (const auto& one : rows) {
    SCOPED_TRACE(std::to_string(one.peers) + " peers");
    const Ticks tau{100};
    const PeerPairs l3 = SelmcastBsp().select(equal_peers(one.peers, one.least, tau, Layer::network)).selected;
    const PeerPairs l7 = SelmcastBsp().select(equal_peers(one.peers, one.least, tau, Layer::application)).selected;
    EXPECT_EQ(makespan(l3, true), one.multicast);
    EXPECT_EQ(makespan(l3, false), one.as_unicast);
    EXPECT_EQ(makespan(l7, false), one.unicast);
    double random = 0, random_unicast = 0;
    for (std::uint64_t s = 1; s <= 200; ++s) {
      const PeerPairs drawn =
          RandomReceivers().select(equal_peers(one.peers, one.least, tau, Layer::network, s)).selected;
      random += static_cast<double>(makespan(drawn, true)) / 200;
      random_unicast += static_cast<double>(makespan(drawn, false)) / 200;
    }
    EXPECT_NEAR(random, one.random, one.random * .15);  // means of few draws, and not of the same
    EXPECT_NEAR(random_unicast, one.random_unicast, one.random_unicast * .15);
  }
}

}  // namespace
}  // namespace ocs::test
