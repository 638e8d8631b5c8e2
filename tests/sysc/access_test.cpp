// Accesses to the registers of a module, the same for both bodies: every size, byte enables, two masters, debug reads.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <map>
#include <utility>

#include "tests/sysc/rig.hpp"

namespace ocs::sysc::test {
namespace {

class Accesses : public testing::TestWithParam<const char*> {
 protected:
  static constexpr std::uint32_t base = offsetof(ocs_regs_t, port.BASE), commit = offsetof(ocs_regs_t, core.COMMIT);
  static constexpr std::uint32_t commit_at = offsetof(ocs_regs_t, core.COMMIT_AT),
                                 error = offsetof(ocs_regs_t, core.ERROR);
  static constexpr std::uint32_t core_time = offsetof(ocs_regs_t, core.TIME), event = offsetof(ocs_regs_t, core.EVENT);
  static constexpr std::uint32_t irq_status = offsetof(ocs_regs_t, core.IRQ_STATUS);
  static constexpr std::uint32_t status = offsetof(ocs_regs_t, core.STATUS), id = offsetof(ocs_regs_t, ID);
  static constexpr auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  static constexpr std::uint64_t far = std::uint64_t{7} << 32 | 0x1234;

  void SetUp() override { rig_.begin(); }
  bool is_rtl() const { return std::string(GetParam()) == "rtl"; }

  tlm::tlm_response_status with_enables(tlm::tlm_command command, std::uint32_t address, std::string& bytes,
                                        std::string enables) {
    tlm::tlm_generic_payload payload;
    payload.set_command(command);
    payload.set_address(address);
    payload.set_data_ptr(reinterpret_cast<unsigned char*>(bytes.data()));
    payload.set_data_length(static_cast<unsigned>(bytes.size()));
    payload.set_streaming_width(static_cast<unsigned>(bytes.size()));
    payload.set_byte_enable_ptr(reinterpret_cast<unsigned char*>(enables.data()));
    payload.set_byte_enable_length(static_cast<unsigned>(enables.size()));
    sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
    rig_.cpu->b_transport(payload, delay);
    return payload.get_response_status();
  }

  std::uint32_t look_at(std::uint32_t address) {
    const std::string shown = rig_.look(address, 4);
    if (shown.size() != 4) throw std::runtime_error("nothing is shown");
    std::uint32_t value = 0;
    std::memcpy(&value, shown.data(), sizeof value);
    return value;
  }

