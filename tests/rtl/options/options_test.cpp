// A switch built without options does what one with all of them does, but refuses to be asked for one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <memory>
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

/// Fields of options, with what they hold after reset, and what their word has of options.
struct Field {
  std::string_view name;
  std::uint64_t reset;
  std::uint32_t bits, reset_word = 0;
};
constexpr std::uint32_t cycles = 0x3FFF'FFFF, source = 0x8000'FFFF, full_rate = 40000;
constexpr std::array fields{Field{"PAIR", 0, cycles},
                            Field{"JITTER_MASK", 0, cycles},
                            Field{"RATE", full_rate, source, full_rate},
                            Field{"CTRL.MULTICAST", 0, 3},
                            Field{"CTRL.ALL_STOP", 0, 3},
                            Field{"EXTERNAL", 0, source, full_rate},
                            Field{"LOS", 0, 15},
                            Field{"DEAD", 0, 15},
                            Field{"STUCK", 0, 15},
                            Field{"KEEPS", 0, 15},
                            Field{"SLOW", 0, cycles},
                            Field{"FLAP", 0, cycles},
                            Field{"PROG", 0, cycles},
                            Field{"PROG_LANES", 0, 0x1FF},
                            Field{"RECEIVER.ON", 0, 0xBFFF'FFFF},
                            Field{"RECEIVER.WARM_TIME", 0, 0xBFFF'FFFF},
                            Field{"LOCK_WARM", 0, cycles},
                            Field{"LOCK_COLD", 0, cycles},
                            Field{"DISTURB", 0, cycles},
                            Field{"DISTURB_AT", 0, 0xFFFF'FFFF},
                            Field{"LEVEL.ON", 0, 0xFFFF'FFFF},
                            Field{"LEVEL.THRESHOLD", 0, 0xFFFF'FFFF},
                            Field{"LEVEL.HYSTERESIS", 0, 0xFFFF'FFFF},
                            Field{"LOS_ASSERT", 0, cycles},
                            Field{"LOS_RELEASE", 0, cycles},
                            Field{"RING_AFTER", 0, cycles},
                            Field{"RING", 0, cycles},
                            Field{"RINGS", 0, 0xFF},
                            Field{"LASER", 0, 0xFFFF},
                            Field{"LOSS", 0, 0xFFFF}};

/// Whether a write would give a field of an option another value than after reset.
bool asks_for_an_option(const Op& op) {
  if (op.kind != Op::Kind::write || op.index[0] >= op.reg->entries(ports) || op.index[1] >= ports) return false;
  const auto field = std::ranges::find_if(fields, [&](const Field& one) { return op.reg->name == one.name; });
  if (field == fields.end()) return false;
  const std::uint32_t mask = op.reg->mask;  // all bits, but of a field
  std::uint32_t written = op.strobes == Op::all_bytes ? mask : 0;
  for (unsigned k = 0; k < 4 && op.strobes != Op::all_bytes; ++k)
    if ((op.strobes >> k & 1) != 0) written |= 0xFFU << 8 * k;
  const std::uint32_t word = static_cast<std::uint32_t>(op.value) << std::countr_zero(mask) & mask;
  return ((word ^ field->reset_word) & written & field->bits) != 0;
}

DeviceConfig config() {
  DeviceConfig all;
  all.ports = ports;
  all.fifo_depth = fifo_depth;
  return all;
}

/// The model as a switch without POWER is seen: it measures no power, so that POWER is always -2^31.
class ModelWithoutPower final : public Device, RegisterBus {
 public:
  RegisterBus& bus() override { return *this; }
  FabricClock& clock() override { return model_->clock(); }
  std::uint32_t read(std::uint32_t address) override {
    const std::uint32_t value = model_->bus().read(address);
    constexpr std::uint32_t power = offsetof(ocs_regs_t, optics.POWER);
    return address >= power && address < power + 4U * ports ? 0x8000'0000 : value;
  }
  void write(std::uint32_t address, std::uint32_t value) override { model_->bus().write(address, value); }
  void write_bytes(std::uint32_t address, std::uint32_t value, std::uint8_t strobes) override {
    model_->bus().write_bytes(address, value, strobes);
  }

 private:
  std::unique_ptr<Device> model_ = make_model(config());
};

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

TEST_P(WithoutOptions, TheirFieldsRefuseWrites) {
  constexpr std::uint32_t error = offsetof(ocs_regs_t, core.ERROR);
  VerilatedDevice<rtl::SwitchPins> device = this->device();
  EXPECT_EQ(device.bus().read(offsetof(ocs_regs_t, CAP_OPTIONS)), 0u);
  for (const Field& field : fields) {
    Op op;
    op.kind = Op::Kind::write;
    op.reg = conformance::find_register(field.name);
    ASSERT_NE(op.reg, nullptr) << field.name;
    if (op.reg->indices() > 0) op.index = {3, 2};
    op.value = field.reset;
    EXPECT_TRUE(conformance::write_register(device.bus(), ports, op)) << field.name << ": refused";
    EXPECT_EQ(device.bus().read(error), 0u) << field.name;
    op.value = field.name == "RATE" ? 5 : 1;
    EXPECT_FALSE(conformance::write_register(device.bus(), ports, op)) << field.name << ": not refused";
    EXPECT_EQ(device.bus().read(error), std::uint32_t{OCS_REGS__CORE__ERROR__ACCESS_bm}) << field.name;
    EXPECT_EQ(conformance::read_register(device.bus(), ports, op), nlohmann::json(field.reset)) << field.name;
    device.bus().write(error, OCS_REGS__CORE__ERROR__ACCESS_bm);
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
  std::size_t refused = 0;
  for (std::uint64_t seed = first; seed < first + programs; ++seed) {
    rc::Random random(seed);
    conformance::Setting setting = conformance::arbitrary_setting()(random, rc::kNominalSize).value();
    setting.ports = ports;
    setting.fifo_depth = fifo_depth;
    const std::vector<Op> program =
        join(conformance::arbitrary_steps(setting)(random.split(), rc::kNominalSize).value());
    std::vector<Op> asked = program, neutral = program;
    // What is refused is to the model a write that any switch refuses: positions in the program stay.
    for (Op& op : neutral)
      if (asks_for_an_option(op)) {
        op = {.kind = Op::Kind::write, .reg = conformance::find_register("BASE"), .index = {ports, 0}};
        ++refused;
      }
    VerilatedDevice<rtl::SwitchPins> device = this->device();
    ModelWithoutPower model;
    const auto want = run_program(model, ports, fifo_depth, neutral);
    const auto got = run_program(device, ports, fifo_depth, asked);
    const std::string wrong = difference(ports, neutral, want, got);
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ":\n" << wrong;
  }
  EXPECT_GT(refused, programs);
}

}  // namespace
}  // namespace ocs::test
