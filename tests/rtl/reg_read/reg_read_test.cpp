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
  std::uint32_t pair() {
    top.pair_read_i = 1;
    return at();
  }

 private:
  std::uint32_t at() {
    edge();
    top.core_read_i = top.port_read_i = top.pair_read_i = 0;
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