  Rig& rig_ = is_rtl() ? platform().rtl : platform().exact;
};

TEST_P(Accesses, OfOneAndTwoBytesReachTheirPartOfAWord) {
  rig_.write(base, 0x11223344);
  std::uint8_t byte = 0xAB;
  std::uint16_t half = 0;
  EXPECT_EQ(rig_.access(write, base + 1, &byte, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(base), 0x1122AB44u);
  EXPECT_EQ(rig_.access(read, base + 2, &half, 2), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(half, 0x1122u);
  half = 0x0506;
  EXPECT_EQ(rig_.access(write, base, &half, 2), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.access(read, base + 3, &byte, 1), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(byte, 0x11u);
  EXPECT_EQ(rig_.read(base), 0x11220506u);
  EXPECT_EQ(rig_.access(read, base + 1, &half, 2), tlm::TLM_ADDRESS_ERROR_RESPONSE);
}

TEST_P(Accesses, OfEightBytesAreTwoWordsAndWholeRegistersOf64Bits) {
  std::uint64_t whole = far;
  EXPECT_EQ(rig_.access(write, commit_at, &whole, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(status), OCS_REGS__CORE__STATUS__COMMIT_ARMED_bm);
  whole = 0;
  EXPECT_EQ(rig_.access(read, commit_at, &whole, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(whole, far);
  whole = std::uint64_t{9} << 32 | 8;
  EXPECT_EQ(rig_.access(write, base, &whole, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(std::pair(rig_.read(base), rig_.read(base + 4)), std::pair(8u, 9u));
  EXPECT_EQ(rig_.access(read, base + 4, &whole, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(rig_.read(error), 0u);
}

TEST_P(Accesses, OfEightBytesEndAtTheWordThatIsRefused) {
  std::uint64_t two = std::uint64_t{6} << 32 | 5;
  const std::uint32_t last = base + 4 * 2;  // outputs 2 and 3; then 4, which isn't there
  EXPECT_EQ(rig_.access(write, last, &two, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.access(write, last + 8, &two, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(rig_.access(write, id, &two, 8), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(rig_.access(read, 0x7FFF8 + 8, &two, 8), tlm::TLM_ADDRESS_ERROR_RESPONSE);
  EXPECT_EQ(std::pair(rig_.read(last), rig_.read(last + 4)), std::pair(5u, 6u));
}

TEST_P(Accesses, TakeNoPartOfACommand) {
  std::uint16_t half = 1;
  rig_.write(offsetof(ocs_regs_t, port.SHADOW), OCS_REGS__PORT__SHADOWX__VALID_bm);
  EXPECT_EQ(rig_.access(write, commit, &half, 2), tlm::TLM_GENERIC_ERROR_RESPONSE);
  rig_.run(3);
  EXPECT_EQ(rig_.read(offsetof(ocs_regs_t, core.COMMITS)), 0u);
  EXPECT_EQ(rig_.read(error), OCS_REGS__CORE__ERROR__ACCESS_bm);
}

TEST_P(Accesses, ReachTheBytesThatAreEnabled) {
  rig_.write(base, 0x11223344);
  std::string bytes = "\x01\x02\x03\x04";
  EXPECT_EQ(with_enables(write, base, bytes, std::string("\xFF\0", 2)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(base), 0x11033301u);
  bytes = "abcd";
  EXPECT_EQ(with_enables(read, base, bytes, std::string("\0\0\xFF\xFF", 4)), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(bytes, "ab\x03\x11");
  EXPECT_EQ(with_enables(write, base, bytes, std::string(4, '\0')), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(base), 0x11033301u);
  EXPECT_EQ(with_enables(write, commit, bytes, std::string(4, '\0')), tlm::TLM_GENERIC_ERROR_RESPONSE);
}

TEST_P(Accesses, OfTwoMastersTearNoRegisterOf64Bits) {
  std::uint64_t whole = far;
  EXPECT_EQ(rig_.access(write, commit_at, &whole, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(commit_at), static_cast<std::uint32_t>(far));
  EXPECT_EQ(rig_.read_aside(core_time), 0u);
  EXPECT_EQ(rig_.read(commit_at + 4), far >> 32);
  EXPECT_EQ(rig_.read_aside(core_time + 4), 0u);
  EXPECT_EQ(rig_.read_aside(commit_at), static_cast<std::uint32_t>(far));
  EXPECT_EQ(rig_.read(core_time), 0u);
  EXPECT_EQ(rig_.read_aside(core_time + 4), far >> 32) << "one latch for all registers of a master";
  rig_.write(offsetof(ocs_regs_t, core.SOFT_RESET), 1);
  EXPECT_EQ(rig_.read_aside(core_time + 4), 0u);
}

/// Every word that a debug access shows, by its address.
std::map<std::uint32_t, std::string> all_that_is_shown(Rig& rig) {
  std::map<std::uint32_t, std::string> all;
  for (std::uint32_t address = 0; address < 0x80010; address += 4) {
    std::string word = rig.look(address, 4);
    if (!word.empty()) all[address] = std::move(word);
  }
  return all;
}

TEST_P(Accesses, OfADebuggerSeeEveryRegisterAndChangeNothing) {
  rig_.write(base + 4, 30);
  rig_.write(offsetof(ocs_regs_t, IRQ_ENABLE), OCS_REGS__IRQ_ENABLE__EVENT_bm);
  rig_.connect(1, 2);
  std::uint64_t whole = far;
  ASSERT_EQ(rig_.access(write, commit_at, &whole, 8), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(rig_.read(commit_at), static_cast<std::uint32_t>(far));
  rig_.run(10);
  const auto shown = all_that_is_shown(rig_);
  EXPECT_EQ(all_that_is_shown(rig_), shown);
  EXPECT_TRUE(rig_.irq.read());
  EXPECT_EQ(rig_.read(error), 0u);
  EXPECT_EQ(rig_.read(commit_at + 4), far >> 32) << "the latch has been left alone";
  EXPECT_EQ(shown.count(event), is_rtl() ? 0u : 1u);
  std::size_t registers = 0;
  for (std::uint32_t address = 0; address < 0x80010; address += 4) {
    std::uint32_t value = 0;
    const bool answered = rig_.access(read, address, &value, 4) == tlm::TLM_OK_RESPONSE;
    registers += answered ? 1 : 0;
    if (address == event && is_rtl()) continue;
    if (address == error || address == irq_status) continue;  // these reads set ACCESS
    ASSERT_EQ(shown.count(address), answered ? 1u : 0u) << address;
    const bool differs = answered && std::memcmp(shown.at(address).data(), &value, 4) != 0;
    ASSERT_FALSE(differs) << address << " reads " << value;
  }
  EXPECT_GT(registers, 150u);
}

TEST_P(Accesses, OfADebuggerMayBeginAnywhereAndEndWhereNothingIs) {
  rig_.write(base + 4 * 3, 0x01020304);
  EXPECT_EQ(rig_.look(base + 4 * 3 + 1, 2), "\x03\x02");
  EXPECT_EQ(rig_.look(base + 4 * 3 + 2, 100), "\x02\x01") << "there is no fifth output";
  EXPECT_EQ(rig_.look(0xFFFF'FFFF'FFFF'FFFCULL, 8), "");
  EXPECT_EQ(look_at(core_time), 0u);
  rig_.run(12);
  EXPECT_EQ(look_at(core_time), 12u);
  tlm::tlm_generic_payload payload;
  std::uint32_t word = 5;
  payload.set_command(write);
  payload.set_address(base);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  EXPECT_EQ(rig_.cpu->transport_dbg(payload), 0u);
  EXPECT_EQ(rig_.read(base), 0u);
}

INSTANTIATE_TEST_SUITE_P(Of, Accesses, testing::Values("tlm", "rtl"),
                         [](const auto& body) { return std::string(body.param); });

}  // namespace
}  // namespace ocs::sysc::test
