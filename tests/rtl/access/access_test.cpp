// What is refused (section 12), for every offset of the four register files: 40 ports, a bank of four.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <set>

#include "Vocs_access.h"
#include "Vocs_access__Syms.h"
#include "ocs_regs.h"
#include "tests/rtl/bench.hpp"

#define CORE(member) static_cast<unsigned>(offsetof(ocs_regs_t, core.member) - offsetof(ocs_regs_t, core))
#define PORT(member) static_cast<unsigned>(offsetof(ocs_regs_t, port.member) - offsetof(ocs_regs_t, port))
#define OPTICS(member) static_cast<unsigned>(offsetof(ocs_regs_t, optics.member) - offsetof(ocs_regs_t, optics))

namespace ocs::test {
namespace {

constexpr unsigned ports = 40, entries = 4;

class Access : public Wires<Vocs_access, Vocs_access__Syms> {
 public:
  /// @return whether the request is accepted; exactly one strobe says so, or the error.
  bool core(unsigned offset, bool write, std::uint32_t data = 0, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.core_i = 1;
    top.port_i = top.optics_i = top.pair_i = 0;
    top.core_addr_i = offset;
    return asked(write, data, strobes, write ? top.core_write_o : top.core_read_o);
  }
  bool port(unsigned offset, bool write, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.port_i = 1;
    top.core_i = top.optics_i = top.pair_i = 0;
    top.port_addr_i = offset;
    return asked(write, 0, strobes, write ? top.port_write_o : top.port_read_o);
  }
  bool optics(unsigned offset, bool write, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.optics_i = 1;
    top.core_i = top.port_i = top.pair_i = 0;
    top.optics_addr_i = offset;
    return asked(write, 0, strobes, write ? top.optics_write_o : top.optics_read_o);
  }
  bool pair(unsigned output, unsigned input, bool write) {
    top.pair_i = 1;
    top.core_i = top.port_i = top.optics_i = 0;
    top.pair_addr_i = output << 10 | input << 2;
    return asked(write, 0, 0xFFFF'FFFF, write ? top.pair_write_o : top.pair_read_o);
  }

 private:
  bool asked(bool write, std::uint32_t data, std::uint32_t strobes, const CData& strobe) {
    top.write_i = write;
    top.data_i = data;
    top.biten_i = strobes;
    evaluate();
    EXPECT_EQ(top.core_write_o + top.core_read_o + top.port_write_o + top.port_read_o + top.optics_write_o +
                  top.optics_read_o + top.pair_write_o + top.pair_read_o + top.error_o,
              1);
    EXPECT_NE(strobe, top.error_o);
    return top.error_o == 0;
  }
};

TEST(Access, KnowsEveryDeviceRegister) {
  const std::set<unsigned> state{CORE(TIME),    CORE(TIME) + 4,    CORE(EVENT_TIME), CORE(EVENT_TIME) + 4,
                                 CORE(COMMITS), CORE(COMMITS) + 4, CORE(REFUSED),    CORE(REFUSED) + 4,
                                 CORE(LATE),    CORE(LATE) + 4,    CORE(DROPPED),    CORE(DROPPED) + 4,
                                 CORE(EVENT),   CORE(STATUS),      CORE(IRQ_STATUS)};
  const std::set<unsigned> settings{CORE(COMMIT_AT),      CORE(COMMIT_AT) + 4, CORE(SEQ_BASE),     CORE(SEQ_BASE) + 4,
                                    CORE(ERROR),          CORE(SEG_FULL),      CORE(SEG_FULL) + 4, CORE(SEQ_LAUNCH),
                                    CORE(SEQ_LAUNCH) + 4, CORE(CHANGED),       CORE(CHANGED) + 4,  CORE(ENDED),
                                    CORE(ENDED) + 4};
  const std::set<unsigned> commands{CORE(SOFT_RESET), CORE(COMMIT),    CORE(COMMIT_CANCEL), CORE(SHADOW_LOAD),
                                    CORE(SEED),       CORE(SEQ_STORE), CORE(SEQ_GO),        CORE(SEQ_SWAP),
                                    CORE(SEQ_STOP),   CORE(START),     CORE(START) + 4,     CORE(STOP),
                                    CORE(STOP) + 4,   CORE(RETRY),     CORE(RETRY) + 4};
  Access access;
  for (unsigned offset = 0; offset < 0x200; offset += 4) {
    if (offset >= CORE(LOCK_WARM) && offset < CORE(CHANGED)) continue;  // quantiles: an option
    SCOPED_TRACE(offset);
    const bool is_state = state.contains(offset), is_setting = settings.contains(offset);
    const bool is_command = commands.contains(offset);
    EXPECT_EQ(access.core(offset, false), is_state || is_setting || is_command);
    EXPECT_EQ(access.core(offset, true), is_setting || is_command);
    EXPECT_EQ(access.core(offset, true, 0, 0xFF), is_setting);  // commands want all their bytes
    EXPECT_EQ(access.core(offset, true, 0, 0), is_setting);
  }
}

TEST(Access, RefusesPortsThatAreNotThereInMasks) {
  Access access;
  for (unsigned port = 0; port < 64; ++port) {
    const unsigned word = CORE(START) + 4 * (port / 32);
    EXPECT_EQ(access.core(word, true, 1u << port % 32), port < ports) << port;
    if (port < ports) {
      EXPECT_EQ(access.top.ports_o, QData{1} << port);
    }
  }
  // A byte that isn't written is not looked at.
  EXPECT_TRUE(access.core(CORE(SEG_FULL) + 4, true, 0x1FF, 0xFF));
  EXPECT_EQ(access.top.ports_o, QData{0xFF} << 32);
  EXPECT_FALSE(access.core(CORE(SEG_FULL) + 4, true, 0x1FF, 0xFFFF));
}

TEST(Access, RefusesEntriesBeyondTheBank) {
  Access access;
  for (unsigned entry = 0; entry < 9; ++entry) EXPECT_EQ(access.core(CORE(SEQ_STORE), true, entry), entry < entries);
  EXPECT_FALSE(access.core(CORE(SEQ_STORE), true, 0xFFFF));
  EXPECT_TRUE(access.core(CORE(SEQ_STORE), true, 0xFFFF'0003));  // reserved bits are ignored
}

TEST(Access, RefusesPortsThatAreNotThereAndWritesOfState) {
  Access access;
  const std::set<unsigned> state{PORT(ACTIVE), PORT(STATE), PORT(ENGINE), PORT(SEG), PORT(SEG_FIRST), PORT(SEG_COUNT)};
  for (unsigned array = 0; array < PORT(PASSED); array += 0x400)
    for (unsigned port = 0; port < 256; ++port) {
      EXPECT_EQ(access.port(array + 4 * port, false), port < ports) << array << " " << port;
      EXPECT_EQ(access.port(array + 4 * port, true), port < ports && !state.contains(array)) << array << " " << port;
      EXPECT_EQ(access.top.port_o, port);
    }
  for (unsigned half = 0; half < 2 * 256; ++half) {
    EXPECT_EQ(access.port(PORT(LOST) + 4 * half, false), half / 2 < ports) << half;
    EXPECT_FALSE(access.port(PORT(LOST) + 4 * half, true)) << half;
    EXPECT_EQ(access.top.port_o, half / 2);
  }
}

TEST(Access, KnowsTheOpticsRegisters) {
  Access access;
  for (const unsigned array : {OPTICS(LASER), OPTICS(LOSS), OPTICS(POWER)})
    for (unsigned port = 0; port < 256; ++port) {
      EXPECT_EQ(access.optics(array + 4 * port, false), port < ports) << array << " " << port;
      EXPECT_EQ(access.top.port_o, port);
      EXPECT_EQ(access.optics(array + 4 * port, true), port < ports && array != OPTICS(POWER)) << array << " " << port;
      EXPECT_EQ(access.optics(array + 4 * port, true, 0xFF), port < ports && array != OPTICS(POWER)) << array;
    }
  for (unsigned half = 0; half < 2 * 256; ++half) {
    EXPECT_EQ(access.optics(OPTICS(MISROUTED) + 4 * half, false), half / 2 < ports) << half;
    EXPECT_FALSE(access.optics(OPTICS(MISROUTED) + 4 * half, true)) << half;
    EXPECT_EQ(access.top.port_o, half / 2);
  }
}

TEST(Access, RefusesPairsOfPortsThatAreNotThere) {
  Access access;
  for (const unsigned output : {0u, 1u, 39u, 40u, 255u})
    for (const unsigned input : {0u, 39u, 40u, 128u, 255u})
      for (const bool write : {false, true})
        EXPECT_EQ(access.pair(output, input, write), output < ports && input < ports) << output << " " << input;
}

}  // namespace
}  // namespace ocs::test
