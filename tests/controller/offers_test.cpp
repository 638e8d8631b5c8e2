// What cannot be offered, and what a network needs to be made.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/controller/rig.hpp"

namespace ocs::test {
namespace {

std::string refusal(Rig& rig, const Transfer& transfer) {
  try {
    rig.network->offer(transfer);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

Transfer transfer(std::uint32_t id, std::uint16_t from, std::uint16_t to, std::int64_t bytes = 64) {
  return {Id{id}, Id{1}, Node{from}, {Node{to}}, Bytes{bytes}, Picos{0}};
}

TEST(Offers, AreRefusedWithTheReason) {
  Rig rig({});
  EXPECT_EQ(refusal(rig, transfer(1, 0, 2)), "accepted");
  EXPECT_EQ(refusal(rig, transfer(1, 0, 2)), "transfer 1 is under way already; each needs an Id of its own");
  EXPECT_EQ(refusal(rig, transfer(2, 3, 3)), "transfer 2 goes from node 3 to itself; it needs no network");
  EXPECT_EQ(refusal(rig, transfer(2, 4, 3)), "transfer 2 names node 4, but the switch has 4 ports");
  EXPECT_EQ(refusal(rig, transfer(2, 0, 999)), "transfer 2 names node 999, but the switch has 4 ports");
  EXPECT_EQ(refusal(rig, transfer(2, 0, 1, 0)), "transfer 2 has 0 bytes, not 1 byte to 4294967295 words of 64");
  EXPECT_NE(refusal(rig, transfer(2, 0, 1, std::int64_t{1} << 38)), "accepted");
  Transfer several = transfer(2, 0, 1);
  several.to.push_back(Node{2});
  EXPECT_EQ(refusal(rig, several), "transfer 2 goes to several nodes, but multicast is off");
  several.to.clear();
  EXPECT_EQ(refusal(rig, several), "transfer 2 goes to nobody");
}

TEST(Offers, OfThePastAreRefused) {
  Rig rig({});
  std::vector<Delivery> deliveries;
  rig.network->advance(Picos{100}, deliveries);
  Transfer late = transfer(1, 0, 2);
  late.ready = Picos{99};
  EXPECT_EQ(refusal(rig, late), "transfer 1 is offered for 99 ps, but it is 100 ps already");
  late.ready = Picos{100};
  EXPECT_EQ(refusal(rig, late), "accepted");
}

TEST(Offers, ToOneReceiverTwiceAreRefused) {
  Rig rig({.multicast = true}, std::make_unique<OneByOne>());
  Transfer twice = transfer(2, 0, 1);
  twice.to.push_back(Node{1});
  EXPECT_EQ(refusal(rig, twice), "transfer 2 names a receiver twice");
}

TEST(Offers, TooLongForOneBurstWaitForTheNextPlan) {
  Rig rig({});
  const std::int64_t most = (std::int64_t{1} << 32) - 1;
  rig.offer(1, 0, {2}, most - 1);
  rig.offer(2, 0, {2}, 2);
  rig.offer(3, 0, {2}, 1);
  std::vector<Delivery> deliveries;
  rig.network->advance(Picos{2 * most * cycle_ps}, deliveries);
  EXPECT_EQ(deliveries.size(), 2u);
  rig.network->advance(Picos{2 * most * cycle_ps}, deliveries);
  EXPECT_EQ(texts_of(deliveries),
            (std::vector<std::string>{"at 4294967296: 1 to 2 [0+4294967294] final", "at 4294967296: 3 to 2 [0+1] final",
                                      "at 4294967299: 2 to 2 [0+2] final"}));
}

TEST(Offers, ThatNobodyPlansAreNotWaitedForForEver) {
  Rig rig({});
  std::vector<Delivery> deliveries;
  EXPECT_THROW(rig.network->advance(never<Picos>, deliveries), Error);
  rig.network->advance(Picos{100}, deliveries);
  EXPECT_THROW(rig.network->advance(Picos{99}, deliveries), Error);
}

TEST(ANetwork, NeedsAPlanChecker) {
  Rig rig({});
  EXPECT_THROW(CircuitNetwork(*rig.plane, *rig.scheduler, {}), Error);
}

TEST(ANetwork, RunsNoPlanThatTheCheckerRefuses) {
  struct Wrong final : Scheduler {
    Plan plan(const Problem& problem) const override {
      Plan plan = OneByOne().plan(problem);
      plan.list[0].up = plan.list[0].up - Ticks{1};
      return plan;
    }
  };
  Rig rig({.tuning = 3}, std::make_unique<Wrong>());
  rig.offer(1, 0, {2}, 10);
  std::vector<Delivery> deliveries;
  EXPECT_THROW(rig.network->advance(Picos{100 * cycle_ps}, deliveries), Error);
  EXPECT_EQ(rig.plane->counters(2).reconfigurations, 0);
}

}  // namespace
}  // namespace ocs::test
