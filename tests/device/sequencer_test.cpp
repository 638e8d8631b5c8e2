// Section 9 of the contract: the sequencer.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

constexpr std::uint32_t running = OCS_REGS__CORE__STATUS__SEQ_RUNNING_bm;

/// Stores a map with one circuit, of output 0, as an entry of the idle bank.
void store_input(Bench& bench, std::uint32_t entry, std::uint32_t offset, std::uint32_t input) {
  bench.circuit(0, input);
  bench.store(entry, offset);
}

TEST(Sequencer, TakesItsEntriesOnTimeAndStops) {
  Bench bench(4);
  store_input(bench, 0, 1, 1);
  store_input(bench, 1, 4, 2);
  bench.go(10, 2, 0);
  bench.run(12);
  EXPECT_EQ(bench.read(REG(core.STATUS)), running);
  bench.run(20);
  EXPECT_EQ(bench.read(REG(core.STATUS)), 0u);
  EXPECT_EQ(bench.events(), (Texts{"12 commit 2", "12 o0 UP", "15 commit 2", "15 o0 UP"}));
  EXPECT_EQ(bench.read64(REG(core.LATE)), 0u);
}

TEST(Sequencer, LoopsWithAWrapInTheLastEntrysCycle) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  store_input(bench, 1, 2, 2);
  bench.go(5, 2, 6);
  bench.run(14);
  EXPECT_EQ(bench.events(), (Texts{"6 commit 2", "6 o0 UP", "8 commit 2", "8 wrap 2", "8 o0 UP", "12 commit 2",
                                   "12 o0 UP", "14 commit 2", "14 wrap 2", "14 o0 UP"}));
}

TEST(Sequencer, TakesEntriesOfThePastOneACycle) {
  Bench bench(4);
  store_input(bench, 0, 3, 1);
  store_input(bench, 1, 0, 2);  // not ascending
  store_input(bench, 2, 9, 3);
  bench.go(0, 3, 0);
  bench.run(12);
  EXPECT_EQ(bench.events(), (Texts{"4 commit 2", "4 o0 UP", "5 commit 2", "5 o0 UP", "10 commit 2", "10 o0 UP"}));
  EXPECT_EQ(bench.read64(REG(core.LATE)), 1u);
}

TEST(Sequencer, ShowsItselfRunningFromTheCycleAfterGo) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(0, 1, 100);
  EXPECT_EQ(bench.read(REG(core.STATUS)), 0u);
  bench.run(1);
  EXPECT_EQ(bench.read(REG(core.STATUS)), running);
  bench.run(1);
  EXPECT_EQ(bench.events(), (Texts{"2 commit 2", "2 wrap 2", "2 o0 UP"}));  // due in 0, first possible in 1
  EXPECT_EQ(bench.read64(REG(core.LATE)), 1u);
}

TEST(Sequencer, TakesALengthAboveItsEntriesAsAllEntries) {
  Bench bench(4);
  bench.go(3, 1000, 0);  // 16 empty maps, due in 3, one a cycle
  bench.run(40);
  EXPECT_EQ(bench.read64(REG(core.COMMITS)), 16u);
  EXPECT_EQ(bench.read64(REG(core.LATE)), 15u);
}

TEST(Sequencer, LaunchesBurstsInTheCycleOfTheEntry) {
  Bench bench(4);
  bench.set(REG(port.LEN), 1, 2);
  bench.set(REG(core.SEQ_LAUNCH), 0, 2);
  store_input(bench, 0, 0, 9);  // out of range: refused, launched all the same
  bench.go(4, 1, 0);
  bench.run(10);
  EXPECT_EQ(bench.events(), (Texts{"5 refused 2", "7 i1 DONE"}));
}

TEST(Sequencer, ChangesBanksAtAWrapInTheCycleOfTheSwap) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(3, 1, 4);  // due in 3, 7, 11, 15
  bench.run(1);
  store_input(bench, 0, 0, 2);
  bench.run(6);
  bench.write(REG(core.SEQ_SWAP), 1);  // cycle 7: the entry of 7 still comes from the old bank
  bench.run(1);
  EXPECT_EQ(bench.get(REG(port.ACTIVE), 0) & OCS_REGS__PORT__ACTIVEX__INPUT_bm, 1u);
  bench.run(8);
  EXPECT_EQ(bench.get(REG(port.ACTIVE), 0) & OCS_REGS__PORT__ACTIVEX__INPUT_bm, 2u);  // and stays: one swap
  EXPECT_EQ(bench.events(), (Texts{"4 commit 2", "4 wrap 2", "4 o0 UP", "8 commit 2", "8 wrap 2", "12 commit 2",
                                   "12 wrap 2", "12 o0 UP", "16 commit 2", "16 wrap 2"}));
}

