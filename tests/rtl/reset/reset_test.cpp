// From any state, whether of power-up or of work, a reset leaves what section 12 says, and the
// switch goes on like the model.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "Vocs_fast_random_4_64.h"
#include "Vocs_random_4_64.h"
#include "host/conformance/access.hpp"
#include "host/conformance/compare.hpp"
#include "host/conformance/runner.hpp"
#include "host/device/model/model.hpp"
#include "tests/common/places.hpp"
#include "tests/conformance/random_program.hpp"
#include "tests/rtl/reset/powered.hpp"

namespace ocs::test {
namespace {

using conformance::Op;

constexpr int ports = 4, fifo_depth = 64;
constexpr std::uint64_t longest = 100'000;  // cycles that a disturbed program may take

/// The first seed; LIGHTLOOP_SEED says another.
std::uint32_t first_seed() {
  const char* named = std::getenv("LIGHTLOOP_SEED");
  return named != nullptr ? static_cast<std::uint32_t>(std::stoul(named)) : 1;
}

std::vector<Op> random_program(std::uint64_t seed) {
  rc::Random random(seed);
  conformance::Setting setting = conformance::arbitrary_setting()(random, rc::kNominalSize).value();
  setting.ports = ports;
  setting.fifo_depth = fifo_depth;
  return join(conformance::arbitrary_steps(setting)(random.split(), rc::kNominalSize).value());
}

Op access(Op::Kind kind, std::string_view name, std::uint64_t value, std::uint32_t first = 0,
          std::uint32_t second = 0) {
  Op op;
  op.kind = kind;
  op.reg = conformance::find_register(name);
  op.index = {first, second};
  op.value = value;
  return op;
}

/// Reads PAIR, plays what the sequencer's rows hold, then a program at random.
std::vector<Op> after_reset(std::uint64_t seed) {
  std::vector<Op> out;
  for (std::uint32_t o = 0; o < ports; ++o)
    for (std::uint32_t i = 0; i < ports; ++i) out.push_back(access(Op::Kind::read, "PAIR", 0, o, i));
  for (int bank = 0; bank < 2; ++bank) {
    out.push_back(access(Op::Kind::write, "CTRL.MULTICAST", 1));
    out.push_back(access(Op::Kind::write, "SEQ_LEN", 16));
    out.push_back(access(Op::Kind::write, "SEQ_GO", 1));
    Op wait;
    wait.kind = Op::Kind::advance;
    wait.value = 500;
    out.push_back(wait);
    Op drain;
    drain.kind = Op::Kind::drain;
    out.push_back(drain);
  }
  out.push_back(access(Op::Kind::write, "CTRL.MULTICAST", 0));
  const std::vector<Op> more = random_program(seed);
  out.insert(out.end(), more.begin(), more.end());
  return out;
}

/// Carries out a part of a program, without looking at what it gives. Irq may end an advance early, as in any driver.
void work(Device& device, const std::vector<Op>& program, std::size_t end) {
  for (std::size_t k = 0; k < end; ++k) {
    const Op& op = program[k];
    switch (op.kind) {
      case Op::Kind::write:
        conformance::write_register(device.bus(), ports, op);
        break;
      case Op::Kind::read:
        conformance::read_register(device.bus(), ports, op);
        break;
      case Op::Kind::advance:
        device.clock().run_until(device.clock().now() + Cycles{static_cast<std::int64_t>(std::min(op.value, longest))});
        break;
      case Op::Kind::advance_irq:
        device.clock().run_until({static_cast<std::int64_t>(std::min(op.value, longest))});
        break;
      case Op::Kind::pop:
      case Op::Kind::drain:
        conformance::take_event(device.bus());
        break;
    }
  }
}

std::unique_ptr<Device> model() {
  DeviceConfig config;
  config.ports = ports;
  config.fifo_depth = fifo_depth;
  return make_model(config);
}

template <class Top>
class Reset : public testing::Test {};
using Cores = testing::Types<Vocs_random_4_64, Vocs_fast_random_4_64>;
class Names {
 public:
  template <class Top>
  static std::string GetName(int index) {
    return index == 0 ? "counter" : "fast";
  }
};
TYPED_TEST_SUITE(Reset, Cores, Names);

TYPED_TEST(Reset, LeavesNothingOfWhatPowerUpBrought) {
  const std::uint32_t first = first_seed();
  std::cout << "LIGHTLOOP_SEED=" << first << ", three seeds\n";
  const auto programs = conformance::load_programs(ocs::test::source_dir() + "/tests/goldens/switch");
  int count = 0;
  for (std::uint32_t seed = first; seed < first + 3; ++seed)
    for (const auto& file : programs)
      for (const auto& golden : file.cases) {
        if (golden.ports != ports || golden.fifo_depth != fifo_depth) continue;
        Powered<TypeParam> device(seed);
        const auto got = run_program(device, ports, fifo_depth, golden.program);
        const std::string wrong = deviations(golden, got);
        ASSERT_TRUE(wrong.empty()) << golden.name << ", seed " << seed << ":\n" << wrong;
        ++count;
      }
  EXPECT_GT(count, 300);
}

TYPED_TEST(Reset, EndsAnythingAndKeepsTheMemories) {
  const std::uint32_t first = first_seed();
  constexpr std::uint32_t runs = 60;
  std::cout << "LIGHTLOOP_SEED=" << first << ", " << runs << " seeds\n";
  for (std::uint32_t seed = first; seed < first + runs; ++seed) {
    Powered<TypeParam> device(seed);
    const auto expected = model();
    for (std::uint32_t resets = device.below(3) + 1; resets > 0; --resets) {
      const std::vector<Op> program = random_program(1'000 * std::uint64_t{seed} + resets);
      const std::size_t end = program.empty() ? 0 : device.below(static_cast<std::uint32_t>(program.size()));
      work(device, program, end);
      work(*expected, program, end);
      ASSERT_EQ(device.now(), expected->clock().now()) << "seed " << seed;
      if (device.below(2) == 0) {
        device.disturb();
        device.reset();
      } else {
        conformance::write_register(device.bus(), ports, access(Op::Kind::write, "SOFT_RESET", 1));
      }
      // To the model a reset of either kind is a soft one: memories stay.
      conformance::write_register(expected->bus(), ports, access(Op::Kind::write, "SOFT_RESET", 1));
    }
    const std::vector<Op> then = after_reset(seed);
    const auto want = run_program(*expected, ports, fifo_depth, then);
    const auto got = run_program(device, ports, fifo_depth, then);
    const std::string wrong = difference(ports, then, want, got);
    ASSERT_TRUE(wrong.empty()) << "seed " << seed << ":\n" << wrong;
  }
}

}  // namespace
}  // namespace ocs::test
