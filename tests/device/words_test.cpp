// Sections 7 and 8 of the contract: words, counters, engines, segments.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

TEST(Words, CountByTheStateOfTheirCycle) {
  Bench bench(4);
  bench.delays(0, 2, 1);
  bench.write(REG(CTRL), OCS_REGS__CTRL__MULTICAST_bm);
  bench.circuit(0, 1);
  bench.circuit(2, 1);  // T = L = 0
  bench.burst(1, 100);
  bench.burst(3, 100);
  bench.run(1);
  bench.commit();  // cycle 1
  bench.run(9);    // words in cycles 1 to 9
  EXPECT_EQ(bench.counter(REG(port.SENT), 1), 9u);
  EXPECT_EQ(bench.counter(REG(port.UNROUTED), 1), 1u);  // cycle 1
  EXPECT_EQ(bench.counter(REG(port.UNROUTED), 3), 9u);
  EXPECT_EQ(bench.counter(REG(port.LOST), 0), 3u);  // cycles 2 to 4
  EXPECT_EQ(bench.counter(REG(port.PASSED), 0), 5u);
  EXPECT_EQ(bench.counter(REG(port.PASSED), 2), 8u);
  EXPECT_EQ(bench.counter(REG(port.LOST), 2), 0u);
}

TEST(Engine, SendsAGatedBurstFromTheFirstCycleOfUp) {
  Bench bench(4);
  bench.delays(0, 3, 1);
  bench.circuit(0, 1);
  bench.commit();
  bench.burst(1, 3, 0, 0, true, 7);  // UP from u = 5 on
  bench.run(5);
  EXPECT_EQ(bench.counter(REG(port.SENT), 1), 0u);
  EXPECT_EQ(bench.offered(1, 4), "1110");
  EXPECT_EQ(bench.events().back(), "8 i1 DONE");  // u + 3
  EXPECT_EQ(bench.segment(0), "i1 tag 7 words 0+3");
  EXPECT_EQ(bench.get(REG(core.SEG_FULL), 0), 1u);
}

TEST(Engine, GatesOnAllOutputsThatSelectItsInput) {
  Bench bench(4);
  bench.write(REG(CTRL), OCS_REGS__CTRL__MULTICAST_bm);
  bench.burst(1, 100, 0, 0, true);
  bench.delays(0, 2, 0);
  bench.delays(2, 4, 0);
  bench.circuit(0, 1);
  bench.circuit(2, 1);
  bench.run(2);
  bench.commit();                              // cycle 2: UP in 5 and 7
  EXPECT_EQ(bench.offered(1, 8), "00000111");  // cycles 2 to 9
  bench.no_circuit(0);
  bench.no_circuit(2);
  bench.commit();  // cycle 10
  EXPECT_EQ(bench.offered(1, 4), "1000");
}

TEST(Engine, GapsAndRepeatsToTheCycle) {
  Bench bench(4);
  bench.burst(2, 2, 3, 1);
  EXPECT_EQ(bench.offered(2, 12), "000011000110");  // START in cycle 0, GAP 1 to 3, words 4 and 5
  EXPECT_EQ(bench.events(), Texts{"11 i2 DONE"});
  EXPECT_EQ(bench.get(REG(port.ENGINE), 2), 0u);
}

TEST(Engine, OffersAtItsRateWithTheAccumulatorRunningOverRepeats) {
  Bench bench(4);
  bench.set(REG(port.SOURCE), 0, 30000);
  bench.burst(0, 2, 1, 1);
  // acc by open cycle: 30000 | 60000 word | 50000 word; gap; 10000 + 30000 = 40000 word | 30000 | 60000 word.
  EXPECT_EQ(bench.offered(0, 10), "0001101010");
  EXPECT_EQ(bench.events(), Texts{"9 i0 DONE"});
}

TEST(Engine, TakesARateAboveFullAsFullAndZeroAsNone) {
  Bench bench(4);
  bench.set(REG(port.SOURCE), 0, 65535);
  bench.burst(0, 4);
  EXPECT_EQ(bench.offered(0, 3), "011");
  bench.set(REG(port.SOURCE), 0, 0);  // RATE is live
  EXPECT_EQ(bench.offered(0, 3), "000");
  bench.set(REG(port.SOURCE), 0, 20000);
  EXPECT_EQ(bench.offered(0, 5), "01010");
  EXPECT_EQ(bench.events(), Texts{"10 i0 DONE"});
}

TEST(Engine, StopsWithOneDoneAlsoWhereItFinishes) {
  Bench bench(4);
  bench.burst(0, 9);
  bench.burst(1, 3);
  bench.run(3);
  bench.stop(0);
  bench.stop(1);  // cycle 3: its last word
  bench.stop(2);  // OFF: nothing
  bench.run(3);
  EXPECT_EQ(bench.events(), (Texts{"4 i0 DONE", "4 i1 DONE"}));
  EXPECT_EQ(bench.counter(REG(port.SENT), 0), 3u);
  EXPECT_EQ(bench.counter(REG(port.SENT), 1), 3u);
}

TEST(Engine, RestartsWithoutDoneAlsoWhereItFinishesOrIsStopped) {
  Bench bench(4);
  bench.burst(0, 3);
  bench.burst(1, 9);
  bench.run(3);
  bench.start(0);  // cycle 3: its last word
  bench.stop(1);
  bench.start(1);
  bench.run(1);
  EXPECT_EQ(bench.events(), Texts{});
  EXPECT_EQ(bench.offered(0, 4), "1110");
  EXPECT_EQ(bench.events(), Texts{"7 i0 DONE"});
}

TEST(Engine, IsDoneAtOnceWithoutWords) {
  Bench bench(4);
  bench.burst(0, 0, 5, 3);
  bench.run(4);
  EXPECT_EQ(bench.events(), Texts{"1 i0 DONE"});
}

