// One switching event with its optics: power at the receiver against time, and the states of the
// RTL, as JSON for tools/systemc-figures.
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <exception>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "ocs_regs.h"
#include "sysc/module/register_access.hpp"
#include "sysc/optics/optics.hpp"
#include "sysc/rtl/rtl_switch.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "tests/common/places.hpp"

namespace ocs::sysc {
namespace {

constexpr const char* states[] = {"IDLE", "TUNING", "LOCKING", "UP", "HELD", "FAILED"};
constexpr std::uint16_t in = 2, out = 1;

/// The parameters that a preset states; the others stay as assumed.
OpticsParameters parameters_of(const SwitchProfile& profile, std::size_t ports) {
  OpticsParameters parameters;
  for (std::uint16_t i = 0; i < ports; ++i)
    for (std::uint16_t o = 0; o < ports; ++o) parameters.tuning.push_back(profile.tuning_of(Input{i}, Output{o}));
  const std::pair<const char*, double*> numbers[] = {
      {"launch_dbm", &parameters.launch_dbm},         {"insertion_loss_db", &parameters.insertion_loss_db},
      {"loss_spread_db", &parameters.loss_spread_db}, {"sensitivity_dbm", &parameters.sensitivity_dbm},
      {"drift_db_per_s", &parameters.drift_db_per_s}, {"damping", &parameters.damping}};
  for (const auto& [key, number] : numbers)
    if (const auto stated = profile.optics.find(key); stated != profile.optics.end()) *number = stated->second;
  return parameters;
}

struct Bench : sc_core::sc_module {
  RtlSwitch fabric;
  Optics optics;
  tlm_utils::simple_initiator_socket<Bench> cpu{"cpu"};
  sc_core::sc_signal<bool> irq{"irq"};

  Bench(const sc_core::sc_module_name& name, const SwitchConfig& shape, const OpticsParameters& parameters)
      : sc_module(name), fabric("fabric", shape), optics("optics", fabric, shape, parameters) {
    optics.side.bind(fabric.side);
    cpu.bind(fabric.regs);
    fabric.irq.bind(irq);
  }
  std::uint32_t access(tlm::tlm_command command, std::size_t address, std::uint32_t value) {
    const auto response = access_register(cpu, command, address, value);
    if (response != tlm::TLM_OK_RESPONSE) throw std::runtime_error("an access is refused");
    return value;
  }
};

void trace(const std::string& preset) {
  const SwitchProfile profile = load_switch_profile(preset, ocs::test::source_dir() + "/host/switches", ".");
  SwitchConfig shape;
  const OpticsParameters parameters = parameters_of(profile, shape.ports);
  Bench bench("bench", shape, parameters);
  const auto cycle = static_cast<std::int64_t>(shape.cycle.value());
  const Picos tuning = profile.tuning_of(Input{in}, Output{out}), locking = profile.locking_of(Output{out});
  sc_core::sc_start(sc_core::SC_ZERO_TIME);
  bench.access(tlm::TLM_WRITE_COMMAND, offsetof(ocs_regs_t, port.LOCK) + 4 * out,
               static_cast<std::uint32_t>(divide_up(locking.n, cycle)));
  sc_core::sc_start(shape.cycle);
  const auto began = static_cast<std::int64_t>(sc_core::sc_time_stamp().value());
  bench.access(tlm::TLM_WRITE_COMMAND, offsetof(ocs_regs_t, port.SHADOW) + 4 * out,
               OCS_REGS__PORT__SHADOWX__VALID_bm | in);
  bench.access(tlm::TLM_WRITE_COMMAND, offsetof(ocs_regs_t, core.COMMIT), 1);
  const std::int64_t length = (tuning.n + locking.n) * 5 / 4 + 20 * cycle;
  constexpr int samples = 600;
  std::printf(
      "{\"preset\": \"%s\", \"sensitivity_dbm\": %g, \"tuned_dbm\": %.4f, \"tuned_within_db\": %g, \"samples\": [",
      preset.c_str(), parameters.sensitivity_dbm, parameters.launch_dbm - bench.optics.loss_db(in, out, Picos{began}),
      parameters.tuned_within_db);
  std::vector<std::pair<std::int64_t, std::uint32_t>> entered;
  for (int k = 0; k <= samples; ++k) {
    const std::int64_t since = divide_up(length * k / samples, cycle) * cycle;
    const auto now = static_cast<std::int64_t>(sc_core::sc_time_stamp().value());
    if (began + since > now)
      sc_core::sc_start(sc_core::sc_time::from_value(static_cast<std::uint64_t>(began + since - now)));
    std::printf("%s[%.6g, %.4f]", k == 0 ? "" : ", ", static_cast<double>(since) * 1e-6,
                bench.optics.power_dbm(in, out, Picos{since}, Picos{began + since}));
    const std::uint32_t state = bench.access(tlm::TLM_READ_COMMAND, offsetof(ocs_regs_t, port.STATE) + 4 * out, 0) &
                                OCS_REGS__PORT__STATEX__STATE_bm;
    if (entered.empty() || entered.back().second != state) entered.emplace_back(since, state);
  }
  std::printf("], \"states\": [");
  for (std::size_t k = 0; k < entered.size(); ++k)
    std::printf("%s[%.6g, \"%s\"]", k == 0 ? "" : ", ", static_cast<double>(entered[k].first) * 1e-6,
                states[entered[k].second]);
  std::printf("]}\n");
}

}  // namespace
}  // namespace ocs::sysc

int main(int argc, char** argv) {
  try {
    ocs::sysc::trace(argc > 1 ? argv[1] : "mordia");
    return 0;
  } catch (const std::exception& failure) {
    std::fprintf(stderr, "switching_event: %s\n", failure.what());
    return 1;
  }
}
