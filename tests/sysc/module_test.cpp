// The sockets of the switch's module, the same for both bodies: wrong accesses, words, interrupt, timing.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <utility>

#include "tests/sysc/rig.hpp"

namespace ocs::sysc::test {
namespace {

constexpr std::uint32_t id = offsetof(ocs_regs_t, ID), base = offsetof(ocs_regs_t, port.BASE);
constexpr std::uint32_t irq_enable = offsetof(ocs_regs_t, IRQ_ENABLE), core_time = offsetof(ocs_regs_t, core.TIME);
constexpr std::uint32_t source = offsetof(ocs_regs_t, port.SOURCE), error = offsetof(ocs_regs_t, core.ERROR);
constexpr std::uint32_t event = offsetof(ocs_regs_t, core.EVENT);

class Sockets : public testing::TestWithParam<const char*> {
 protected:
  void SetUp() override { rig_.begin(); }

  void expect_counter(std::size_t row, std::size_t port, std::uint32_t value) {
    EXPECT_EQ(rig_.read(at(row + 8 * port)), value);
  }

  Rig& rig_ = std::string(GetParam()) == "tlm" ? platform().exact : platform().rtl;
};

TEST_P(Sockets, AnswerEveryWrongAccessWithItsResponseAndNoEffect) {
  std::uint32_t word[4] = {0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF, 0xFFFF'FFFF};
  const auto read = tlm::TLM_READ_COMMAND, write = tlm::TLM_WRITE_COMMAND;
  EXPECT_EQ(rig_.access(tlm::TLM_IGNORE_COMMAND, id, word, 4), tlm::TLM_COMMAND_ERROR_RESPONSE);
  for (const unsigned bytes : {0U, 3U, 5U, 12U, 16U}) {
    EXPECT_EQ(rig_.access(read, id, word, bytes), tlm::TLM_BURST_ERROR_RESPONSE) << bytes;
    EXPECT_EQ(rig_.access(write, base, word, bytes), tlm::TLM_BURST_ERROR_RESPONSE) << bytes;
  }
  EXPECT_EQ(rig_.access(write, base, nullptr, 4), tlm::TLM_BURST_ERROR_RESPONSE);
  for (const std::uint64_t odd : {1U, 2U, 3U})
    EXPECT_EQ(rig_.access(write, base + odd, word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE) << odd;
  EXPECT_EQ(rig_.read(error), 0u);
  for (const std::uint64_t beyond : {0x80000ULL, 0xFFFF'FFFCULL, 0x1'0000'0000ULL, 0xFFFF'FFFF'FFFF'FFFCULL})
    EXPECT_EQ(rig_.access(read, beyond, word, 4), tlm::TLM_ADDRESS_ERROR_RESPONSE) << beyond;
  EXPECT_EQ(rig_.access(write, id, word, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(rig_.access(read, 0x60, word, 4), tlm::TLM_GENERIC_ERROR_RESPONSE);
  EXPECT_EQ(rig_.read(error), OCS_REGS__CORE__ERROR__ACCESS_bm);
  EXPECT_EQ(rig_.read(base), 0u);
}

TEST_P(Sockets, RefuseNarrowStreamsAndByteEnablesWithoutALength) {
  std::uint32_t word = 7;
  unsigned char enables[4] = {0xFF, 0xFF, 0xFF, 0xFF};
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_WRITE_COMMAND);
  payload.set_address(base);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(2);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  rig_.cpu->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BURST_ERROR_RESPONSE);
  payload.set_streaming_width(4);
  payload.set_byte_enable_ptr(enables);
  payload.set_byte_enable_length(0);
  rig_.cpu->b_transport(payload, delay);
  EXPECT_EQ(payload.get_response_status(), tlm::TLM_BYTE_ENABLE_ERROR_RESPONSE);
  EXPECT_EQ(rig_.read(base), 0u);
}

TEST_P(Sockets, GrantNoDirectMemory) {
  std::uint32_t word = 0;
  tlm::tlm_generic_payload payload;
  payload.set_command(tlm::TLM_READ_COMMAND);
  payload.set_address(id);
  payload.set_data_ptr(reinterpret_cast<unsigned char*>(&word));
  payload.set_data_length(4);
  payload.set_streaming_width(4);
  payload.set_dmi_allowed(true);
  tlm::tlm_dmi direct;
  EXPECT_FALSE(rig_.cpu->get_direct_mem_ptr(payload, direct));
  EXPECT_EQ(direct.get_start_address(), 0u);  // of what is refused: everything
  EXPECT_EQ(direct.get_end_address(), ~sc_dt::uint64{0});
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  rig_.cpu->b_transport(payload, delay);
  EXPECT_FALSE(payload.is_dmi_allowed());
  EXPECT_EQ(word, OCS_REGS__ID__MAGIC_reset);
}

TEST_P(Sockets, RaiseTheInterruptInTheCycleOfTheStampAndLowerItWithTheLastEvent) {
  rig_.write(base + 4, 20);
  rig_.write(irq_enable, OCS_REGS__IRQ_ENABLE__EVENT_bm);
  rig_.run(5);
  rig_.connect(1, 2);
  rig_.run(3);
  EXPECT_EQ(rig_.irq_rises, std::vector<std::uint64_t>{6});
  while (rig_.read(event) != 0) continue;
  rig_.run(100);
  EXPECT_EQ(rig_.irq_rises, (std::vector<std::uint64_t>{6, 26}));
  EXPECT_TRUE(rig_.irq.read());
  EXPECT_NE(rig_.read(event), 0u);
  rig_.run(1);
  EXPECT_FALSE(rig_.irq.read());
}

TEST_P(Sockets, LetWordsOutInTheCycleAfterWherePassedAndNowhereElse) {
  constexpr std::size_t passed = offsetof(ocs_regs_t, port.PASSED), lost = offsetof(ocs_regs_t, port.LOST);
  constexpr std::size_t unrouted = offsetof(ocs_regs_t, port.UNROUTED), sent = offsetof(ocs_regs_t, port.SENT);
  rig_.write(source + 4 * 2, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
  rig_.write(base + 4, 3);
  sc_core::sc_time delay = sc_core::SC_ZERO_TIME;
  EXPECT_EQ(rig_.send(2, "aabb", &delay), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(delay, rig_.config.cycle * 2);
  rig_.run(4);  // two words, no output selects the input
  rig_.connect(1, 2);
  rig_.run(1);
  EXPECT_EQ(rig_.send(2, "ccddeeffgg"), tlm::TLM_OK_RESPONSE);  // in cycles 5 to 9; TUNING is 5, 6, 7
  rig_.run(10);
  EXPECT_EQ(rig_.arrived, (std::vector<Arrived>{{9, 1, "ff"}, {10, 1, "gg"}}));
  expect_counter(sent, 2, 7);
  expect_counter(unrouted, 2, 2);
  expect_counter(lost, 1, 3);
  expect_counter(passed, 1, 2);
}

TEST_P(Sockets, LetNoWordOutOfAnOutputThatIsDisturbed) {
  constexpr std::size_t passed = offsetof(ocs_regs_t, port.PASSED), lost = offsetof(ocs_regs_t, port.LOST);
  rig_.write(source + 4 * 2, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
  rig_.connect(1, 2);
  rig_.run(2);
  rig_.write(offsetof(ocs_regs_t, DISTURB), 2);
  rig_.write(offsetof(ocs_regs_t, DISTURB_AT), 1);
  rig_.connect(0, 3);                                           // output 1 is disturbed in cycles 3 and 4
  EXPECT_EQ(rig_.send(2, "aabbccddee"), tlm::TLM_OK_RESPONSE);  // in cycles 2 to 6
  rig_.run(10);
  EXPECT_EQ(rig_.arrived, (std::vector<Arrived>{{3, 1, "aa"}, {6, 1, "dd"}, {7, 1, "ee"}}));
  expect_counter(lost, 1, 2);
  expect_counter(passed, 1, 3);
}

TEST_P(Sockets, LetNoWordOutOfAnOutputThatIsDim) {
  constexpr std::size_t passed = offsetof(ocs_regs_t, port.PASSED), lost = offsetof(ocs_regs_t, port.LOST);
  constexpr std::size_t loss = offsetof(ocs_regs_t, optics.LOSS) + 4;
  rig_.write(source + 4 * 2, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
  rig_.write(offsetof(ocs_regs_t, LOS_ASSERT), 9);
  rig_.write(offsetof(ocs_regs_t, LEVEL), OCS_REGS__LEVEL__ON_bm);
  rig_.connect(1, 2);
  rig_.run(2);
  rig_.write(loss, 1);                                          // output 1 is dim in cycles 3 and 4
  EXPECT_EQ(rig_.send(2, "aabbccddee"), tlm::TLM_OK_RESPONSE);  // in cycles 2 to 6
  rig_.run(2);
  rig_.write(loss, 0);
  rig_.run(8);
  EXPECT_EQ(rig_.arrived, (std::vector<Arrived>{{3, 1, "aa"}, {6, 1, "dd"}, {7, 1, "ee"}}));
  expect_counter(lost, 1, 2);
  expect_counter(passed, 1, 3);
}

TEST_P(Sockets, RefuseWordsThatNobodyLooksAtOrThatAreNone) {
  EXPECT_EQ(rig_.send(2, "aa"), tlm::TLM_GENERIC_ERROR_RESPONSE);  // not EXTERNAL
  rig_.write(source + 4 * 2, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
  EXPECT_EQ(rig_.send(2, "aab"), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(rig_.send(2, ""), tlm::TLM_BURST_ERROR_RESPONSE);
  EXPECT_EQ(rig_.send(2, "aa"), tlm::TLM_OK_RESPONSE);
}

TEST_P(Sockets, WaitForAnAnnotatedDelayWhereSomebodyCanWait) {
  std::uint32_t value = 0;
  const sc_core::sc_time later = rig_.config.cycle * 7;
  EXPECT_EQ(rig_.access(tlm::TLM_READ_COMMAND, core_time, &value, 4, later), tlm::TLM_GENERIC_ERROR_RESPONSE);
  platform().in_thread([&] {
    EXPECT_EQ(rig_.access(tlm::TLM_READ_COMMAND, core_time, &value, 4, later), tlm::TLM_OK_RESPONSE);
    EXPECT_EQ(rig_.cycle(), 7u);
  });
  EXPECT_EQ(value, 7u);
}

TEST_P(Sockets, BeginAnewAtASoftResetWhileSimulatedTimeGoesOn) {
  rig_.run(9);
  rig_.write(offsetof(ocs_regs_t, core.SOFT_RESET), 1);
  EXPECT_EQ(rig_.read(core_time), 0u);
  rig_.run(5);
  EXPECT_EQ(rig_.read(core_time), 5u);
  EXPECT_EQ(rig_.fabric->begin_of(5), sc_core::sc_time_stamp());
}

INSTANTIATE_TEST_SUITE_P(Of, Sockets, testing::Values("tlm", "rtl"),
                         [](const auto& body) { return std::string(body.param); });

TEST(Decoupled, AccessesRunAheadWhileTheInterruptWaitsForTheQuantum) {
  Rig& rig = platform().decoupled;
  rig.begin();
  rig.write(base + 4, 20);
  rig.write(irq_enable, OCS_REGS__IRQ_ENABLE__EVENT_bm);
  rig.connect(1, 2);
  std::uint32_t value = 0;
  const sc_core::sc_time ahead = rig.config.cycle * 30;
  const auto before = sc_core::sc_time_stamp();
  ASSERT_EQ(rig.access(tlm::TLM_READ_COMMAND, core_time, &value, 4, ahead), tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 30u);
  EXPECT_EQ(sc_core::sc_time_stamp(), before);
  ASSERT_EQ(rig.access(tlm::TLM_READ_COMMAND, offsetof(ocs_regs_t, port.STATE) + 4, &value, 4, ahead),
            tlm::TLM_OK_RESPONSE);
  EXPECT_EQ(value, 3u);
  rig.run(99);
  EXPECT_TRUE(rig.irq_rises.empty());
  rig.run(2);
  EXPECT_EQ(rig.irq_rises, std::vector<std::uint64_t>{100});
}

TEST(Decoupled, ALookLetsNoWordOutBeforeTheQuantumEnds) {
  constexpr std::uint32_t passed = offsetof(ocs_regs_t, port.PASSED) + 8;
  Rig& rig = platform().decoupled;
  rig.begin();
  rig.write(source + 4 * 2, OCS_REGS__PORT__SOURCEX__EXTERNAL_bm);
  rig.connect(1, 2);
  rig.run(2);
  ASSERT_EQ(rig.send(2, "aabb"), tlm::TLM_OK_RESPONSE);  // in cycles 2 and 3
  rig.run(10);
  EXPECT_EQ(rig.look(passed, 4), std::string(4, '\0'));
  EXPECT_EQ(rig.look(core_time, 4), std::string("\x02\0\0\0", 4)) << "the cycle of the word that is next";
  EXPECT_TRUE(rig.arrived.empty());
  rig.run(100);
  EXPECT_EQ(rig.arrived.size(), 2u);
  EXPECT_EQ(rig.look(passed, 4), std::string("\x02\0\0\0", 4));
}

TEST(Decoupled, TheGlobalQuantumCountsWhereTheModuleHasNone) {
  Rig& rig = platform().decoupled;
  const std::uint64_t own = std::exchange(rig.config.quantum, 0);
  for (const std::uint64_t cycles : {40, 1, 0}) {
    const sc_core::sc_time quantum = rig.config.cycle * static_cast<double>(cycles);
    tlm::tlm_global_quantum::instance().set(cycles == 40 ? quantum - sc_core::sc_time(1, sc_core::SC_PS) : quantum);
    rig.begin();
    rig.write(irq_enable, OCS_REGS__IRQ_ENABLE__EVENT_bm);
    rig.run(5);
    rig.connect(1, 2);
    rig.run(100);
    EXPECT_EQ(rig.irq_rises, std::vector<std::uint64_t>{cycles == 40 ? 40u : 6u});
  }
  rig.config.quantum = own;
}

}  // namespace
}  // namespace ocs::sysc::test
