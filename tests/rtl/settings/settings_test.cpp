// Settings: every write reaches its own field of its own port, byte by byte; SHADOW_LOAD; a reset.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "Vocs_settings.h"
#include "Vocs_settings__Syms.h"
#include "ocs_regs.h"
#include "tests/rtl/bench.hpp"

#define CORE(member) static_cast<unsigned>(offsetof(ocs_regs_t, core.member) - offsetof(ocs_regs_t, core))
#define PORT(member) static_cast<unsigned>(offsetof(ocs_regs_t, port.member) - offsetof(ocs_regs_t, port))
#define OPTICS(member) static_cast<unsigned>(offsetof(ocs_regs_t, optics.member) - offsetof(ocs_regs_t, optics))

namespace ocs::test {
namespace {

constexpr unsigned ports = 4;
constexpr std::uint32_t thirty_bits = 0x3FFF'FFFF, valid = OCS_REGS__PORT__SHADOWX__VALID_bm;

class Settings : public Bench<Vocs_settings, Vocs_settings__Syms> {
 public:
  void port(unsigned array, unsigned port, std::uint32_t value, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.port_write_i = 1;
    top.port_addr_i = array + 4 * port;
    top.port_i = port;
    at(value, strobes);
    top.port_write_i = 0;
  }
  void optics(unsigned array, unsigned port, std::uint32_t value, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.optics_write_i = 1;
    top.port_addr_i = array + 4 * port;
    top.port_i = port;
    at(value, strobes);
    top.optics_write_i = 0;
  }
  void core(unsigned offset, std::uint32_t value, std::uint32_t strobes = 0xFFFF'FFFF) {
    top.core_write_i = 1;
    top.core_addr_i = offset;
    at(value, strobes);
    top.core_write_i = 0;
  }

