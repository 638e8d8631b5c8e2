// Transfers in, deliveries out: instants, sharing, reuse, and what the network says about itself.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/circuit_network.hpp"

#include <gtest/gtest.h>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class CircuitNetworks : public ::testing::TestWithParam<std::string> {
 protected:
  /// T = 3, L = 2: delta = 6.
  Rig& make(std::unique_ptr<Scheduler> own = nullptr, bool multicast = false) {
    return rig_.emplace(RigConfig{.device = GetParam(), .tuning = 3, .locking = 2, .multicast = multicast},
                        std::move(own));
  }
  std::optional<Rig> rig_;
};

/// Two at once, the next two 4 cycles later: light is there in cycle 6 and in cycle 10, and words a fibre after that.
TEST_P(CircuitNetworks, WordsComeAFibreAfterTheLightOfMirrorsThatAreProgrammedInTurn) {
  for (const bool paper : {false, true}) {
    SCOPED_TRACE(paper);
    const ControlTimes control{.fibre = Cycles{5}, .programming = Cycles{4}, .lanes = 2};
    Rig& rig =
        rig_.emplace(RigConfig{.device = GetParam(), .tuning = 3, .locking = 2, .control = control, .paper = paper});
    for (std::uint16_t from = 0; from < 4; ++from)
      rig.offer(1U + from, from, {static_cast<std::uint16_t>((from + 2) % 4)}, 10);
    EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 26: 3 to 0 [0+10] final", "at 26: 4 to 1 [0+10] final",
                                                  "at 30: 1 to 2 [0+10] final", "at 30: 2 to 3 [0+10] final"}));
    EXPECT_EQ(rig.network->stats().late, 2) << "no plan knows it";
    EXPECT_EQ(rig.network->stats().plans[0].makespan.n, 21);
  }
}

TEST_P(CircuitNetworks, ATransferArrivesWhenItsBurstHasEnded) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10, 100);
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 116: 1 to 2 [0+10] final"});
  EXPECT_EQ(rig.network->next(), never<Picos>);
  ASSERT_EQ(rig.network->stats().plans.size(), 1u);
  const PlanRecord& plan = rig.network->stats().plans[0];
  EXPECT_EQ(plan.asked.n, 100);
  EXPECT_EQ(plan.origin.n, 100);
  EXPECT_EQ(plan.ended.n, 116);
  EXPECT_EQ(plan.makespan.n, 16);
  EXPECT_EQ(plan.bound.n, 16);
  EXPECT_EQ(plan.set_ups, 1);
  EXPECT_EQ(rig.network->stats().transfers, 1);
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(CircuitNetworks, BytesAreRoundedUpToWordsAndInstantsToCycles) {
  Rig& rig = make();
  rig.network->offer({Id{1}, Id{1}, Node{0}, {Node{1}}, Bytes{65}, Picos{100 * cycle_ps + 1}});
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 109: 1 to 1 [0+2] final"});
}

/// Three transfers share a burst of 60 words; each counts at another of its nodes, or at both.
TEST_P(CircuitNetworks, MeasureATransferWhereItCounts) {
  Rig& rig = make();
  const auto offer = [&](std::uint32_t id, std::int64_t words, std::optional<Node> at) {
    rig.network->offer({.id = Id{id},
                        .coflow = Id{1},
                        .from = Node{0},
                        .to = {Node{2}},
                        .size = Bytes{words * 64},
                        .ready = Picos{0},
                        .counted_at = at});
  };
  offer(1, 10, Node{0});
  offer(2, 20, Node{2});
  offer(3, 30, std::nullopt);
  rig.deliver_all();
  ASSERT_EQ(rig.carried.size(), 1u) << "they share a burst";
  EXPECT_EQ(rig.network->use(Node{0}).bytes.n, 40 * 64);
  EXPECT_EQ(rig.network->use(Node{0}).busy.n, 40 * cycle_ps);
  EXPECT_EQ(rig.network->use(Node{2}).bytes.n, 50 * 64);
  EXPECT_EQ(rig.network->use(Node{2}).busy.n, 50 * cycle_ps);
}

TEST_P(CircuitNetworks, AnEstablishedCircuitIsUsedFromTheCycleAfterTheRequest) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10);
  rig.deliver_all();
  rig.offer(2, 0, {2}, 5, 50);
  rig.offer(3, 1, {3}, 5, 50);
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 56: 2 to 2 [0+5] final", "at 62: 3 to 3 [0+5] final"}));
  const PlanRecord& plan = rig.network->stats().plans[1];
  EXPECT_EQ(plan.asked.n, 50);
  EXPECT_EQ(plan.origin.n, 51);
  EXPECT_EQ(plan.set_ups, 1);
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(CircuitNetworks, ACircuitThatNobodyWantsDoesNotMoveTheOrigin) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10);
  rig.deliver_all();
  rig.offer(2, 0, {1}, 5, 50);
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 61: 2 to 1 [0+5] final"});
  EXPECT_EQ(rig.network->stats().plans[1].origin.n, 50);
}

