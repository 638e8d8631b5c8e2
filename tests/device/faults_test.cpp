// Sections 5 and 6 of the contract: all-stop and faults.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

/// The outputs of section 5's table: all UP, then o0 and o2 exchange their inputs.
Bench all_stop_table(bool all_stop) {
  Bench bench(4);
  for (std::uint32_t o = 0; o < 3; ++o) bench.circuit(o, o);
  bench.commit();
  bench.run(2);
  bench.write(REG(CTRL), all_stop ? OCS_REGS__CTRL__ALL_STOP_bm : 0);
  bench.delays(0, 2, 1);
  bench.delays(2, 1, 0);
  bench.circuit(0, 2);
  bench.circuit(2, 0);
  bench.commit();
  return bench;
}

TEST(AllStop, HoldsEveryLitOutputUntilTheLastIsUp) {
  EXPECT_EQ(all_stop_table(true).trace({0, 1, 2}, 5), (Texts{"UTTLU", "UHHHU", "UTHHU"}));
  EXPECT_EQ(all_stop_table(false).trace({0, 1, 2}, 5), (Texts{"UTTLU", "UUUUU", "UTUUU"}));
}

TEST(AllStop, HoldsNobodyForDisconnectionsOrWithoutDelays) {
  Bench bench(4);
  bench.write(REG(CTRL), OCS_REGS__CTRL__ALL_STOP_bm);
  for (std::uint32_t o = 0; o < 3; ++o) bench.circuit(o, o);
  bench.commit();
  bench.run(2);
  bench.no_circuit(2);
  bench.commit();
  EXPECT_EQ(bench.trace({0, 2}, 3), (Texts{"UUU", "UII"}));
  bench.circuit(1, 2);
  bench.commit();
  EXPECT_EQ(bench.trace({0, 1}, 3), (Texts{"UUU", "UUU"}));
}

TEST(AllStop, EntersHeldAgainWhenAHeldOutputIsChangedWithoutDelay) {
  Bench bench(4);
  bench.circuit(1, 1);
  bench.commit();
  bench.run(1);
  bench.write(REG(CTRL), OCS_REGS__CTRL__ALL_STOP_bm);
  bench.delays(0, 4, 0);
  bench.circuit(0, 0);
  bench.commit();  // cycle 1
  bench.run(2);
  bench.circuit(1, 2);
  bench.commit();  // cycle 3: from HELD straight to what would be UP
  bench.run(5);
  EXPECT_EQ(bench.events(), (Texts{"1 commit 0", "1 o1 UP", "2 commit 0", "2 o0 TUNING", "2 o1 HELD", "4 commit 0",
                                   "4 o1 HELD", "6 o0 UP", "6 o1 UP"}));
  EXPECT_EQ(bench.counter(REG(port.RESTARTS), 1), 0u);
}

TEST(AllStop, EndsWhenTheLastOneTuningIsDisconnected) {
  Bench bench = all_stop_table(true);  // o0 is in TUNING in cycles 3 and 4, o2 in cycle 3
  bench.run(2);
  bench.no_circuit(0);
  bench.commit();
  EXPECT_EQ(bench.trace({0, 1, 2}, 2), (Texts{"TI", "HU", "HU"}));
}

TEST(AllStop, IsLookedAtOnlyWhenACommitIsTaken) {
  Bench bench = all_stop_table(false);
  bench.run(1);
  bench.write(REG(CTRL), OCS_REGS__CTRL__ALL_STOP_bm);
  bench.commit();  // changes nothing, starts nobody
  EXPECT_EQ(bench.trace({0, 1, 2}, 4), (Texts{"TTLU", "UUUU", "TUUU"}));
}

TEST(AllStop, GoesOnWhenTheModeIsClearedAndWhenLightIsLostInHeld) {
  Bench bench = all_stop_table(true);
  bench.run(1);
  bench.write(REG(CTRL), 0);
  bench.set(REG(port.FAULT), 1, OCS_REGS__PORT__FAULTX__LOS_bm);
  EXPECT_EQ(bench.trace({0, 1, 2}, 4), (Texts{"TTLU", "HFFF", "THHU"}));
}

TEST(Fault, TakesTheLightAndGivesItBackAfterLocking) {
  Bench bench(4);
  bench.delays(0, 0, 2);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(4);
  bench.set(REG(port.FAULT), 1, OCS_REGS__PORT__FAULTX__LOS_bm);
  EXPECT_EQ(bench.trace({0}, 3).front(), "UFF");
  EXPECT_EQ(bench.cause(0), 2u);
  bench.set(REG(port.FAULT), 1, 0);
  EXPECT_EQ(bench.trace({0}, 4).front(), "FLLU");
  EXPECT_EQ(bench.cause(0), 0u);
  EXPECT_EQ(bench.counter(REG(port.DARK), 0), 7u);
  EXPECT_EQ(bench.counter(REG(port.TUNINGS), 0), 1u);
}