 private:
  void at(std::uint32_t value, std::uint32_t strobes) {
    top.data_i = value;
    top.biten_i = strobes;
    edge();
  }
};

/// An array of port or optics registers: the bits that it keeps, and its value put together from the outputs.
struct Array {
  std::string name;
  unsigned offset;
  std::uint32_t kept, reset;
  std::function<std::uint32_t(Vocs_settings&, unsigned)> value;
  void (Settings::*write)(unsigned, unsigned, std::uint32_t, std::uint32_t) = &Settings::port;
};

std::vector<Array> arrays() {
  const auto bit = [](unsigned mask, unsigned port) { return mask >> port & 1; };
  return {
      {"BASE", PORT(BASE), thirty_bits, 0, [](auto& top, unsigned p) { return top.base_o[p]; }},
      {"SLOW", PORT(SLOW), thirty_bits, 0, [](auto& top, unsigned p) { return top.slow_o[p]; }},
      {"LOCK", PORT(LOCK), thirty_bits, 0, [](auto& top, unsigned p) { return top.lock_o[p]; }},
      {"JITTER_MASK", PORT(JITTER_MASK), thirty_bits, 0, [](auto& top, unsigned p) { return top.jitter_mask_o[p]; }},
      {"FLAP", PORT(FLAP), thirty_bits, 0, [](auto& top, unsigned p) { return top.flap_o[p]; }},
      {"FAULT", PORT(FAULT), 15, 0,
       [bit](auto& top, unsigned p) {
         return bit(top.los_o, p) | bit(top.dead_o, p) << 1 | bit(top.stuck_o, p) << 2 | bit(top.keeps_o, p) << 3;
       }},
      {"LEN", PORT(LEN), 0xFFFF'FFFF, 0, [](auto& top, unsigned p) { return top.len_o[p]; }},
      {"GAP", PORT(GAP), 0xFFFF'FFFF, 0, [](auto& top, unsigned p) { return top.gap_o[p]; }},
      {"REPEAT", PORT(REPEAT), 0xFFFF'FFFF, 0, [](auto& top, unsigned p) { return top.repeat_o[p]; }},
      {"BURST", PORT(BURST), 0x1FFFF, 0,
       [bit](auto& top, unsigned p) { return top.tag_o[p] | bit(top.gated_o, p) << 16; }},
      {"SOURCE", PORT(SOURCE), 0x8000'FFFF, 40000,
       [bit](auto& top, unsigned p) { return top.rate_o[p] | bit(top.external_o, p) << 31; }},
      {"LASER", OPTICS(LASER), 0xFFFF, 0, [](auto& top, unsigned p) { return top.laser_o[p]; }, &Settings::optics},
      {"LOSS", OPTICS(LOSS), 0xFFFF, 0, [](auto& top, unsigned p) { return top.loss_o[p]; }, &Settings::optics},
  };
}

TEST(Settings, KeepWhatIsWrittenToEachPortByteByByte) {
  std::mt19937 random(1);
  for (const Array& array : arrays()) {
    SCOPED_TRACE(array.name);
    Settings settings;
    std::vector<std::uint32_t> expected(ports, array.reset);
    for (int n = 0; n < 300; ++n) {
      const unsigned port = static_cast<unsigned>(random() % ports);
      const auto value = static_cast<std::uint32_t>(random());
      std::uint32_t strobes = 0;
      for (unsigned b = 0; b < 4; ++b)
        if (random() % 2 != 0) strobes |= 0xFFu << 8 * b;
      (settings.*array.write)(array.offset, port, value, strobes);
      expected[port] = ((expected[port] & ~strobes) | (value & strobes)) & array.kept;
      for (unsigned p = 0; p < ports; ++p) ASSERT_EQ(array.value(settings.top, p), expected[p]) << n;
    }
    for (const Array& other : arrays())  // of what wasn't written nothing changes
      if (other.name != array.name) {
        for (unsigned p = 0; p < ports; ++p) EXPECT_EQ(other.value(settings.top, p), other.reset) << other.name;
      }
    settings.top.rst_ni = 0;
    settings.edge();
    for (unsigned p = 0; p < ports; ++p) EXPECT_EQ(array.value(settings.top, p), array.reset);
  }
}

TEST(Settings, HaveNoInputWithoutACircuit) {
  Settings settings;
  settings.port(PORT(SHADOW), 2, valid | 0x1FF);
  EXPECT_EQ(settings.top.shadow_valid_o, 0b0100);
  EXPECT_EQ(settings.top.shadow_input_o[2], 0x1FFu);
  settings.port(PORT(SHADOW), 2, 0, 0xFF00'0000);  // VALID alone is taken away
  EXPECT_EQ(settings.top.shadow_valid_o, 0);
  EXPECT_EQ(settings.top.shadow_input_o[2], 0u);
  settings.port(PORT(SHADOW), 1, 3);
  EXPECT_EQ(settings.top.shadow_input_o[1], 0u);
}

TEST(Settings, LoadTheMapThatHoldsAfterTheEdge) {
  Settings settings;
  settings.port(PORT(SHADOW), 0, valid | 3);
  settings.top.valid_next_i = 0b0110;
  for (unsigned o = 0; o < ports; ++o) settings.top.input_next_i[o] = 3 - o;
  settings.core(CORE(SHADOW_LOAD), 0);  // commands act when 1 is written
  EXPECT_EQ(settings.top.shadow_valid_o, 0b0001);
  settings.core(CORE(SHADOW_LOAD), 1);
  EXPECT_EQ(settings.top.shadow_valid_o, 0b0110);
  for (unsigned o = 0; o < ports; ++o) EXPECT_EQ(settings.top.shadow_input_o[o], o == 1 ? 2u : o == 2 ? 1u : 0u) << o;
}

TEST(Settings, KeepTheEntryToBeStoredAndTheBase) {
  Settings settings;
  settings.core(CORE(SEQ_LAUNCH), 0b1010);
  EXPECT_EQ(settings.top.launch_o, 0b1010);
  settings.core(CORE(SEQ_LAUNCH), 0b0101, 0xFFFF'FF00);
  EXPECT_EQ(settings.top.launch_o, 0b1010);
  settings.core(CORE(SEQ_BASE), 0x1111'2222);
  settings.core(CORE(SEQ_BASE) + 4, 0x3333'4444);
  settings.core(CORE(SEQ_BASE) + 4, 0x5555'5555, 0x0000'FFFF);
  EXPECT_EQ(settings.top.seq_base_o, 0x3333'5555'1111'2222u);
  EXPECT_EQ(settings.top.launch_o, 0b1010);
}

}  // namespace
}  // namespace ocs::test