TEST_P(CircuitNetworks, WhatIsReadyAtOneInstantIsPlannedAsOne) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10, 7);
  rig.offer(2, 1, {3}, 20, 7);
  rig.offer(3, 2, {0}, 30, 8);
  std::vector<Delivery> deliveries;
  rig.network->advance(Picos{7 * cycle_ps}, deliveries);
  rig.offer(4, 3, {1}, 10, 7);  // still in time: nothing has acted in cycle 7
  rig.deliver_all();
  ASSERT_EQ(rig.problems.size(), 2u);
  EXPECT_EQ(rig.problems[0].flows.size(), 3u);
  EXPECT_EQ(rig.network->stats().plans[1].asked.n, 7 + 6 + 20) << "when the older plan has ended";
}

TEST_P(CircuitNetworks, TransfersOfOnePairShareABurst) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10);
  rig.offer(2, 0, {2}, 5);
  rig.offer(3, 1, {2}, 1);
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (Texts{"at 21: 1 to 2 [0+10] final", "at 21: 2 to 2 [0+5] final", "at 28: 3 to 2 [0+1] final"}));
  EXPECT_EQ(rig.network->stats().reservations, 2);
  EXPECT_EQ(rig.network->stats().transfers, 3);
}

TEST_P(CircuitNetworks, AFlowInPartsIsDeliveredInParts) {
  Rig& rig = make(std::make_unique<OneByOne>(2));
  rig.offer(1, 0, {2}, 6);
  rig.offer(2, 0, {2}, 4);
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (Texts{"at 11: 1 to 2 [0+5]", "at 22: 1 to 2 [5+1] final", "at 22: 2 to 2 [0+4] final"}));
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(CircuitNetworks, MulticastIsDeliveredToEachReceiver) {
  Rig& rig = make(std::make_unique<OneByOne>(), true);
  rig.offer(1, 0, {3, 1}, 6);
  rig.offer(2, 2, {1}, 2);
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (Texts{"at 12: 1 to 3 [0+6] final", "at 12: 1 to 1 [0+6] final", "at 20: 2 to 1 [0+2] final"}));
  EXPECT_EQ(rig.network->stats().transfers, 2);
}

TEST_P(CircuitNetworks, TheClockGoesNoFurtherThanTheLimit) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10, 100);
  std::vector<Delivery> deliveries;
  EXPECT_EQ(rig.network->advance(Picos{50 * cycle_ps + 17}, deliveries).n, 50 * cycle_ps + 17);
  EXPECT_EQ(rig.now(), 50);
  EXPECT_EQ(rig.network->advance(Picos{115 * cycle_ps + 5119}, deliveries).n, 115 * cycle_ps + 5119);
  EXPECT_TRUE(deliveries.empty());
  EXPECT_EQ(rig.network->advance(Picos{116 * cycle_ps}, deliveries).n, 116 * cycle_ps);
  EXPECT_EQ(deliveries.size(), 1u);
  EXPECT_EQ(rig.network->advance(Picos{116 * cycle_ps}, deliveries).n, 116 * cycle_ps);
  EXPECT_EQ(deliveries.size(), 1u);
}

TEST_P(CircuitNetworks, AdvancingStopsAfterTheFirstInstantWithADelivery) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10);
  rig.offer(2, 1, {3}, 10);
  rig.offer(3, 2, {1}, 11);
  EXPECT_EQ(texts_of(rig.deliver_next()), (Texts{"at 16: 1 to 2 [0+10] final", "at 16: 2 to 3 [0+10] final"}));
  EXPECT_EQ(texts_of(rig.deliver_next()), Texts{"at 17: 3 to 1 [0+11] final"});
}

TEST_P(CircuitNetworks, WordsThatTheSwitchLosesAreNotDelivered) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10);
  std::vector<Delivery> deliveries;
  rig.network->advance(Picos{9 * cycle_ps}, deliveries);  // words 0 to 2 have passed
  rig.device->bus().write(0x8000 + 0x2000 + 4 * 2, 2);    // output 2 goes dead in cycle 9: its word is the last
  rig.network->advance(Picos{20 * cycle_ps}, deliveries);
  EXPECT_TRUE(deliveries.empty()) << "a gated burst waits";
  EXPECT_GT(rig.network->next().n, 20 * cycle_ps) << "it isn't there yet";
  rig.device->bus().write(0x8000 + 0x2000 + 4 * 2, 0);
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 29: 1 to 2 [0+4 4+6] final"});
  EXPECT_EQ(rig.network->stats().late, 1);
}

OCS_ON_EVERY_DEVICE(CircuitNetworks);

}  // namespace
}  // namespace ocs::test