TEST(Engine, IsHeldAsByStopWhileExternal) {
  Bench bench(4);
  bench.burst(0, 9);
  bench.run(3);
  bench.set(REG(port.SOURCE), 0, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm | 40000);
  EXPECT_EQ(bench.offered(0, 3), "100");  // the word of cycle 3 is still offered
  bench.start(0);
  bench.run(3);
  EXPECT_EQ(bench.get(REG(port.ENGINE), 0), 0u);
  EXPECT_EQ(bench.events(), Texts{"4 i0 DONE"});
}

TEST(Engine, CopiesItsParametersAtStartAndBeginsAnew) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.commit();
  bench.set(REG(port.SOURCE), 1, 30000);
  bench.burst(1, 2, 2, 1, true, 4);
  bench.set(REG(port.LEN), 1, 1);
  bench.run(1);  // parameters count as in force in cycle 0, the cycle of START
  bench.set(REG(port.LEN), 1, 3);
  bench.set(REG(port.GAP), 1, 0);
  bench.set(REG(port.REPEAT), 1, 0);
  bench.set(REG(port.BURST), 1, 8);
  // GAP 1 and 2; acc in 3: 30000, in 4: 60000, word 0 of 1; GAP 5 and 6; acc in 7: 50000, word 1; DONE at 8.
  EXPECT_EQ(bench.offered(1, 8), "00010010");
  EXPECT_EQ(bench.segment(0), "i1 tag 4 words 0+2");
  EXPECT_EQ(bench.events().back(), "8 i1 DONE");
  bench.no_circuit(0);
  bench.commit();
  bench.start(1);                            // cycle 9: index 0, acc 0, blind, no gap
  EXPECT_EQ(bench.offered(1, 6), "001110");  // acc from cycle 10: 30000, 60000, 50000, 40000
  EXPECT_EQ(bench.events().back(), "14 i1 DONE");
}

TEST(Engine, NeedsFewEdgesForManyWords) {
  Bench bench(4);
  bench.circuit(0, 0);
  bench.commit();
  bench.set(REG(port.SOURCE), 0, 33333);
  bench.burst(0, 0xFFFFFFFFu, 0xFFFFFFFFu, 2);
  bench.run(std::int64_t{1} << 40);
  // Words start after the gap; three times 2^32 - 1 of them.
  EXPECT_EQ(bench.counter(REG(port.PASSED), 0), 3 * 0xFFFFFFFFull);
  EXPECT_LE(bench.edges(), 12u);
  EXPECT_EQ(bench.segment(0), "i0 tag 0 words 0+4294967293");  // 3 * (2^32 - 1) in 32 bits
}

TEST(Segment, EndsWithTheWordOfTheCycleThatEndsIt) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.commit();
  bench.burst(1, 100, 0, 0, false, 3);  // words from cycle 1 on, number c - 1
  bench.run(6);
  EXPECT_EQ(bench.segment(0), "i0 tag 0 words 0+0");
  bench.set(REG(port.FAULT), 1, OCS_REGS__PORT__FAULTX__LOS_bm);  // in cycle 6
  bench.run(1);
  EXPECT_EQ(bench.segment(0), "i1 tag 3 words 0+6");
  bench.set(REG(port.FAULT), 1, 0);  // in cycle 7: UP in 8
  bench.set(REG(core.SEG_FULL), 0, 1);
  bench.run(3);
  bench.start(1);  // in cycle 10: words 7 to 9 passed
  bench.run(1);
  EXPECT_EQ(bench.segment(0), "i1 tag 3 words 7+3");
  EXPECT_EQ(bench.read(REG(core.ERROR)), 0u);
  bench.run(2);
  bench.no_circuit(0);
  bench.commit();  // in cycle 13: words 0 to 2 of the new burst
  bench.run(1);
  EXPECT_EQ(bench.segment(0), "i1 tag 3 words 0+3");
  EXPECT_EQ(bench.read(REG(core.ERROR)), OCS_REGS__CORE__ERROR__SEG_OVERRUN_bm);
}

TEST(Segment, EndsWhereUpIsEnteredAgain) {
  Bench bench(4);
  bench.set(REG(port.FLAP), 0, 4);  // L = 0: UP again and again
  bench.circuit(0, 1);
  bench.commit();
  bench.burst(1, 100);
  bench.run(5);  // UP in cycles 1 to 4
  EXPECT_EQ(bench.segment(0), "i1 tag 0 words 0+4");
  bench.run(4);
  EXPECT_EQ(bench.segment(0), "i1 tag 0 words 4+4");
}

TEST(Segment, NumbersWordsOnOverRepeatsAndFromZeroAfterStart) {
  Bench bench(4);
  bench.burst(1, 2, 0, 1);
  bench.circuit(0, 1);
  bench.run(2);
  bench.commit();  // cycle 2: words 2 and 3 pass, in cycles 3 and 4
  bench.run(4);
  EXPECT_EQ(bench.segment(0), "i1 tag 0 words 2+2");
  bench.start(1);
  bench.run(5);
  EXPECT_EQ(bench.segment(0), "i1 tag 0 words 0+4");
}

TEST(Segment, RunsOnOverGapsAndUnchangedCommits) {
  Bench bench(4);
  bench.circuit(0, 1);
  bench.commit();
  bench.burst(1, 2, 2, 1, false, 9);
  bench.run(6);
  bench.commit();
  bench.run(6);
  EXPECT_EQ(bench.segment(0), "i1 tag 9 words 0+4");
  EXPECT_EQ(bench.read(REG(core.ERROR)), 0u);
}

}  // namespace
}  // namespace ocs::test