TEST(Sequencer, ForgetsASwapThatWaitsWhenItStops) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(3, 1, 10);
  bench.run(5);
  store_input(bench, 0, 0, 2);
  bench.write(REG(core.SEQ_SWAP), 1);
  bench.run(1);
  bench.write(REG(core.SEQ_STOP), 1);
  bench.run(1);
  bench.go(8, 1, 2);  // the bank with input 2, also after its first wrap
  bench.run(6);
  EXPECT_EQ(bench.get(REG(port.ACTIVE), 0) & OCS_REGS__PORT__ACTIVEX__INPUT_bm, 2u);
}

TEST(Sequencer, ForgetsASwapThatWaitsAtGo) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(3, 1, 10);
  bench.run(5);
  store_input(bench, 0, 0, 2);
  bench.write(REG(core.SEQ_SWAP), 1);
  bench.run(1);
  bench.go(8, 1, 2);  // the bank with input 2 stays over the wraps of 8, 10 and 12
  bench.run(8);
  EXPECT_EQ(bench.get(REG(port.ACTIVE), 0) & OCS_REGS__PORT__ACTIVEX__INPUT_bm, 2u);
}

TEST(Sequencer, BeginsAgainWithEntryZero) {
  Bench bench(4);
  for (int bank = 0; bank < 2; ++bank) {
    store_input(bench, 0, 0, 1);
    store_input(bench, 1, 5, 2);
    bench.go(static_cast<std::uint64_t>(bench.now()) + 2, 2, 0);
    bench.run(4);
    bench.write(REG(core.SEQ_STOP), 1);
    bench.run(1);
  }
  bench.run(20);
  EXPECT_EQ(bench.events(), (Texts{"3 commit 2", "3 o0 UP", "8 commit 2"}));
}

TEST(Sequencer, StopsAtOnceWithLengthZero) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(4, 1, 4);
  bench.run(2);
  bench.go(4, 0, 4);
  bench.run(20);
  EXPECT_EQ(bench.events(), Texts{});
  EXPECT_EQ(bench.read(REG(core.STATUS)), 0u);
}

TEST(Sequencer, StillTakesTheEntryOfTheCycleInWhichItIsStopped) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(3, 1, 2);
  bench.run(3);
  bench.write(REG(core.SEQ_STOP), 1);
  bench.run(10);
  EXPECT_EQ(bench.events(), (Texts{"4 commit 2", "4 wrap 2", "4 o0 UP"}));
}

TEST(Sequencer, ObeysGoLast) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(3, 1, 4);
  bench.run(1);
  store_input(bench, 0, 0, 2);
  bench.run(2);
  bench.write(REG(core.SEQ_SWAP), 1);  // cycle 3: acts at its wrap, so bank 1 becomes active
  bench.write(REG(core.SEQ_STOP), 1);
  bench.go(6, 1, 0);  // and the banks change roles again
  bench.run(6);
  EXPECT_EQ(bench.events(), (Texts{"4 commit 2", "4 wrap 2", "4 o0 UP", "7 commit 2"}));
  EXPECT_EQ(bench.get(REG(port.ACTIVE), 0) & OCS_REGS__PORT__ACTIVEX__INPUT_bm, 1u);
}

TEST(Sequencer, GoesBeforeTimedBeforeSoftware) {
  Bench bench(4);
  store_input(bench, 0, 0, 1);
  bench.go(5, 1, 0);
  bench.circuit(0, 2);
  bench.write64(REG(core.COMMIT_AT), 5);
  bench.run(5);
  bench.commit();
  bench.run(5);
  EXPECT_EQ(bench.events(), (Texts{"6 commit 2", "6 o0 UP", "7 commit 1", "7 o0 UP", "8 commit 0"}));
  EXPECT_EQ(bench.read64(REG(core.LATE)), 1u);
}

TEST(Sequencer, TakesSumsOfTimesModulo2To64) {
  Bench bench(4);
  store_input(bench, 0, 5, 1);
  bench.go(~std::uint64_t{0} - 2, 1, 0);  // 2^64 - 3, + 5
  bench.run(10);
  EXPECT_EQ(bench.events(), (Texts{"3 commit 2", "3 o0 UP"}));
  EXPECT_EQ(bench.read64(REG(core.LATE)), 0u);
}

}  // namespace
}  // namespace ocs::test
