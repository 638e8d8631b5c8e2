// A switch built without options does what one with all of them does that is never asked for one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>
#include <vector>

#include "host/conformance/access.hpp"
#include "host/conformance/compare.hpp"
#include "host/conformance/runner.hpp"
#include "host/device/model/model.hpp"
#include "host/device/verilated_device.hpp"
#include "host/rtl/store.hpp"
#include "host/rtl/switch_pins.hpp"
#include "ocs_regs.h"
#include "tests/conformance/random_program.hpp"

namespace ocs::test {
namespace {

using conformance::Op;

constexpr int ports = 4, fifo_depth = 64;

/// Fields of options, with what they hold after reset.
struct Field {
  std::string_view name;
  std::uint64_t reset;
};
constexpr std::array fields{
    Field{"PAIR", 0},          Field{"JITTER_MASK", 0}, Field{"RATE", 40000}, Field{"CTRL.MULTICAST", 0},
    Field{"CTRL.ALL_STOP", 0}, Field{"EXTERNAL", 0},    Field{"LOS", 0},      Field{"DEAD", 0},
    Field{"STUCK", 0},         Field{"SLOW", 0},        Field{"FLAP", 0},     Field{"PROG", 0},
    Field{"PROG_LANES", 0}};

bool of_an_option(const Op& op) {
  return op.kind == Op::Kind::write && op.index[0] < ports && op.index[1] < ports &&
         std::ranges::any_of(fields, [&](const Field& field) { return op.reg->name == field.name; });
}

DeviceConfig config() {
  DeviceConfig all;
  all.ports = ports;
  all.fifo_depth = fifo_depth;
  return all;
}

class WithoutOptions : public testing::TestWithParam<rtl::Core> {
 protected:
  static VerilatedDevice<rtl::SwitchPins> device() {
    rtl::Parameters parameters;
    parameters.core = GetParam();
    parameters.ports = ports;
    parameters.fifo_depth = fifo_depth;
    parameters.options = 0;
    return {config(), rtl::compiled_switch(parameters)->make()};
  }
};
INSTANTIATE_TEST_SUITE_P(Cores, WithoutOptions, testing::Values(rtl::Core::counter, rtl::Core::fast),
                         [](const auto& of) { return std::string(name_of(of.param)); });

TEST_P(WithoutOptions, TheirFieldsIgnoreWrites) {
  VerilatedDevice<rtl::SwitchPins> device = this->device();
  EXPECT_EQ(device.bus().read(offsetof(ocs_regs_t, CAP_OPTIONS)), 0u);
  for (const Field& field : fields) {
    Op op;
    op.kind = Op::Kind::write;
    op.reg = conformance::find_register(field.name);
    ASSERT_NE(op.reg, nullptr) << field.name;
    if (op.reg->indices() > 0) op.index = {3, 2};
    op.value = field.name == "RATE" ? 5 : 1;
    EXPECT_TRUE(conformance::write_register(device.bus(), ports, op)) << field.name << ": refused";
    EXPECT_EQ(conformance::read_register(device.bus(), ports, op), nlohmann::json(field.reset)) << field.name;
  }
  // Fields that share a word with one of an option are as ever.
  device.bus().write(offsetof(ocs_regs_t, IRQ_ENABLE), 5);
  EXPECT_EQ(device.bus().read(offsetof(ocs_regs_t, IRQ_ENABLE)), 5u);
}

TEST_P(WithoutOptions, TheRestIsThatOfTheModel) {
  const char* named = std::getenv("LIGHTLOOP_SEED");
  const std::uint64_t first = named != nullptr ? std::stoull(named) : 1;
  constexpr std::uint64_t programs = 150;
  std::cout << "LIGHTLOOP_SEED=" << first << ", " << programs << " seeds\n";
  std::size_t ignored = 0;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    rc::Random random(seed);
    conformance::Setting setting = conformance::arbitrary_setting()(random, rc::kNominalSize).value();
    setting.ports = ports;
    setting.fifo_depth = fifo_depth;
    const std::vector<Op> program =
        join(conformance::arbitrary_steps(setting)(random.split(), rc::kNominalSize).value());
    std::vector<Op> asked = program, neutral = program;
    // What is ignored is an advance of no cycle to the model: positions in the program stay.
    for (Op& op : neutral)
      if (of_an_option(op)) {
        op.kind = Op::Kind::advance;
        op.value = 0;
        ++ignored;
      }
    VerilatedDevice<rtl::SwitchPins> device = this->device();
    const auto model = make_model(config());
    const auto want = run_program(*model, ports, fifo_depth, neutral);
    const auto got = run_program(device, ports, fifo_depth, asked);
    const std::string wrong = difference(ports, neutral, want, got);
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ":\n" << wrong;
  }
  EXPECT_GT(ignored, programs);
}

}  // namespace
}  // namespace ocs::test
