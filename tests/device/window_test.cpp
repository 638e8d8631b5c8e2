// Sections 10 and 12 of the contract and docs/registers.md: events, refused accesses, packing, latches, resets.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "host/device/model/model.hpp"
#include "tests/device/bench.hpp"

namespace ocs::test {
namespace {

bool reads(Bench& bench, std::uint32_t address) {
  try {
    bench.read(address);
    return true;
  } catch (const AccessRefused&) {
    return false;
  }
}

bool writes(Bench& bench, std::uint32_t address, std::uint32_t value) {
  try {
    bench.write(address, value);
    return true;
  } catch (const AccessRefused&) {
    return false;
  }
}

TEST(Window, ShowsTheConfiguration) {
  DeviceConfig config;
  config.ports = 8;
  config.fifo_depth = 32;
  config.word_bytes = 16;
  config.cycle = {1280};
  Bench bench(config);
  EXPECT_EQ(bench.read(REG(ID)), 0x4F435331u);
  EXPECT_EQ(bench.read(REG(VERSION)), 0x00010006u);
  EXPECT_EQ(bench.read(REG(CAP_SIZE)), 16u << 16 | 8u);
  EXPECT_EQ(bench.read(REG(CAP_WORD)), 32u << 16 | 16u);
  EXPECT_EQ(bench.read(REG(CAP_OPTIONS)), 0xFFFu);
  EXPECT_EQ(bench.read(REG(CYCLE_PS)), 1280u);
}

TEST(Window, RefusesAConfigurationThatItCannotShow) {
  const auto refused = [](auto change) {
    DeviceConfig config;
    change(config);
    EXPECT_THROW(make_model(config), Error);
  };
  refused([](DeviceConfig& c) { c.ports = 1; });
  refused([](DeviceConfig& c) { c.ports = 257; });
  refused([](DeviceConfig& c) { c.fifo_depth = 0; });
  refused([](DeviceConfig& c) { c.word_bytes = 0; });
  refused([](DeviceConfig& c) { c.cycle = {0}; });
}

TEST(Window, RefusesWhatIsNoRegister) {
  Bench bench(4);
  for (const std::uint32_t address :
       {std::uint32_t{0x60}, REG(core) - 4, REG(core.SEQ_STOP) + 4, REG(core.SEQ_LAUNCH) + 32, REG(core.LOCK_WARM) - 4,
        REG(core.ENDED) + 32, REG(port) - 4, REG(optics.POWER) + 4 * 256, REG(PAIR) - 4, REG(PAIR) + 4 * 65536,
        0xFFFFFFFCu}) {
    EXPECT_FALSE(reads(bench, address)) << address;
    EXPECT_FALSE(writes(bench, address, 0)) << address;
  }
  EXPECT_EQ(bench.read(REG(core.ERROR)), OCS_REGS__CORE__ERROR__ACCESS_bm);
}

TEST(Window, IgnoresTheLowestTwoAddressBits) {
  Bench bench(4);
  EXPECT_TRUE(writes(bench, REG(port.BASE) + 2, 7));
  EXPECT_EQ(bench.read(REG(port.BASE) + 3), 7u);
}

TEST(Window, RefusesPortsThatTheSwitchDoesNotHave) {
  Bench bench(5);
  EXPECT_TRUE(writes(bench, REG(port.BASE) + 4 * 4, 1));
  EXPECT_FALSE(writes(bench, REG(port.BASE) + 4 * 5, 1));
  EXPECT_FALSE(reads(bench, REG(port.BASE) + 4 * 255));
  EXPECT_TRUE(reads(bench, REG(port.PASSED) + 8 * 4 + 4));
  EXPECT_FALSE(reads(bench, REG(port.PASSED) + 8 * 5));
  EXPECT_TRUE(writes(bench, REG(PAIR) + 4 * (4 * 256 + 4), 1));
  EXPECT_FALSE(writes(bench, REG(PAIR) + 4 * (4 * 256 + 5), 1));
  EXPECT_FALSE(reads(bench, REG(PAIR) + 4 * (5 * 256 + 4)));
}

TEST(Window, RefusesAMaskAsAWhole) {
  Bench bench(33);
  EXPECT_TRUE(writes(bench, REG(core.SEQ_LAUNCH) + 4, 1));
  EXPECT_FALSE(writes(bench, REG(core.SEQ_LAUNCH) + 4, 2));
  EXPECT_FALSE(writes(bench, REG(core.SEQ_LAUNCH) + 4, 3));
  EXPECT_EQ(bench.get(REG(core.SEQ_LAUNCH), 1), 1u);
  EXPECT_FALSE(reads(bench, REG(core.SEQ_LAUNCH) + 8));
  EXPECT_FALSE(writes(bench, REG(core.START) + 8, 0));
  EXPECT_FALSE(reads(bench, REG(core.SEG_FULL) + 8));
  EXPECT_FALSE(writes(bench, REG(core.START) + 4, 3));  // port 32 isn't started either
  bench.burst(32, 2);
  bench.stop(31);
  bench.run(1);
  EXPECT_EQ(bench.get(REG(port.ENGINE), 32), 2u);
  bench.run(5);
  EXPECT_EQ(bench.events(), Texts{"3 i32 DONE"});
  EXPECT_EQ(bench.get(REG(core.START), 0), 0u);  // commands read 0
}

TEST(Window, RefusesWritesToWhatIsReadOnly) {
  Bench bench(4);
  for (const std::uint32_t address :
       {REG(ID),          REG(VERSION),         REG(CAP_SIZE),        REG(CAP_WORD),         REG(CAP_OPTIONS),
        REG(CYCLE_PS),    REG(core.TIME),       REG(core.EVENT_TIME), REG(core.COMMITS) + 4, REG(core.EVENT),
        REG(core.STATUS), REG(core.IRQ_STATUS), REG(port.ACTIVE),     REG(port.STATE),       REG(port.ENGINE),
        REG(port.SEG),    REG(port.SEG_FIRST),  REG(port.SEG_COUNT),  REG(port.PASSED),      REG(port.UNROUTED) + 4})
    EXPECT_FALSE(writes(bench, address, 0)) << address;
  for (const std::uint32_t address : {REG(core.COMMIT), REG(core.SEED), REG(core.SEQ_STORE), REG(core.RETRY)})
    EXPECT_EQ(bench.read(address), 0u);
}

TEST(Window, RefusesAnEntryThatTheSequencerDoesNotHave) {
  Bench bench(4);
  EXPECT_TRUE(writes(bench, REG(core.SEQ_STORE), 15));
  EXPECT_FALSE(writes(bench, REG(core.SEQ_STORE), 16));
  EXPECT_TRUE(writes(bench, REG(core.SEQ_STORE), 0x10003));  // reserved bits are ignored
}

TEST(Window, IgnoresReservedBitsAndZeroCommands) {
  Bench bench(4);
  bench.set(REG(port.LOCK), 0, 0xFFFFFFFFu);
  bench.pair(0, 1, 0xFFFFFFFFu);
  bench.set(REG(port.FAULT), 3, 0xFFFFFFF0u);
  bench.write(REG(CTRL), 0xFFFFFFFCu);
  bench.write(REG(IRQ_ENABLE), 0xFFFFFFF8u);
  bench.set(REG(port.SHADOW), 0, 3);  // without VALID
  bench.set(REG(port.SHADOW), 1, 0xFFFFFFFFu);
  EXPECT_EQ(bench.get(REG(port.LOCK), 0), 0x3FFFFFFFu);
  EXPECT_EQ(bench.get(REG(PAIR), 1), 0x3FFFFFFFu);
  EXPECT_EQ(bench.get(REG(port.FAULT), 3), 0u);
  EXPECT_EQ(bench.read(REG(CTRL)), 0u);
  EXPECT_EQ(bench.read(REG(IRQ_ENABLE)), 0u);
  EXPECT_EQ(bench.get(REG(port.SHADOW), 0), 0u);
  EXPECT_EQ(bench.get(REG(port.SHADOW), 1), 0x800001FFu);
  bench.write(REG(core.COMMIT), 0xFFFFFFFEu);
  EXPECT_EQ(bench.read(REG(core.STATUS)), 0u);
}

TEST(Window, PacksSettingsOfABurstAndASource) {
  Bench bench(4);
  EXPECT_EQ(bench.get(REG(port.SOURCE), 3), 40000u);
  bench.set(REG(port.SOURCE), 3, 0x80000000u | 123u);
  bench.set(REG(port.BURST), 3, 0x10000u | 0xABCDu);
  EXPECT_EQ(bench.get(REG(port.SOURCE), 3), 0x80000000u | 123u);
  EXPECT_EQ(bench.get(REG(port.BURST), 3), 0x1ABCDu);
}

TEST(Window, HasOneLatchForHighWords) {
  Bench bench(4);
  bench.write64(REG(core.SEQ_BASE), 0x1111111122222222u);
  bench.write64(REG(core.COMMIT_AT), 0x3333333344444444u);
  EXPECT_EQ(bench.read(REG(core.SEQ_BASE) + 4), 0u);  // nothing latched so far
  EXPECT_EQ(bench.read(REG(core.SEQ_BASE)), 0x22222222u);
  EXPECT_EQ(bench.read(REG(core.COMMIT_AT) + 4), 0x11111111u);
  EXPECT_EQ(bench.read(REG(core.COMMIT_AT)), 0x44444444u);
  EXPECT_FALSE(reads(bench, REG(port.PASSED) + 8 * 4));  // refused: latches nothing
  EXPECT_EQ(bench.read(REG(core.TIME) + 4), 0x33333333u);
  bench.write(REG(core.COMMIT_CANCEL), 1);
  bench.run((std::int64_t{5} << 32) - 1);
  EXPECT_EQ(bench.read(REG(core.TIME)), 0xFFFFFFFFu);
  bench.run(1);
  EXPECT_EQ(bench.read(REG(core.TIME) + 4), 4u);  // of the moment of the low word
}

TEST(Events, SayWhenTheStampIsNew) {
  Bench bench(4);
  EXPECT_EQ(bench.read(REG(core.EVENT)), 0u);
  bench.circuit(0, 1);
  bench.circuit(2, 3);
  bench.commit();
  bench.run(1);
  constexpr std::uint32_t valid = OCS_REGS__CORE__EVENT__VALID_bm;
  constexpr std::uint32_t fresh = OCS_REGS__CORE__EVENT__NEW_STAMP_bm;
  EXPECT_EQ(bench.read64(REG(core.EVENT_TIME)), 0u);
  EXPECT_EQ(bench.read(REG(core.EVENT)), valid | fresh);  // commit by software
  EXPECT_EQ(bench.read64(REG(core.EVENT_TIME)), 1u);
  EXPECT_EQ(bench.read(REG(core.EVENT)), valid | 0x13u);   // output 0 UP
  EXPECT_EQ(bench.read(REG(core.EVENT)), valid | 0x213u);  // output 2 UP
  EXPECT_EQ(bench.read(REG(core.EVENT)), 0u);
  EXPECT_EQ(bench.read64(REG(core.EVENT_TIME)), 1u);
}

TEST(Events, AreDroppedByTheRecordWhenTheFifoIsFull) {
  DeviceConfig config;
  config.ports = 4;
  config.fifo_depth = 1;
  Bench bench(config);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(1);
  bench.read(REG(core.EVENT));  // the commit; the record keeps its place
  bench.circuit(0, 2);
  bench.commit();
  bench.run(1);
  EXPECT_EQ(bench.read64(REG(core.DROPPED)), 1u);
  EXPECT_EQ(bench.read(REG(core.IRQ_STATUS)),
            OCS_REGS__CORE__IRQ_STATUS__EVENT_bm | OCS_REGS__CORE__IRQ_STATUS__OVERFLOW_bm);
  EXPECT_EQ(bench.events(), Texts{"1 o0 UP"});
  bench.circuit(0, 3);
  bench.commit();
  bench.run(1);
  EXPECT_EQ(bench.events(), (Texts{"3 commit 0", "3 o0 UP"}));
  EXPECT_EQ(bench.read64(REG(core.DROPPED)), 1u);
}

TEST(Clock, EndsInTheFirstCycleWithTheInterrupt) {
  Bench bench(4);
  bench.write(REG(IRQ_ENABLE), OCS_REGS__IRQ_ENABLE__ERROR_bm);
  bench.circuit(0, 1);
  bench.write64(REG(core.COMMIT_AT), 20);
  EXPECT_EQ(bench.run_until(15), 15);
  bench.write64(REG(core.COMMIT_AT), 10);  // late: taken in 15
  EXPECT_EQ(bench.run_until(100), 16);
  EXPECT_EQ(bench.run_until(100), 16);
  bench.write(REG(core.ERROR), OCS_REGS__CORE__ERROR__LATE_bm);
  EXPECT_EQ(bench.run_until(3), 16);
  EXPECT_EQ(bench.run_until(100), 100);
}

TEST(Events, ClearOnlyTheErrorsThatAreWrittenOne) {
  Bench bench(4);
  bench.circuit(0, 9);
  bench.commit();
  bench.run(1);
  EXPECT_FALSE(reads(bench, REG(PAIR) - 4));
  bench.write(REG(core.ERROR), OCS_REGS__CORE__ERROR__ACCESS_bm);
  EXPECT_EQ(bench.read(REG(core.ERROR)), OCS_REGS__CORE__ERROR__RANGE_bm);
}

TEST(SoftReset, IsAsPowerUp) {
  Bench bench(4);
  bench.write(REG(CTRL), OCS_REGS__CTRL__ALL_STOP_bm | OCS_REGS__CTRL__MULTICAST_bm);
  bench.write(REG(IRQ_ENABLE), OCS_REGS__IRQ_ENABLE__OVERFLOW_bm);
  bench.circuit(0, 7);
  bench.commit();
  bench.run(1);
  bench.delays(0, 9, 9);
  bench.circuit(0, 1);
  bench.commit();
  bench.run(2);
  EXPECT_EQ(bench.events().size(), 3u);
  EXPECT_EQ(bench.read(REG(core.STATUS)), OCS_REGS__CORE__STATUS__STOP_bm);
  bench.commit();
  bench.set(REG(port.LEN), 2, 9);
  bench.start(2);
  bench.write64(REG(core.COMMIT_AT), std::uint64_t{1} << 32);
  bench.read(REG(core.COMMIT_AT));
  bench.write(REG(core.SOFT_RESET), 1);
  EXPECT_EQ(bench.read(REG(core.TIME) + 4), 0u);  // the latch
  EXPECT_EQ(bench.now(), 0);
  for (const std::uint32_t address :
       {REG(CTRL), REG(IRQ_ENABLE), REG(core.STATUS), REG(core.ERROR), REG(core.COMMITS), REG(core.REFUSED),
        REG(core.EVENT_TIME), REG(core.COMMIT_AT), REG(port.SHADOW), REG(port.STATE), REG(port.ACTIVE), REG(port.BASE),
        REG(port.DARK), REG(port.TUNINGS)})
    EXPECT_EQ(bench.read(address), 0u) << address;
  bench.run(20);
  EXPECT_EQ(bench.events(), Texts{});
}

TEST(SoftReset, LeavesTheMemoriesAlone) {
  Bench bench(4);
  bench.pair(0, 1, 3);
  bench.circuit(0, 1);
  bench.store(0, 4);
  bench.go(1000, 1, 0);
  bench.delays(0, 7, 7);
  bench.burst(2, 100);
  bench.commit();
  bench.run(5);
  bench.commit();
  bench.retry(0);
  bench.write64(REG(core.COMMIT_AT), 7);
  bench.write(REG(core.SOFT_RESET), 1);
  EXPECT_EQ(bench.now(), 0);
  EXPECT_EQ(bench.read(REG(core.STATUS)), 0u);
  EXPECT_EQ(bench.get(REG(port.SHADOW), 0), 0u);
  EXPECT_EQ(bench.get(REG(port.SOURCE), 2), 40000u);
  bench.run(20);
  EXPECT_EQ(bench.events(), Texts{});
  EXPECT_EQ(bench.counter(REG(port.SENT), 2), 0u);
  bench.go(20, 1, 0);  // bank 0 was idle at the store, and is again after the reset
  bench.run(20);
  EXPECT_EQ(bench.events(), (Texts{"25 commit 2", "25 o0 TUNING", "28 o0 UP"}));
}

}  // namespace
}  // namespace ocs::test
