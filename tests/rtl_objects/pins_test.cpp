// What no register program can do, at the pins of both cores: pins of EXTERNAL inputs, steps beyond the horizon, accesses
// that complete at an edge of the fabric.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>

#include "host/rtl/parameters.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"
#include "ocs_regs.h"
#include "tests/rtl/stepping.hpp"

namespace ocs::rtl {
namespace {

constexpr std::uint32_t core(std::size_t offset) {
  return static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offset);
}
constexpr std::uint32_t port(std::size_t array, std::uint32_t number) {
  return static_cast<std::uint32_t>(array) + 4 * number;
}
constexpr std::uint32_t error = core(offsetof(ocs_regs__core_t, ERROR)),
                        start = core(offsetof(ocs_regs__core_t, START)), stop = core(offsetof(ocs_regs__core_t, STOP));
constexpr std::size_t source = offsetof(ocs_regs_t, port.SOURCE), len = offsetof(ocs_regs_t, port.LEN),
                      sent = offsetof(ocs_regs_t, port.SENT);
constexpr std::uint32_t full_rate = 40'000, external = 0x8000'0000 | full_rate;

/// A switch of 4 ports after reset.
class Pins : public testing::TestWithParam<std::string>, public test::Stepping<Pins> {
 public:
  Pins() { reset(); }

  SwitchPins& pins() { return pins_; }
  void after_edge() {}

 protected:
  void set(std::uint32_t address, std::uint32_t value, std::uint32_t step = 0) {
    EXPECT_TRUE(write(address, value, step)) << address;
  }
  std::uint32_t sent_by(std::uint32_t input) { return read(static_cast<std::uint32_t>(sent) + 8 * input); }

  SwitchPins pins_{compiled_switch(parameters_of(GetParam()))->make()};
};

TEST_P(Pins, OfExternalInputsGiveWordsAndTheEngineGoesOnUntilItIsHeld) {
  set(port(source, 1), external);
  set(port(len, 0), 5);
  set(port(len, 2), 100);
  set(start, 0b101);
  EXPECT_EQ(pins_.horizon_o, 1u);
  for (std::uint32_t input = 0; input < 4; ++input) pins_.set_valid(input);
  for (int cycle = 0; cycle < 8; ++cycle) edge(1);
  set(port(source, 2), external);
  edge(1);  // the engine's word of the first cycle, and one on the pin: that is one word
  edge(1);
  pins_.clear_valid();
  edge(1);
  EXPECT_EQ(sent_by(0), 5u);
  EXPECT_EQ(sent_by(1), 10u);
  EXPECT_EQ(sent_by(2), 7u + 1 + 1);
  EXPECT_EQ(sent_by(3), 0u);
}

TEST_P(Pins, WithAStepBeyondTheHorizonMoveNothingAndSaySo) {
  set(port(len, 0), 10);
  set(start, 1);
  ASSERT_EQ(pins_.horizon_o, 1u);
  const std::uint64_t time = pins_.time_o;
  edge(2);
  EXPECT_EQ(pins_.time_o, time);
  EXPECT_EQ(read(error), OCS_REGS__CORE__ERROR__STEP_ERROR_bm);
  EXPECT_EQ(sent_by(0), 0u);
  set(error, OCS_REGS__CORE__ERROR__STEP_ERROR_bm);
  edge(1);
  edge(pins_.horizon_o);
  EXPECT_EQ(read(error), 0u);
  EXPECT_EQ(sent_by(0), 10u);
}

TEST_P(Pins, CompleteAWriteWithAnEdgeThatIsThenAnEdgeWithoutIt) {
  set(port(len, 0), 100);
  set(start, 1, 1);
  EXPECT_EQ(sent_by(0), 0u) << "the command is pending after its edge";
  edge(1);
  set(stop, 1, 3);
  edge(1);
  EXPECT_EQ(sent_by(0), 4u) << "3 words before STOP is pending, and that of the cycle in which it acts";
  edge(1);
  EXPECT_EQ(sent_by(0), 4u);
}

TEST_P(Pins, OfAReadShowTheCycleBeforeItsEdge) {
  set(port(len, 0), 100);
  set(start, 1);
  edge(1);
  EXPECT_EQ(read(static_cast<std::uint32_t>(sent), 3), 0u);
  EXPECT_EQ(sent_by(0), 3u);
}

TEST_P(Pins, KeepAnErrorThatIsSetAtTheEdgeThatClearsIt) {
  set(port(offsetof(ocs_regs_t, port.SHADOW), 0), OCS_REGS__PORT__SHADOWX__VALID_bm | 1);
  set(port(offsetof(ocs_regs_t, port.SHADOW), 1), OCS_REGS__PORT__SHADOWX__VALID_bm | 1);
  set(core(offsetof(ocs_regs__core_t, COMMIT)), 1);
  set(error, OCS_REGS__CORE__ERROR__CONFLICT_bm, 1);
  EXPECT_EQ(read(error), OCS_REGS__CORE__ERROR__CONFLICT_bm);
  set(error, OCS_REGS__CORE__ERROR__CONFLICT_bm);
  EXPECT_EQ(read(error), 0u);
}

TEST_P(Pins, DoNothingForACommandOfZero) {
  for (const std::size_t command :
       {offsetof(ocs_regs__core_t, COMMIT), offsetof(ocs_regs__core_t, SHADOW_LOAD), offsetof(ocs_regs__core_t, SEQ_GO),
        offsetof(ocs_regs__core_t, SEQ_SWAP), offsetof(ocs_regs__core_t, SEQ_STOP),
        offsetof(ocs_regs__core_t, SOFT_RESET), offsetof(ocs_regs__core_t, START), offsetof(ocs_regs__core_t, STOP),
        offsetof(ocs_regs__core_t, RETRY)})
    set(core(command), 0);
  EXPECT_GT(pins_.horizon_o, 1u);
  set(core(offsetof(ocs_regs__core_t, COMMIT)), 1);
  set(core(offsetof(ocs_regs__core_t, COMMIT_CANCEL)), 0);
  EXPECT_EQ(pins_.horizon_o, 1u) << "the commit still waits";
}

INSTANTIATE_TEST_SUITE_P(Of, Pins, testing::Values("counter-4", "fast-4"), [](const auto& name) {
  return name.param == "fast-4" ? "TheFastCore" : "TheCoreInCounterStyle";
});

}  // namespace
}  // namespace ocs::rtl
