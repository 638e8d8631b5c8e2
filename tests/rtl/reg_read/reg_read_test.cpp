// The read side of the register window: one latch for the high words, which only reads of wide registers touch.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>

#include "Vocs_reg_read.h"
#include "Vocs_reg_read__Syms.h"
#include "ocs_regs.h"
#include "tests/rtl/bench.hpp"

#define CORE(member) static_cast<unsigned>(offsetof(ocs_regs_t, core.member) - offsetof(ocs_regs_t, core))
#define PORT(member) static_cast<unsigned>(offsetof(ocs_regs_t, port.member) - offsetof(ocs_regs_t, port))
#define OPTICS(member) static_cast<unsigned>(offsetof(ocs_regs_t, optics.member) - offsetof(ocs_regs_t, optics))

namespace ocs::test {
namespace {

class Reader : public Bench<Vocs_reg_read, Vocs_reg_read__Syms> {
 public:
  std::uint32_t core(unsigned offset) {
    top.core_read_i = 1;
    top.core_addr_i = offset;
    return at();
  }
  /// `port` is that of the register at `offset`, as the decoder has found it.
  std::uint32_t port(unsigned offset, unsigned port) {
    top.port_read_i = 1;
    top.port_addr_i = offset;
    top.port_i = port;
    return at();
  }
  std::uint32_t optics(unsigned offset, unsigned port) {
    top.optics_read_i = 1;
    top.port_addr_i = offset;
    top.port_i = port;
    return at();
  }
  std::uint32_t pair() {
    top.pair_read_i = 1;
    return at();
  }

