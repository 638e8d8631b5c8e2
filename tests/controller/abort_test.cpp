// Aborted transfers: each gets one final delivery, of what passed before.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class Aborts : public ::testing::TestWithParam<std::string> {
 protected:
  Aborts() : rig_({.device = GetParam(), .tuning = 3, .locking = 2}) {}
  void abort(std::uint32_t id, std::int64_t cycle) { rig_.network->abort(Id{id}, Picos{cycle * cycle_ps}); }
  Rig rig_;
};

TEST_P(Aborts, OneThatWaitsIsDeliveredEmptyACycleLater) {
  rig_.offer(1, 0, {2}, 10, 50);
  abort(1, 20);
  EXPECT_EQ(texts_of(rig_.deliver_all()), Texts{"at 21: 1 to 2 [] final"});
  EXPECT_TRUE(rig_.problems.empty());
}

TEST_P(Aborts, ARunningOneIsCutAndWhatPassedIsDelivered) {
  rig_.offer(1, 0, {2}, 10);
  abort(1, 9);
  EXPECT_EQ(texts_of(rig_.deliver_all()), Texts{"at 10: 1 to 2 [0+4] final"});
  EXPECT_EQ(rig_.network->stats().cut, 1);
  EXPECT_EQ(rig_.network->stats().late, 0);
}

TEST_P(Aborts, OneThatIsBeingSetUpIsCutToo) {
  rig_.offer(1, 0, {2}, 10);
  abort(1, 3);
  rig_.offer(2, 0, {2}, 5, 4);  // its circuit is still being set up: planned anew, used when planned
  EXPECT_EQ(texts_of(rig_.deliver_all()), (Texts{"at 4: 1 to 2 [] final", "at 15: 2 to 2 [0+5] final"}));
  EXPECT_EQ(rig_.network->stats().late, 0);
}

TEST_P(Aborts, APlannedOneLeavesThePlan) {
  rig_.offer(1, 0, {2}, 10);
  rig_.offer(2, 1, {2}, 10);
  rig_.offer(3, 3, {2}, 10);
  abort(2, 9);
  EXPECT_EQ(texts_of(rig_.deliver_all()),
            (Texts{"at 10: 2 to 2 [] final", "at 16: 1 to 2 [0+10] final", "at 48: 3 to 2 [0+10] final"}));
  EXPECT_EQ(rig_.network->stats().late, 0) << "the others keep their cycles";
}

TEST_P(Aborts, OneThatSharesItsBurstGoesOnWithIt) {
  rig_.offer(1, 0, {2}, 10);
  rig_.offer(2, 0, {2}, 5);
  abort(1, 9);
  EXPECT_EQ(texts_of(rig_.deliver_all()), (Texts{"at 21: 1 to 2 [0+10] final", "at 21: 2 to 2 [0+5] final"}));
}

TEST_P(Aborts, AllThatShareABurstCutIt) {
  rig_.offer(1, 0, {2}, 10);
  rig_.offer(2, 0, {2}, 5);
  abort(1, 9);
  abort(2, 17);
  EXPECT_EQ(texts_of(rig_.deliver_all()), (Texts{"at 18: 1 to 2 [0+10] final", "at 18: 2 to 2 [0+2] final"}));
}

TEST_P(Aborts, InTheCycleOfTheLastWordNothingIsLost) {
  rig_.offer(1, 0, {2}, 10);
  abort(1, 15);
  EXPECT_EQ(texts_of(rig_.deliver_all()), Texts{"at 16: 1 to 2 [0+10] final"});
  EXPECT_EQ(rig_.network->stats().cut, 0);
}

TEST_P(Aborts, TheNextPlanComesAfterACutOne) {
  rig_.offer(1, 0, {2}, 10);
  rig_.offer(2, 0, {2}, 10, 5);
  abort(1, 9);
  EXPECT_EQ(texts_of(rig_.deliver_all()), (Texts{"at 10: 1 to 2 [0+4] final", "at 21: 2 to 2 [0+10] final"}));
}

TEST_P(Aborts, AFlowInPartsEndsWithTheBurstThatIsCut) {
  OCS_SKIP_UNLESS_SEVERAL(GetParam());
  Rig rig({.device = GetParam(), .tuning = 3, .locking = 2}, std::make_unique<OneByOne>(2));
  rig.offer(1, 0, {2}, 10);
  rig.offer(2, 0, {2}, 10);
  rig.network->abort(Id{1}, Picos{7 * cycle_ps});
  rig.network->abort(Id{2}, Picos{8 * cycle_ps});
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 9: 1 to 2 [0+3] final", "at 9: 2 to 2 [] final"}));
  rig.offer(3, 1, {0}, 10, 50);
  rig.network->abort(Id{3}, Picos{58 * cycle_ps});
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 59: 3 to 0 [0+3] final"});
  EXPECT_EQ(rig.network->stats().reservations, 2);
}

TEST_P(Aborts, OneThatHasArrivedIsUnknown) {
  rig_.offer(1, 0, {2}, 10);
  abort(1, 400);  // comes too late to do anything
  EXPECT_EQ(rig_.deliver_all().size(), 1u);
  EXPECT_THROW(abort(1, 500), Error);
  EXPECT_THROW(abort(77, 500), Error);
  rig_.offer(2, 0, {2}, 10, 100);
  EXPECT_THROW(abort(2, 3), Error) << "in the past";
}

OCS_ON_EVERY_DEVICE(Aborts);

}  // namespace
}  // namespace ocs::test
