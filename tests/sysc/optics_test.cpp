// The optics: settling, the power budget, and what the switch is told, with the model and with the RTL.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/optics/optics.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <string>

#include "host/core/error.hpp"
#include "ocs_regs.h"
#include "sysc/module/register_access.hpp"
#include "sysc/module/tlm_switch.hpp"
#include "sysc/rtl/rtl_switch.hpp"

namespace ocs::sysc {
namespace {

constexpr std::uint32_t at(std::size_t offset) { return static_cast<std::uint32_t>(offset); }
constexpr std::uint32_t failed_by_light = 5 | 2 << 8, up = 3;

TEST(Settling, EndsWhenTheLossStaysBelowItsLimitAndNotBefore) {
  for (const double damping : {0.05, 0.3, 0.7, 0.95}) {
    const SettlingCurve curve(damping, 40, 0.5);
    EXPECT_DOUBLE_EQ(curve.angle(0), 1);
    EXPECT_NEAR(curve.loss_db(1), 0.5, 1e-6) << damping;
    EXPECT_GT(curve.loss_db(1 - 1e-4), 0.5) << damping;
    for (int k = 1; k < 3000; ++k) EXPECT_LE(curve.loss_db(1 + k * 1e-3), 0.5) << damping << " " << k;
  }
}

TEST(Settling, RefusesWhatIsNoMirror) {
  EXPECT_THROW(SettlingCurve(0, 40, 0.5), Error);
  EXPECT_THROW(SettlingCurve(1, 40, 0.5), Error);
  EXPECT_THROW(SettlingCurve(0.3, 0.4, 0.5), Error);
  EXPECT_THROW(SettlingCurve(0.3, 40, 0), Error);
  EXPECT_THROW(SettlingCurve(0.3, std::nan(""), 0.5), Error);
}

SwitchConfig shape() {
  SwitchConfig config;
  config.cycle = sc_core::sc_time(10, sc_core::SC_NS);
  return config;
}

OpticsParameters steady() {
  OpticsParameters parameters;
  for (int k = 0; k < 16; ++k) parameters.tuning.push_back({1'000'001 + 100'000 * k});
  return parameters;
}

/// Loses light at a receiver with 0.1 dB to spare when its loss has grown by as much.
OpticsParameters drifting() {
  OpticsParameters parameters = steady();
  parameters.drift_db_per_s = 100;
  parameters.drift_period = {1'000'000};
  parameters.loss_spread_db = 0;
  parameters.sensitivity_dbm = -2.1;
  return parameters;
}

OpticsParameters too_far() {
  OpticsParameters parameters = steady();
  parameters.sensitivity_dbm = -2.5;  // some pairs have less light, some more
  return parameters;
}

template <class Switch>
struct Bench : sc_core::sc_module {
  Switch fabric{"fabric", shape()};
  Optics optics;
  tlm_utils::simple_initiator_socket<Bench> cpu{"cpu"};
  sc_core::sc_signal<bool> irq{"irq"};

  Bench(const sc_core::sc_module_name& name, const OpticsParameters& parameters)
      : sc_module(name), optics("optics", fabric, shape(), parameters) {
    optics.side.bind(fabric.side);
    cpu.bind(fabric.regs);
    fabric.irq.bind(irq);
  }
  std::uint32_t access(tlm::tlm_command command, std::size_t address, std::uint32_t value) {
    const auto response = access_register(cpu, command, address, value);
    EXPECT_EQ(response, tlm::TLM_OK_RESPONSE);
    return value;
  }
  std::uint32_t read(std::size_t address) { return access(tlm::TLM_READ_COMMAND, address, 0); }
  void write(std::size_t address, std::uint32_t value) { access(tlm::TLM_WRITE_COMMAND, address, value); }
  std::uint32_t state(std::size_t out) { return read(offsetof(ocs_regs_t, port.STATE) + 4 * out); }
  void connect(std::size_t out, std::size_t in) {
    write(offsetof(ocs_regs_t, port.SHADOW) + 4 * out, 0x80000000U | at(in));
    write(offsetof(ocs_regs_t, core.COMMIT), 1);
  }
};

/// One simulation a process: everything stands in it before the first test.
template <class Switch>
struct Benches {
  explicit Benches(const std::string& body)
      : constant((body + "_constant").c_str(), steady()),
        drift((body + "_drift").c_str(), drifting()),
        dark((body + "_dark").c_str(), too_far()) {}
  Bench<Switch> constant, drift, dark;
};
struct All {
  Benches<TlmSwitch> tlm{"tlm"};
  Benches<RtlSwitch> rtl{"rtl"};
};
All& all() {
  static All only;
  return only;
}
void run(std::uint64_t cycles) {
  sc_core::sc_start(sc_core::sc_time(10, sc_core::SC_NS) * static_cast<double>(cycles));
}

template <class B>
void has_each_pairs_tuning_time(B& bench) {
  run(1);
  for (std::size_t out = 0; out < 4; ++out)
    for (std::size_t in = 0; in < 4; ++in)
      EXPECT_EQ(bench.read(offsetof(ocs_regs_t, PAIR) + 4 * (256 * out + in)), 101 + 10 * (4 * in + out));
  bench.connect(1, 2);
  run(191);
  EXPECT_EQ(bench.state(1), 1u);
  run(1);
  EXPECT_EQ(bench.state(1), up);
}

TEST(Optics, TellTheSwitchEachPairsTuningTime) {
  has_each_pairs_tuning_time(all().tlm.constant);
  has_each_pairs_tuning_time(all().rtl.constant);
}

template <class B>
void loses_light_where_a_pair_has_too_little(B& bench) {
  for (std::size_t in = 0; in < 4; ++in) {
    bench.connect(3, in);
    run(1000);
    const bool light = bench.optics.power_dbm(in, 3, Picos{1'000'000'000}, Picos{0}) >= -2.5;
    EXPECT_EQ(bench.state(3), light ? up : failed_by_light) << in;
    EXPECT_EQ(bench.read(offsetof(ocs_regs_t, port.FAULT) + 4 * in) & 1, light ? 0u : 1u) << in;
  }
}

TEST(Optics, TakeLightFromAPairBeyondThePowerBudgetAndGiveItBackToTheNext) {
  loses_light_where_a_pair_has_too_little(all().tlm.dark);
  loses_light_where_a_pair_has_too_little(all().rtl.dark);
}

TEST(Optics, LoseACircuitWhoseLossHasGrownSlowly) {
  auto& tlm = all().tlm.drift;
  auto& rtl = all().rtl.drift;
  tlm.connect(0, 1);
  rtl.connect(0, 1);
  run(1000);
  EXPECT_EQ(tlm.state(0), up);
  double loss = 0;
  while (tlm.state(0) == up) {
    EXPECT_EQ(rtl.state(0), up);
    run(100);  // a drift_period
    loss = tlm.optics.loss_db(1, 0, Picos{static_cast<std::int64_t>(sc_core::sc_time_stamp().value())});
    ASSERT_LT(loss, 2.2);
  }
  EXPECT_EQ(tlm.state(0), failed_by_light);
  EXPECT_EQ(rtl.state(0), failed_by_light);
  EXPECT_NEAR(loss, 2.1, 4e-4);  // what it grows by in four periods, at most
}

}  // namespace
}  // namespace ocs::sysc

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  ocs::sysc::all();
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  return RUN_ALL_TESTS();
}
