// Ports that die and live again: what uses them is cut and waits, all else is planned around them.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/core/error.hpp"
#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class Outages : public ::testing::TestWithParam<std::string> {
 protected:
  Rig rig(std::vector<Outage> outages) {
    return Rig({.device = GetParam(), .tuning = 3, .locking = 2, .outages = std::move(outages)});
  }
};

TEST_P(Outages, CutWhatIsUnderWayAtEitherOfItsPorts) {
  for (const std::uint16_t port : {std::uint16_t{0}, std::uint16_t{2}}) {
    Rig r = rig({{Cycles{9}, port, true}, {Cycles{40}, port, false}});
    r.offer(1, 0, {2}, 10);
    r.offer(2, 1, {3}, 10);
    EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 10: 1 to 2 [0+4] final", "at 16: 2 to 3 [0+10] final"}));
    EXPECT_EQ(r.network->stats().cut, 1);
    EXPECT_EQ(r.plane->counters(2).lost, Words{0}) << "words wait for light";
  }
}

TEST_P(Outages, KeepTransfersWaitingAndOthersArePlannedAroundThem) {
  Rig r = rig({{Cycles{2}, 2, true}, {Cycles{100}, 2, false}});
  r.offer(1, 0, {2}, 10, 4);
  r.offer(2, 1, {3}, 10, 4);
  r.offer(3, 2, {0}, 10, 4);
  // Planned in cycle 100: set up in 6 cycles, up in 106.
  EXPECT_EQ(texts_of(r.deliver_all()),
            (Texts{"at 20: 2 to 3 [0+10] final", "at 116: 1 to 2 [0+10] final", "at 116: 3 to 0 [0+10] final"}));
  EXPECT_EQ(r.problems.size(), 2u);
  EXPECT_EQ(r.network->stats().late, 0);
}

TEST_P(Outages, LeaveACircuitThatIsUpAgainWhenItsPortLives) {
  Rig r = rig({{Cycles{30}, 2, true}, {Cycles{50}, 2, false}});
  r.offer(1, 0, {2}, 10);
  r.offer(2, 0, {2}, 10, 60);
  // Light is back in 51, locking takes 2, and an established circuit needs no set-up.
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 16: 1 to 2 [0+10] final", "at 71: 2 to 2 [0+10] final"}));
  EXPECT_EQ(r.network->stats().set_ups, 1);
}

TEST_P(Outages, ThatComeWhileTheCircuitIsSetUpCutItToo) {
  Rig r = rig({{Cycles{3}, 0, true}, {Cycles{20}, 0, false}});
  r.offer(1, 0, {2}, 10);
  r.offer(2, 1, {2}, 10);  // behind it, in its own cycles
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 4: 1 to 2 [] final", "at 32: 2 to 2 [0+10] final"}));
  EXPECT_EQ(r.network->stats().late, 0);
}

/// Transfer 7 waits for port 2, and nothing else is left.
void expect_end_at_dead_port(Rig& r) {
  try {
    r.deliver_all();
    FAIL() << "nothing was thrown";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::run);
    EXPECT_STREQ(error.what(), "transfer 7 waits for port 2, which is dead and never lives again");
  }
}

TEST_P(Outages, ForGoodEndTheRunWhenSomethingWaits) {
  Rig r = rig({{Cycles{5}, 2, true}});
  r.offer(1, 0, {3}, 10);
  r.offer(7, 2, {1}, 10, 30);
  expect_end_at_dead_port(r);
}

TEST_P(Outages, ForGoodEndTheRunWhenSomethingComesAfterThem) {
  Rig r = rig({{Cycles{5}, 2, true}});
  r.offer(1, 0, {3}, 10);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 16: 1 to 3 [0+10] final"}));
  r.offer(7, 2, {1}, 10, 30);
  expect_end_at_dead_port(r);
}

OCS_ON_EVERY_DEVICE(Outages);

}  // namespace
}  // namespace ocs::test