 private:
  std::uint32_t at() {
    edge();
    top.core_read_i = top.port_read_i = top.optics_read_i = top.pair_read_i = 0;
    return top.data_o;
  }
};

TEST(RegRead, KeepsTheHighWordThatBelongedToTheLowOne) {
  Reader reader;
  reader.top.time_i = 0x0000'0001'FFFF'FFFF;
  EXPECT_EQ(reader.core(CORE(TIME)), 0xFFFF'FFFFu);
  reader.top.time_i += 1;
  EXPECT_EQ(reader.core(CORE(TIME) + 4), 1u);
  EXPECT_EQ(reader.core(CORE(TIME) + 4), 1u);  // reading it again changes nothing
  EXPECT_EQ(reader.core(CORE(TIME)), 0u);
  EXPECT_EQ(reader.core(CORE(TIME) + 4), 2u);
}

TEST(RegRead, HasOneLatchForTheWindow) {
  Reader reader;
  reader.top.passed_i[3] = 0x0000'0007'0000'0005;
  reader.top.commits_i = 0x0000'0009'0000'0006;
  EXPECT_EQ(reader.port(PORT(PASSED) + 24, 3), 5u);
  EXPECT_EQ(reader.core(CORE(COMMITS)), 6u);
  EXPECT_EQ(reader.port(PORT(PASSED) + 28, 3), 9u);  // the latch holds what was read last
}

TEST(RegRead, LeavesTheLatchAloneForNarrowRegisters) {
  Reader reader;
  reader.top.time_i = 0x0000'0007'0000'0000;
  reader.top.base_i[1] = 77;
  reader.top.pair_i = 78;
  reader.top.status_i = 5;
  EXPECT_EQ(reader.core(CORE(TIME)), 0u);
  EXPECT_EQ(reader.port(PORT(BASE) + 4, 1), 77u);
  EXPECT_EQ(reader.core(CORE(STATUS)), 5u);
  EXPECT_EQ(reader.pair(), 78u);
  EXPECT_EQ(reader.core(CORE(TIME) + 4), 7u);
}

TEST(RegRead, ShowsEachBitOfAStateInItsOwnPlace) {
  Reader reader;
  const auto state = [&] { return reader.port(PORT(STATE) + 4, 1); };
  EXPECT_EQ(state(), 0u);
  reader.top.state_i[1] = 3;
  EXPECT_EQ(state(), 3u);
  reader.top.disturbed_i = 2;
  EXPECT_EQ(state(), 0x1'0003u);
  reader.top.disturbed_i = 0b1101;
  reader.top.dim_i = 2;
  EXPECT_EQ(state(), 0x2'0003u);
  reader.top.state_i[1] = 5;
  reader.top.cause_i[1] = 3;
  reader.top.disturbed_i = 2;
  EXPECT_EQ(state(), 0x3'0305u);
  for (unsigned bit = 0; bit < 4; ++bit) {
    reader.top.los_i = bit == 0 ? 2 : 0;
    reader.top.dead_i = bit == 1 ? 2 : 0;
    reader.top.stuck_i = bit == 2 ? 2 : 0;
    reader.top.keeps_i = bit == 3 ? 2 : 0;
    EXPECT_EQ(reader.port(PORT(FAULT) + 4, 1), 1u << bit);
  }
}

TEST(RegRead, ShowsThePowerOfLightThatIsThere) {
  Reader reader;
  reader.top.laser_i[2] = 0xFE0C;  // -5 dBm
  reader.top.loss_i[2] = 0x1234;
  EXPECT_EQ(reader.optics(OPTICS(LASER) + 8, 2), 0xFE0Cu) << "16 bits, however they are meant";
  EXPECT_EQ(reader.optics(OPTICS(LOSS) + 8, 2), 0x1234u);
  constexpr std::uint32_t eighteen_bits = 0x3'FFFF;
  reader.top.power_i[2] = static_cast<std::uint32_t>(-98303) & eighteen_bits;  // the least
  EXPECT_EQ(reader.optics(OPTICS(POWER) + 8, 2), 0x8000'0000u) << "no light";
  reader.top.lit_i = 0b0100;
  EXPECT_EQ(reader.optics(OPTICS(POWER) + 8, 2), static_cast<std::uint32_t>(-98303));
  reader.top.power_i[2] = 32767;  // the most
  EXPECT_EQ(reader.optics(OPTICS(POWER) + 8, 2), 32767u);
  EXPECT_EQ(reader.optics(OPTICS(POWER) + 12, 3), 0x8000'0000u);
}

TEST(RegRead, KeepsTheHighWordOfMisroutedWordsLikeAnyOther) {
  Reader reader;
  reader.top.misrouted_i[3] = 0x0000'0007'0000'0005;
  reader.top.time_i = 0x0000'0009'0000'0006;
  EXPECT_EQ(reader.optics(OPTICS(MISROUTED) + 24, 3), 5u);
  reader.top.misrouted_i[3] = 0;
  EXPECT_EQ(reader.optics(OPTICS(LOSS) + 12, 3), 0u);
  EXPECT_EQ(reader.optics(OPTICS(POWER) + 12, 3), 0x8000'0000u);
  EXPECT_EQ(reader.optics(OPTICS(MISROUTED) + 28, 3), 7u) << "neither LOSS nor POWER is wide";
  EXPECT_EQ(reader.core(CORE(TIME)), 6u);
  EXPECT_EQ(reader.optics(OPTICS(MISROUTED) + 28, 3), 9u) << "the latch is that of the window";
}

TEST(RegRead, ForgetsTheLatchAtASoftReset) {
  Reader reader;
  reader.top.time_i = 0x0000'0007'0000'0000;
  reader.core(CORE(TIME));
  reader.top.soft_reset_i = 1;
  reader.edge();
  reader.top.soft_reset_i = 0;
  EXPECT_EQ(reader.core(CORE(TIME) + 4), 0u);
}

TEST(RegRead, HoldsItsValueUntilTheNextRead) {
  Reader reader;
  reader.top.status_i = 5;
  EXPECT_EQ(reader.core(CORE(STATUS)), 5u);
  reader.top.status_i = 9;
  for (int n = 0; n < 3; ++n) reader.edge();
  EXPECT_EQ(reader.top.data_o, 5u);
}

}  // namespace
}  // namespace ocs::test
