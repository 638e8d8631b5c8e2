// The whole switch at its pins: accesses at moving edges, steps that are too long, EXTERNAL pins, strobes, high bits.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "host/conformance/snapshot.hpp"
#include "ocs_regs.h"
#include "tests/common/share.hpp"
#include "tests/rtl/top/switch.hpp"

#define REG(member) static_cast<std::uint32_t>(offsetof(ocs_regs_t, member))

namespace ocs::test {
namespace {

constexpr std::uint32_t valid = OCS_REGS__PORT__SHADOWX__VALID_bm;

/// The switch as a bus, for snapshots.
struct Bus final : RegisterBus {
  explicit Bus(Switch& of) : of_(of) {}
  std::uint32_t read(std::uint32_t address) override { return of_.read(address); }
  void write(std::uint32_t address, std::uint32_t value) override { of_.write(address, value); }
  Switch& of_;
};

std::vector<std::uint64_t> everything(Switch& of) {
  Bus bus(of);
  return conformance::SnapshotPlan(4, true).take(bus);
}

struct TopWrite {
  std::uint32_t address, value;
};

/// Writes that keep a switch busy: maps, commits, delays, bursts, faults, sequencer, a reset now and then.
TopWrite any_write(std::mt19937& random) {
  const auto below = [&random](std::uint32_t n) { return static_cast<std::uint32_t>(random() % n); };
  const std::uint32_t port = 4 * below(4);
  switch (below(30)) {
    case 0:
    case 1:
      return {REG(port.SHADOW) + port, below(5) == 0 ? 0 : valid | below(4)};
    case 2:
    case 3:
    case 4:
      return {REG(core.COMMIT), 1};
    case 5:
      return {REG(core.COMMIT_AT) + 4, 0};
    case 6:
      return {REG(core.COMMIT_AT), below(200)};
    case 7:
      return {REG(core.COMMIT_CANCEL), 1};
    case 8:
      return {REG(core.SHADOW_LOAD), 1};
    case 9:
      return {REG(port.BASE) + port, below(4)};
    case 10:
      return {REG(port.LOCK) + port, below(3)};
    case 11:
      return {REG(port.FLAP) + port, below(5)};
    case 12:
      return {REG(port.FAULT) + port, below(8) & below(8)};
    case 13:
      return {REG(core.RETRY), below(16)};
    case 14:
      return {REG(core.SEED), below(9)};
    case 15:
      return {REG(port.JITTER_MASK) + port, 3};
    case 16:
      return {REG(port.LEN) + port, below(9)};
    case 17:
      return {REG(port.GAP) + port, below(4)};
    case 18:
      return {REG(port.BURST) + port, below(0x20000)};
    case 19:
      return {REG(port.SOURCE) + port, below(4) == 0 ? 30000u : 40000u};
    case 20:
    case 21:
      return {REG(core.START), below(16)};
    case 22:
      return {REG(core.STOP), below(16)};
    case 23:
      return {REG(core.SEQ_STORE), below(4)};
    case 24:
      return {REG(SEQ_OFFSET), below(6)};
    case 25:
      return {REG(core.SEQ_GO), 1};
    case 26:
      return {REG(SEQ_LEN), below(4)};
    case 27:
      return {below(2) == 0 ? REG(core.SEQ_SWAP) : REG(core.SEQ_STOP), 1};
    case 28:
      return {below(2) == 0 ? REG(CTRL) : REG(SEQ_PERIOD), below(4)};
    default:
      return {below(12) == 0 ? REG(core.SOFT_RESET) : REG(core.SEQ_LAUNCH), below(16)};
  }
}

TEST(Switch, TakesAWriteAtAMovingEdgeAsThatEdgeAndThenABusEdgeWithIt) {
  for (unsigned seed = 1; seed <= 40 / share(); ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    std::mt19937 random(seed);
    Switch at_once, in_turn;
    for (int n = 0; n < 200; ++n) {
      const TopWrite write = any_write(random);
      const std::uint32_t step =
          1 + static_cast<std::uint32_t>(random()) % std::min<std::uint32_t>(at_once.top.horizon_o, 6);
      const bool accepted = at_once.write(write.address, write.value, step);
      in_turn.edge(step);
      ASSERT_EQ(in_turn.write(write.address, write.value), accepted) << n;
      ASSERT_EQ(at_once.top.time_o, in_turn.top.time_o) << n;
      ASSERT_EQ(at_once.top.horizon_o, in_turn.top.horizon_o) << n << ": 0x" << std::hex << write.address;
    }
    ASSERT_EQ(everything(at_once), everything(in_turn));
    for (int n = 0; n < 50; ++n) ASSERT_EQ(at_once.read(REG(core.EVENT)), in_turn.read(REG(core.EVENT))) << n;
  }
}

TEST(Switch, ShowsTheCycleBeforeTheEdgeToAReadAtIt) {
  Switch of;
  EXPECT_EQ(of.read(REG(core.TIME), 5), 0u);
  EXPECT_EQ(of.read(REG(core.TIME), 5), 5u);
  EXPECT_EQ(of.read(REG(core.TIME)), 10u);
}

TEST(Switch, KeepsABitThatIsSetAtTheEdgeThatClearsIt) {
  Switch of;
  of.write(REG(port.SHADOW), valid | 1);
  of.write(REG(port.LEN) + 4, 1);
  of.write(REG(core.COMMIT), 1);
  of.edge(1);
  of.write(REG(core.START), 2);
  of.edge(1);
  of.write(REG(core.SEG_FULL), 1, 1);  // the segment ends at this edge
  EXPECT_EQ(of.read(REG(core.SEG_FULL)), 1u);
  of.write(REG(port.SHADOW) + 4, valid | 1);
  of.write(REG(core.COMMIT), 1);
  of.write(REG(core.ERROR), 0x7F, 1);  // the commit is refused at this edge
  EXPECT_EQ(of.read(REG(core.ERROR)), static_cast<std::uint32_t>(OCS_REGS__CORE__ERROR__CONFLICT_bm));
}

TEST(Switch, DoesNothingAtAStepBeyondTheHorizonButSaySo) {
  Switch of;
  of.write(REG(port.BASE), 10);
  of.write(REG(port.SHADOW), valid | 1);
  of.write(REG(core.COMMIT), 1);
  of.edge(1);
  ASSERT_EQ(of.top.horizon_o, 10u);
  auto before = everything(of);
  of.edge(11);
  EXPECT_EQ(of.top.time_o, 1u);
  EXPECT_EQ(of.top.horizon_o, 10u);
  EXPECT_EQ(of.read(REG(core.ERROR)), static_cast<std::uint32_t>(OCS_REGS__CORE__ERROR__STEP_ERROR_bm));
  of.write(REG(core.ERROR), OCS_REGS__CORE__ERROR__STEP_ERROR_bm);
  EXPECT_EQ(everything(of), before);
  of.edge(10);
  EXPECT_EQ(of.read(REG(port.STATE)), 3u);
}

TEST(Switch, CountsTheWordsOfExternalPins) {
  Switch of;
  of.write(REG(port.SHADOW), valid | 2);
  of.write(REG(core.COMMIT), 1);
  of.edge(1);
  of.write(REG(port.SOURCE) + 8, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm | 40000);
  EXPECT_EQ(of.top.horizon_o, 1u);
  for (const unsigned pin : {1u, 0u, 1u, 1u}) {
    of.top.valid_i = static_cast<CData>(pin << 2 | 1);  // the pin of input 0 isn't looked at
    of.edge(1);
  }
  EXPECT_EQ(of.wide(REG(port.SENT) + 16), 3u);
  EXPECT_EQ(of.wide(REG(port.PASSED)), 3u);
  EXPECT_EQ(of.wide(REG(port.SENT)), 0u);
  of.write(REG(port.SOURCE) + 8, 40000);
  of.edge(1);
  EXPECT_EQ(of.read(REG(core.SEG_FULL)), 0u);
}

TEST(Switch, OffersOneWordWhereTheEnginesLastAndThePinsMeet) {
  Switch of;
  of.write(REG(port.LEN), 9);
  of.write(REG(core.START), 1);
  of.edge(1);
  of.write(REG(port.SOURCE), OCS_REGS__PORT__SOURCEX__EXTERNAL_bm | 40000);
  of.top.valid_i = 1;
  of.edge(1);
  EXPECT_EQ(of.wide(REG(port.SENT)), 1u);
  EXPECT_EQ(of.read(REG(port.ENGINE)), 0u);
}

TEST(Switch, WritesTheBytesThatStrobesName) {
  Switch of;
  EXPECT_TRUE(of.write(REG(port.LEN), 0x11223344));
  EXPECT_TRUE(of.write(REG(port.LEN), 0xAABBCCDD, 0, 0b0101));
  EXPECT_EQ(of.read(REG(port.LEN)), 0x11BB33DDu);
  EXPECT_TRUE(of.write(REG(port.LEN), 0, 0, 0));
  EXPECT_EQ(of.read(REG(port.LEN)), 0x11BB33DDu);
  EXPECT_TRUE(of.write(REG(PAIR) + 4, 0xFFFFFFFF, 0, 0b1001));
  EXPECT_EQ(of.read(REG(PAIR) + 4), 0x3F0000FFu);
  EXPECT_TRUE(of.write(REG(CTRL), 0xFF, 0, 0b1110));
  EXPECT_EQ(of.read(REG(CTRL)), 0u);
  EXPECT_TRUE(of.write(REG(port.SHADOW), 0x1FF, 0, 0b0011));
  EXPECT_EQ(of.read(REG(port.SHADOW)), 0u);  // without VALID there is no input
  EXPECT_TRUE(of.write(REG(port.SHADOW), valid, 0, 0b1000));
  EXPECT_TRUE(of.write(REG(port.SHADOW), 3, 0, 0b0001));
  EXPECT_EQ(of.read(REG(port.SHADOW)), valid | 3);
}

TEST(Switch, ArmsNothingByAWriteWithoutBytes) {
  Switch of;
  EXPECT_TRUE(of.write(REG(core.COMMIT_AT), 77));
  EXPECT_TRUE(of.write(REG(core.COMMIT_AT) + 4, 5, 0, 0));
  EXPECT_EQ(of.read(REG(core.STATUS)), 0u);
  EXPECT_EQ(of.wide(REG(core.COMMIT_AT)), 0u);
  EXPECT_TRUE(of.write(REG(core.COMMIT_AT) + 4, 0x505, 0, 0b0010));
  EXPECT_EQ(of.wide(REG(core.COMMIT_AT)), (std::uint64_t{0x500} << 32 | 77));
  EXPECT_EQ(of.read(REG(core.STATUS)), static_cast<std::uint32_t>(OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm));
}

TEST(Switch, RefusesCommandsThatLackAByte) {
  Switch of;
  for (const std::uint32_t address :
       {REG(core.SOFT_RESET), REG(core.COMMIT), REG(core.COMMIT_CANCEL), REG(core.SHADOW_LOAD), REG(core.SEED),
        REG(core.SEQ_STORE), REG(core.SEQ_GO), REG(core.SEQ_SWAP), REG(core.SEQ_STOP), REG(core.START), REG(core.STOP),
        REG(core.RETRY)}) {
    for (unsigned strobes = 0; strobes < 15; ++strobes) {
      of.write(REG(core.ERROR), 0x7F);
      EXPECT_FALSE(of.write(address, 1, 0, strobes)) << std::hex << address;
      EXPECT_EQ(of.read(REG(core.ERROR)), static_cast<std::uint32_t>(OCS_REGS__CORE__ERROR__ACCESS_bm));
      EXPECT_EQ(of.read(REG(core.STATUS)), 0u);
    }
    EXPECT_TRUE(of.write(address, 0)) << std::hex << address;
  }
  // Bits that are cleared and bits that are kept go by strobes.
  EXPECT_TRUE(of.write(REG(core.ERROR), 0x7F, 0, 0b1110));
  EXPECT_NE(of.read(REG(core.ERROR)), 0u);
  EXPECT_TRUE(of.write(REG(core.SEQ_LAUNCH), 0xF, 0, 0b1110));
  EXPECT_EQ(of.read(REG(core.SEQ_LAUNCH)), 0u);
}

/// No run is long enough to count to 2^63: state is put there, and has to be read through the window as it is.
TEST(Switch, ShowsEveryBitOfItsCountersAndTimes) {
  for (const std::uint64_t pattern :
       {0xFFFF'FFFF'FFFF'FFFFu, 0x5A5A'C3C3'0FF0'1234u, std::uint64_t{0}, 0xA5A5'3C3C'F00F'EDCBu}) {
    Switch of;
    auto& in = *of.top.rootp;
    const auto value = [pattern](std::uint64_t n) { return pattern ^ n; };
    const std::array sets{std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__passed_q, REG(port.PASSED)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__lost_q, REG(port.LOST)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__dark_q, REG(port.DARK)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__tunings_q, REG(port.TUNINGS)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__restarts_q, REG(port.RESTARTS)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__sent_q, REG(port.SENT)},
                          std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__unrouted_q, REG(port.UNROUTED)}};
    for (std::uint64_t k = 0; k < sets.size(); ++k)
      for (unsigned p = 0; p < 4; ++p) (*sets[k].first)[p] = value(4 * k + p);
    const std::array single{std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__commits_q, REG(core.COMMITS)},
                            std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__refused_q, REG(core.REFUSED)},
                            std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__late_q, REG(core.LATE)},
                            std::pair{&in.ocs_top__DOT__u_core__DOT__u_counters__DOT__dropped_q, REG(core.DROPPED)},
                            std::pair{&in.ocs_top__DOT__u_core__DOT__u_events__DOT__taken_q, REG(core.EVENT_TIME)},
                            std::pair{&in.ocs_top__DOT__u_core__DOT__time_q, REG(core.TIME)}};
    for (std::uint64_t k = 0; k < single.size(); ++k) *single[k].first = value(100 + k);
    in.ocs_top__DOT__u_core__DOT__u_checks__DOT__commits_then = value(100);
    in.ocs_top__DOT__u_core__DOT__u_events__DOT__u_checks__DOT__newest_q = value(104);
    in.ocs_top__DOT__u_core__DOT__u_checks__DOT__time_then = value(105);
    of.edge(0);  // what is computed from the state follows
    for (std::uint64_t k = 0; k < sets.size(); ++k)
      for (unsigned p = 0; p < 4; ++p)
        EXPECT_EQ(of.wide(sets[k].second + 8 * p), value(4 * k + p)) << std::hex << sets[k].second;
    for (std::uint64_t k = 0; k < single.size(); ++k)
      EXPECT_EQ(of.wide(single[k].second), value(100 + k)) << std::hex << single[k].second;
    EXPECT_EQ(of.top.time_o, value(105));
  }
}

}  // namespace
}  // namespace ocs::test
