// Sections 2 to 6 of the contract: states of the outputs. Every expectation is worked out from the contract's text.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

/// The trace of one output that a commit connects in the present cycle.
std::string connected(std::uint32_t tuning, std::uint32_t locking, int cycles) {
  Bench bench(4);
  bench.delays(0, tuning, locking);
  bench.circuit(0, 1);
  bench.commit();
  return bench.trace({0}, cycles).front();
}

TEST(Output, TunesExactlyTAndLocksExactlyL) {
  EXPECT_EQ(connected(3, 0, 6), "ITTTUU");
  EXPECT_EQ(connected(0, 2, 6), "ILLUUU");
  EXPECT_EQ(connected(3, 2, 8), "ITTTLLUU");
  EXPECT_EQ(connected(1, 1, 5), "ITLUU");
  EXPECT_EQ(connected(0, 0, 3), "IUU");
}

TEST(Output, StampsEveryStateWithTheFirstCycleInIt) {
  Bench bench(4);
  bench.run(10);
  bench.delays(0, 3, 2);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(20);
  EXPECT_EQ(bench.events(), (Texts{"11 commit 0", "11 o0 TUNING", "14 o0 LOCKING", "16 o0 UP"}));
  EXPECT_EQ(bench.counter(REG(port.DARK), 0), 5u);
}

TEST(Output, LosesNoWordWithoutDelays) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(1);
  bench.burst(1, 100);
  bench.burst(2, 100);
  bench.run(5);
  bench.circuit(0, 2);
  bench.commit();  // in cycle 6: its word still comes from input 1
  bench.run(5);
  EXPECT_EQ(bench.events(), (Texts{"1 commit 0", "1 o0 UP", "7 commit 0", "7 o0 UP"}));
  EXPECT_EQ(bench.counter(REG(port.PASSED), 0), 9u);  // cycles 2 to 10
  EXPECT_EQ(bench.counter(REG(port.LOST), 0), 0u);
  EXPECT_EQ(bench.segment(0), "i1 tag 0 words 0+5");    // cycles 2 to 6
  EXPECT_EQ(bench.counter(REG(port.UNROUTED), 1), 4u);  // cycles 7 to 10
  EXPECT_EQ(bench.counter(REG(port.UNROUTED), 2), 5u);  // cycles 2 to 6
}

TEST(Output, TakesTInTheCycleOfTheCommitAndLInTheLastCycleOfTuning) {
  Bench bench(4);
  bench.delays(0, 3, 1);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(1);
  bench.set(REG(port.BASE), 0, 9);  // too late
  bench.run(2);
  bench.set(REG(port.LOCK), 0, 2);  // in force in cycle 3, the last of TUNING
  bench.run(1);
  bench.set(REG(port.LOCK), 0, 7);  // too late
  EXPECT_EQ(bench.trace({0}, 4).front(), "LLUU");
}

TEST(Output, AddsBaseAndSlowAndThePartOfTheNewInput) {
  Bench bench(4);
  bench.delays(3, 1, 0);
  bench.set(REG(port.SLOW), 3, 2);
  bench.pair(3, 0, 4);
  bench.pair(3, 1, 1);
  bench.pair(0, 3, 100);  // of another output
  bench.circuit(3, 0);
  bench.commit();
  EXPECT_EQ(bench.trace({3}, 9).front(), "ITTTTTTTU");  // 1 + 2 + 4
  bench.circuit(3, 1);
  bench.commit();
  EXPECT_EQ(bench.trace({3}, 6).front(), "UTTTTU");  // 1 + 2 + 1
}

TEST(Jitter, IsDrawnOnceForEachStartAndForNothingElse) {
  Bench bench(4);
  bench.write(REG(core.SEED), 0x9E3779B8u);  // x[0] = 1: it goes on to 270369, 67634689, 2647435461
  bench.set(REG(port.JITTER_MASK), 0, 0x3F);
  const auto tuning = [&] {
    const std::uint64_t before = bench.counter(REG(port.DARK), 0);
    bench.run(100);
    return bench.counter(REG(port.DARK), 0) - before;
  };
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(tuning(), 270369u & 0x3F);
  bench.commit();  // changes nothing
  EXPECT_EQ(tuning(), 0u);
  bench.circuit(0, 4);
  bench.commit();  // refused
  EXPECT_EQ(tuning(), 0u);
  bench.no_circuit(0);
  bench.commit();  // no start
  EXPECT_EQ(tuning(), 0u);
  bench.circuit(0, 2);
  bench.commit();
  EXPECT_EQ(tuning(), 67634689u & 0x3F);
  bench.set(REG(port.JITTER_MASK), 0, 0);
  bench.circuit(0, 3);
  bench.commit();  // draws, masked away
  EXPECT_EQ(tuning(), 0u);
  bench.write(REG(core.SEED), 0x9E3779B9u);  // x[0] = 0 becomes 1
  bench.set(REG(port.JITTER_MASK), 0, 0x3F);
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(tuning(), 270369u & 0x3F);
}

