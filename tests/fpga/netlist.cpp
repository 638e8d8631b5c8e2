// Runs the register programs on the synthesised netlist; netlist.py builds it.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iostream>
#include <string>

#include "Vnetlist.h"
#include "host/conformance/compare.hpp"
#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "host/core/error.hpp"
#include "host/device/verilated_device.hpp"
#include "tests/common/places.hpp"
#include "tests/rtl/linked.hpp"

namespace {

/// The switch in stages has one clock, and says how late its answers are.
struct Staged : ocs::Linked<Vnetlist> {
  using Linked::Linked;
  int lag() const { return lag_o; }
  std::uint8_t bus_clk_i = 0;
};

constexpr int ports = 4, fifo_depth = 64;
constexpr std::uint64_t most_cycles = 20'000;  // of a program; each is an edge here

int run() {
  using namespace ocs::conformance;
  int good = 0, bad = 0, long_ones = 0;
  for (const ProgramFile& file : load_programs(ocs::test::source_dir() + "/tests/goldens/switch"))
    for (const Case& golden : file.cases) {
      if (golden.ports != ports || golden.fifo_depth != fifo_depth) continue;
      if (golden.expect.time > most_cycles) {
        ++long_ones;
        continue;
      }
      ocs::DeviceConfig config;
      config.ports = ports;
      config.fifo_depth = fifo_depth;
      config.time_warp = false;
      std::string wrong;
      try {
        ocs::VerilatedDevice<Staged> device(config, Staged::Made{});
        wrong = deviations(golden, run_program(device, ports, fifo_depth, golden.program));
      } catch (const ocs::Error& error) {
        wrong = error.what();
      }
      if (!wrong.empty()) std::cout << golden.name << ":\n" << wrong << "\n";
      ++(wrong.empty() ? good : bad);
    }
  std::cout << good << " programs agree, " << bad << " don't, " << long_ones << " left out (longer than " << most_cycles
            << " cycles)\n";
  return bad == 0 && good > 100 ? 0 : 1;
}

}  // namespace

int main() {
  try {
    return run();
  } catch (const std::exception& error) {
    std::cout << "netlist: " << error.what() << "\n";
    return 1;
  }
}
