// The system on chip as on silicon: one clock, steps of one cycle, and nobody but its own core at the switch.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <array>
#include <span>
#include <string>
#include <vector>

#include "firmware/ocs_dev.h"
#include "firmware/ocs_soc.h"
#include "host/device/soc/firmware_image.hpp"
#include "host/device/soc/mailbox_frames.hpp"
#include "host/device/soc/soc_pins.hpp"
#include "host/rtl/store.hpp"
#include "rtl/regs/generated/ocs_regs.h"
#include "tests/common/wide_word.hpp"

namespace ocs {
namespace {

rtl::Parameters soc_of_four_ports() {
  rtl::Parameters parameters;
  parameters.core = rtl::Core::soc;
  parameters.ports = 4;
  parameters.fifo_depth = 64;
  return parameters;
}

class Standalone : public ::testing::Test {
 protected:
  static constexpr std::uint32_t stuck = OCS_REGS__PORT__FAULTX__STUCK_bm;
  static constexpr std::uint32_t entry(std::uint32_t output, std::uint32_t input) { return output << 16 | input; }

  Standalone() {
    top_.clear_valid();
    top_.word_bytes_i = 64;
    top_.cycle_ps_i = 5120;
    top_.host_takes_events_i = 0;
    edges(3);
    top_.rst_ni = 1;
    edges(1);
    load(OCS_SOC_RAM, switch_firmware().image);
    load(OCS_SOC_ROM, switch_firmware().boot);
    top_.core_rst_ni = 1;
    for (int n = 0; n < 3'000'000 && top_.boot_o != OCS_BOOT_READY; ++n) edges(1);
    EXPECT_EQ(top_.boot_o, OCS_BOOT_READY);
  }

  void edges(int count) {
    for (; count > 0; --count) {
      top_.step_i = 1;
      top_.clk_i = top_.bus_clk_i = top_.core_clk_i = 1;
      top_.eval();
      top_.clk_i = top_.bus_clk_i = top_.core_clk_i = 0;
      top_.eval();
    }
  }

  void load(std::uint32_t address, std::span<const std::uint32_t> words) {
    for (const std::uint32_t word : words) {
      top_.load_i = SocPins::load(address, word);
      edges(1);
      address += 4;
    }
    top_.load_i = {};
  }

  void post(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    const std::vector<std::uint32_t> words(payload);
    for (const std::uint32_t word : mailbox_frame(command, ++sequence_, words)) {
      top_.command_i = SocPins::command(head_++ % OCS_MB_RING_WORDS, word);
      edges(1);
    }
    top_.command_i = 0;
    top_.head_i = SocPins::come(head_);
    edges(1);
    top_.head_i = 0;
  }

  std::uint32_t answer_word() {
    top_.answer_addr_i = static_cast<std::uint16_t>(tail_++ % OCS_MB_RING_WORDS);
    top_.eval();
    return top_.answer_data();
  }

  /// What has been answered so far; alarms go to `alarms`.
  std::vector<MailboxAnswer> answers() {
    std::vector<MailboxAnswer> all;
    while (tail_ != top_.answer_head()) {
      std::vector<std::uint32_t> frame{answer_word()};
      for (std::uint32_t words = 1 + (frame[0] >> 16); words > 0; --words) frame.push_back(answer_word());
      const MailboxAnswer got = read_answer(frame);
      if (got.alarm())
        alarms.push_back(told(got));
      else
        all.push_back(got);
    }
    top_.tail_i = SocPins::come(tail_);
    edges(1);
    top_.tail_i = 0;
    return all;
  }

  MailboxAnswer ask(ocs_mb_command command, std::initializer_list<std::uint32_t> payload) {
    post(command, payload);
    for (int n = 0; n < 100'000; ++n) {
      edges(1);
      if (tail_ == top_.answer_head()) continue;
      for (const MailboxAnswer& answer : answers())
        if (answer.sequence == sequence_) return answer;
    }
    throw Error(ErrorKind::run, "the firmware answers nothing");
  }

  std::vector<std::string> alarms;
  SocPins top_{rtl::compiled_switch(soc_of_four_ports())->make()};
  std::uint32_t sequence_ = 0, head_ = 0, tail_ = 0;
};

TEST_F(Standalone, TheFirmwareSeesTheFailureOfAnOutputAndItsCycle) {
  ASSERT_EQ(ask(OCS_MB_RETRIES, {2, 20'000}).status, OCS_MB_OK);
  ASSERT_EQ(ask(OCS_MB_INJECT, {2, stuck}).status, OCS_MB_OK);
  const MailboxAnswer taken = ask(OCS_MB_CONNECT, {0, 0, entry(2, 3)});
  ASSERT_EQ(taken.status, OCS_MB_OK);
  edges(100'000);
  answers();
  EXPECT_EQ(alarms, (std::vector<std::string>{"output 2 failed: its mirror is stuck",
                                              "output 2 failed for good after 2 retries"}));
  const MailboxAnswer log = ask(OCS_MB_FAULT_LOG, {});
  ASSERT_EQ(log.words[0], 3u);
  EXPECT_LE(log.words[1], taken.words[0]) << "it failed before the firmware looked at the clock again";
  EXPECT_GT(log.words[1], taken.words[0] - 100);
  EXPECT_GT(log.words[3] - log.words[1], 20'000u);
  EXPECT_LT(log.words[3] - log.words[1], 25'000u);
}

TEST_F(Standalone, MapsForCyclesToComeFollowOneAnother) {
  for (std::uint32_t n = 1; n <= 3; ++n) {
    const auto at = static_cast<std::uint32_t>(top_.time_o) + 4000;
    ASSERT_EQ(ask(OCS_MB_CONNECT, {at, 0, entry(0, n)}).status, OCS_MB_OK);
  }
  edges(10'000);
  const MailboxAnswer state = ask(OCS_MB_STATE, {0, 1});
  EXPECT_EQ(state.words, (std::vector<std::uint32_t>{OCS_UP | 3u << 16}));
  EXPECT_TRUE(alarms.empty());
}

TEST_F(Standalone, AnEngineIsFreeWhenItsBurstHasEnded) {
  ASSERT_EQ(ask(OCS_MB_CONNECT, {0, 0, entry(1, 2)}).status, OCS_MB_OK);
  for (int n = 0; n < 3; ++n) {
    ASSERT_EQ(ask(OCS_MB_BURST, {2, 50, 0, 0, OCS_FULL_RATE}).status, OCS_MB_OK) << n;
    edges(2000);
  }
  EXPECT_EQ(test::wide_word(ask(OCS_MB_COUNTERS, {1}), 0), 150u);
}

}  // namespace
}  // namespace ocs