TEST(Commit, RestartsAnOutputThatIsTuning) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(1);
  bench.delays(0, 4, 0);
  bench.events();
  bench.circuit(0, 2);
  bench.commit();  // t = 1
  bench.run(2);
  bench.circuit(0, 3);
  bench.commit();                                     // t + 2 = 3
  EXPECT_EQ(bench.trace({0}, 7).front(), "TTTTTUU");  // cycles t+2 to t+8
  EXPECT_EQ(bench.events(), (Texts{"2 commit 0", "2 o0 TUNING", "4 commit 0", "4 o0 TUNING", "8 o0 UP"}));
  EXPECT_EQ(bench.counter(REG(port.RESTARTS), 0), 1u);
  EXPECT_EQ(bench.counter(REG(port.TUNINGS), 0), 3u);
}

TEST(Commit, DisconnectsWithoutDelay) {
  Bench bench(4);
  bench.delays(0, 4, 0);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(1);
  bench.no_circuit(0);
  bench.commit();
  EXPECT_EQ(bench.trace({0}, 3).front(), "TII");
  EXPECT_EQ(bench.counter(REG(port.RESTARTS), 0), 0u);
}

TEST(Commit, BeatsATimerOnAChangedOutputAndLeavesTheOthersAlone) {
  Bench bench(4);
  for (std::size_t o = 0; o < 2; ++o) bench.delays(o, 3, 0);
  bench.circuit(0, 0);
  bench.circuit(1, 1);
  bench.commit();
  bench.run(3);
  bench.circuit(0, 2);
  bench.commit();  // in cycle 3, the last of TUNING
  bench.run(10);
  EXPECT_EQ(bench.events(),
            (Texts{"1 commit 0", "1 o0 TUNING", "1 o1 TUNING", "4 commit 0", "4 o0 TUNING", "4 o1 UP", "7 o0 UP"}));
}

TEST(Commit, IsRefusedAsAWholeForRangeBeforeConflict) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.circuit(1, 1);
  bench.circuit(2, 4);
  bench.commit();
  bench.run(1);
  EXPECT_EQ(bench.events(), Texts{"1 refused 0"});
  EXPECT_EQ(bench.read(REG(core.ERROR)), OCS_REGS__CORE__ERROR__RANGE_bm);
  bench.circuit(2, 3);
  bench.commit();
  bench.run(1);
  EXPECT_EQ(bench.read(REG(core.ERROR)), OCS_REGS__CORE__ERROR__RANGE_bm | OCS_REGS__CORE__ERROR__CONFLICT_bm);
  bench.write(REG(CTRL), OCS_REGS__CTRL__MULTICAST_bm);
  bench.commit();
  bench.run(1);
  bench.write(REG(CTRL), 0);  // clearing it disturbs nothing
  bench.run(1);
  EXPECT_EQ(bench.state(0) + bench.state(1), "UPUP");
  EXPECT_EQ(bench.read64(REG(core.REFUSED)), 2u);
  EXPECT_EQ(bench.read64(REG(core.COMMITS)), 1u);
}

TEST(Commit, ByTimeIsArmedByTheHighWordAndCanBeTakenBack) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.write64(REG(core.COMMIT_AT), 6);
  bench.write(REG(core.COMMIT_AT), 2);  // the low word alone changes nothing
  bench.run(6);
  EXPECT_EQ(bench.read(REG(core.STATUS)), OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm);
  bench.run(1);
  EXPECT_EQ(bench.events(), (Texts{"7 commit 1", "7 o0 UP"}));
  bench.write64(REG(core.COMMIT_AT), 20);
  bench.commit();
  bench.write(REG(core.COMMIT_CANCEL), 1);
  bench.run(50);
  EXPECT_EQ(bench.events(), Texts{});
  EXPECT_EQ(bench.read64(REG(core.LATE)), 0u);
}

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