TEST(Fault, OfADeadPortMeetsItsOutputAndItsInput) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.circuit(1, 2);
  bench.circuit(2, 3);
  bench.commit();
  bench.run(1);
  bench.set(REG(port.FAULT), 1, OCS_REGS__PORT__FAULTX__DEAD_bm);
  EXPECT_EQ(bench.trace({0, 1, 2}, 2), (Texts{"UF", "UF", "UU"}));
}

TEST(Fault, OfLightDoesNotTouchTuning) {
  Bench bench(4);
  bench.delays(0, 3, 1);
  bench.set(REG(port.FAULT), 0, OCS_REGS__PORT__FAULTX__DEAD_bm);
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(bench.trace({0}, 6).front(), "ITTTFF");
  EXPECT_EQ(bench.cause(0), 2u);
}

TEST(Fault, StuckGoesBeforeLightAndLeavesByRetry) {
  Bench bench(4);
  bench.set(REG(port.FAULT), 0, OCS_REGS__PORT__FAULTX__STUCK_bm | OCS_REGS__PORT__FAULTX__DEAD_bm);
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(bench.trace({0}, 3).front(), "IFF");
  EXPECT_EQ(bench.cause(0), 1u);
  bench.set(REG(port.FAULT), 0, 0);
  EXPECT_EQ(bench.trace({0}, 3).front(), "FFF");  // light is no help
  bench.delays(0, 2, 0);
  bench.retry(0);
  bench.retry(1);  // IDLE: ignored
  EXPECT_EQ(bench.trace({0, 1}, 4), (Texts{"FTTU", "IIII"}));
  bench.set(REG(port.FAULT), 0, OCS_REGS__PORT__FAULTX__STUCK_bm);
  bench.retry(0);                                // UP: ignored
  EXPECT_EQ(bench.trace({0}, 2).front(), "UU");  // a circuit that is there stays
}

TEST(Fault, RetryGoesBeforeRecoveryAndAfterACommit) {
  Bench bench(4);
  for (std::size_t o = 0; o < 2; ++o) {
    bench.set(REG(port.FAULT), o, OCS_REGS__PORT__FAULTX__LOS_bm);
    bench.circuit(o, static_cast<std::uint32_t>(o));
  }
  bench.commit();
  bench.run(2);
  bench.events();
  for (std::size_t o = 0; o < 2; ++o) {
    bench.set(REG(port.FAULT), o, 0);
    bench.delays(o, 2, 0);
    bench.retry(o);
  }
  bench.no_circuit(1);
  bench.commit();
  bench.run(5);
  EXPECT_EQ(bench.events(), (Texts{"3 commit 0", "3 o0 TUNING", "3 o1 IDLE", "5 o0 UP"}));
}

TEST(Fault, FlapsAfterExactlyFCyclesOfUp) {
  Bench bench(4);
  bench.set(REG(port.FLAP), 0, 3);
  bench.set(REG(port.FLAP), 1, 2);
  bench.delays(0, 0, 2);
  bench.circuit(0, 0);
  bench.circuit(1, 1);
  bench.commit();
  EXPECT_EQ(bench.trace({0, 1}, 10), (Texts{"ILLUUULLUU", "IUUUUUUUUU"}));
  EXPECT_EQ(bench.events(), (Texts{"1 commit 0", "1 o0 LOCKING", "1 o1 UP", "3 o0 UP", "3 o1 UP", "5 o1 UP",
                                   "6 o0 LOCKING", "7 o1 UP", "8 o0 UP", "9 o1 UP"}));
}

TEST(Fault, AFlapBeginsAnewWhenTheOutputLeavesHeld) {
  Bench bench(4);
  bench.set(REG(port.FLAP), 1, 4);
  bench.set(REG(port.LOCK), 1, 1);
  bench.circuit(1, 1);
  bench.commit();
  bench.run(4);  // UP from cycle 2 on
  bench.write(REG(CTRL), OCS_REGS__CTRL__ALL_STOP_bm);
  bench.delays(0, 3, 0);
  bench.circuit(0, 0);
  bench.commit();  // cycle 4
  EXPECT_EQ(bench.trace({0, 1}, 10), (Texts{"ITTTUUUUUU", "UHHHUUUULU"}));
}

}  // namespace
}  // namespace ocs::test
