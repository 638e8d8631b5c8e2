// Sections 2 and 3 of the contract: states, jitter, commits. Every expectation is worked out from the contract's text.
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
  bench.write(REG(core.SEED), 0x9E3779B8u);  // x[0] = 1: it goes on to 270369, 67634689, 2647435461, 307599695
  constexpr std::uint32_t all_bits = 0x3FFFFFFF;
  bench.set(REG(port.JITTER_MASK), 0, all_bits);
  const auto tuning = [&] {
    const std::uint64_t before = bench.counter(REG(port.DARK), 0);
    bench.run(std::int64_t{1} << 31);
    return bench.counter(REG(port.DARK), 0) - before;
  };
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(tuning(), 270369u);
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
  EXPECT_EQ(tuning(), 67634689u);
  bench.set(REG(port.JITTER_MASK), 0, 0);
  bench.circuit(0, 3);
  bench.commit();  // draws, masked away
  EXPECT_EQ(tuning(), 0u);
  bench.set(REG(port.JITTER_MASK), 0, all_bits);
  bench.circuit(0, 2);
  bench.commit();
  EXPECT_EQ(tuning(), 307599695u);
  bench.write(REG(core.SEED), 0x9E3779B9u);  // x[0] = 0 becomes 1
  bench.circuit(0, 1);
  bench.commit();
  EXPECT_EQ(tuning(), 270369u);
}

TEST(Jitter, StartsFromSeedZeroAfterPowerUpAndReset) {
  Bench bench(4);
  for (int life = 0; life < 2; ++life) {
    bench.set(REG(port.JITTER_MASK), 1, 0x3FFFFFFF);
    bench.circuit(1, 0);
    bench.commit();
    bench.run(std::int64_t{1} << 31);
    EXPECT_EQ(bench.counter(REG(port.DARK), 1), 572034098u);
    bench.write(REG(core.SEED), 5);
    bench.write(REG(core.SOFT_RESET), 1);
  }
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

TEST(Commit, RestartsAnOutputThatIsLocking) {
  Bench bench(4);
  bench.delays(0, 1, 5);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(3);
  bench.circuit(0, 2);
  bench.commit();
  EXPECT_EQ(bench.trace({0}, 8).front(), "LTLLLLLU");
  EXPECT_EQ(bench.counter(REG(port.RESTARTS), 0), 1u);
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

}  // namespace
}  // namespace ocs::test
