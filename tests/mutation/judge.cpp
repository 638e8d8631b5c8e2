// Runs the register programs and random ones on every mutant of the RTL and says which of them notices it.
// SPDX-License-Identifier: Apache-2.0
#include <rapidcheck.h>

#include <algorithm>
#include <cstddef>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "Vocs_mutants_2_64.h"
#include "Vocs_mutants_2_64__Syms.h"
#include "Vocs_mutants_4_4.h"
#include "Vocs_mutants_4_4__Syms.h"
#include "Vocs_mutants_4_64.h"
#include "Vocs_mutants_4_64__Syms.h"
#include "host/core/error.hpp"
#include "host/device/verilated_device.hpp"
#include "ocs_regs.h"
#include "tests/conformance/random_program.hpp"
#include "tests/mutation/children.hpp"
#include "tests/mutation/trials.hpp"
#include "tests/rtl/linked.hpp"
#include "tests/rtl/stepped_switch.hpp"

namespace {
int chosen_mutant = 0;
}
// Asked by package ocs_mutant (places.py) when a switch is made.
extern "C" int ocs_mutant_chosen() { return chosen_mutant; }

namespace ocs::conformance {
namespace {

constexpr int most_ports = 4;

std::vector<Trial> trials(std::uint64_t seed, int count) {
  std::vector<Trial> out =
      golden_trials([](int ports, int fifo_depth) { return ports == most_ports || (ports == 2 && fifo_depth == 64); });
  for (int k = 0; k < count; ++k) {
    rc::Random random(seed * 1'000'003 + static_cast<std::uint64_t>(k));
    Setting setting = arbitrary_setting()(random, rc::kNominalSize).value();
    setting.ports = most_ports;
    if (setting.fifo_depth != 4) setting.fifo_depth = 64;
    Trial trial;
    trial.name = "random program " + std::to_string(k);
    trial.fifo_depth = setting.fifo_depth;
    trial.program = join(arbitrary_steps(setting)(random.split(), rc::kNominalSize).value());
    trial.every_cycle = setting.every_cycle;
    expect(trial);
    out.push_back(std::move(trial));
  }
  return out;
}

template <class Top, class Syms>
std::unique_ptr<Device> made(const DeviceConfig& config) {
  return std::make_unique<VerilatedDevice<Linked<Top>, WatchLinked<Top, Syms>>>(config, typename Linked<Top>::Made{});
}

std::unique_ptr<Device> make_mutant(const DeviceConfig& config) {
  if (config.ports == 2) return made<Vocs_mutants_2_64, Vocs_mutants_2_64__Syms>(config);
  return config.fifo_depth == 4 ? made<Vocs_mutants_4_4, Vocs_mutants_4_4__Syms>(config)
                                : made<Vocs_mutants_4_64, Vocs_mutants_4_64__Syms>(config);
}

/// What no program reaches: pins of EXTERNAL inputs, strobes of some bytes, steps beyond the
/// horizon. @return what is wrong.
std::string pins() {
  test::SteppedSwitch<Vocs_mutants_4_64, Vocs_mutants_4_64__Syms> of;
  constexpr auto core = [](std::size_t offset) {
    return static_cast<std::uint32_t>(offsetof(ocs_regs_t, core) + offset);
  };
  const std::uint32_t at = core(offsetof(ocs_regs__core_t, COMMIT_AT)), error = core(offsetof(ocs_regs__core_t, ERROR));
  const auto source = static_cast<std::uint32_t>(offsetof(ocs_regs_t, port.SOURCE)),
             sent = static_cast<std::uint32_t>(offsetof(ocs_regs_t, port.SENT));
  const auto len = static_cast<std::uint32_t>(offsetof(ocs_regs_t, port.LEN));
  of.write(at + 4, 7);
  if (of.wide(at) != 0x7'0000'0000) return "COMMIT_AT's low word after reset";
  of.write(at, 0x1122'3344);
  of.write(at, 0xAABB'CCDD, 0, 0b0101);
  of.write(at + 4, 0x5566'7788, 0, 0b1010);
  if (of.wide(at) != 0x5500'7707'11BB'33DD) return "COMMIT_AT after writes of single bytes";
  of.write(at + 4, 0x99, 0, 0b0001);
  if (of.wide(at) != 0x5500'7799'11BB'33DD) return "COMMIT_AT after a write of its fifth byte";
  of.write(core(offsetof(ocs_regs__core_t, COMMIT_CANCEL)), 1);
  of.write(source + 4, 0x8000'9C40);  // EXTERNAL[1]
  of.write(len, 5);
  of.write(core(offsetof(ocs_regs__core_t, START)), 1);
  for (unsigned cycle = 0; cycle < 8; ++cycle) {
    of.top.valid_i = 0b1111;
    of.edge(1);
  }
  of.top.valid_i = 0;
  of.edge(1);
  if (of.wide(sent) != 5 || of.wide(sent + 8) != 8 || of.wide(sent + 16) != 0) return "words of a pin or an engine";
  of.write(source + 4, 0x9C40);
  of.edge(of.top.horizon_o);  // may be all that is left of 64 bits' lower half
  if ((of.read(error) & 8) != 0) return "STEP_ERROR after a step to the horizon";
  of.write(at, 100);
  of.write(at + 4, 0x7FFF'FFFF);
  of.write(core(offsetof(ocs_regs__core_t, START)), 1);
  const std::uint64_t time = of.top.time_o;
  if (of.top.horizon_o != 1) return "horizon with a pending START";
  of.edge(2);
  if (of.top.time_o != time || (of.read(error) & 8) == 0) return "a step beyond the horizon";
  return "";
}

/// The first trial that notices the mutant.
std::string killer(const std::vector<Trial>& all, std::string& why) {
  try {
    why = pins();
  } catch (const Error& error) {
    why = error.what();
  }
  if (!why.empty()) return "the trial at the pins";
  for (const Way& way : ways())
    for (const Trial& trial : all) {
      if (!fits(trial, way)) continue;
      why = wrong(trial, way, make_mutant);
      if (!why.empty()) return trial.name + way.name;
    }
  return "";
}

/// Of processor time for one mutant; the switch itself needs about a tenth of it.
unsigned seconds_for(const std::vector<Trial>& all) {
  const auto random =
      static_cast<std::size_t>(std::count_if(all.begin(), all.end(), [](const Trial& trial) { return !trial.golden; }));
  return static_cast<unsigned>(5 + (all.size() - random) / 40 + random / 2);
}

int run(int argc, char** argv) {
  if (argc < 6) {
    std::cerr << "judge SEED PROGRAMS JOBS FOLDER MUTANT...\n"
                 "Prints, for each mutant, its number, the seconds taken, and what noticed it (nothing: it survives).\n"
                 "Mutant 0 is the switch itself.\n";
    return 2;
  }
  const std::vector<Trial> all = trials(std::stoull(argv[1]), std::stoi(argv[2]));
  std::cerr << all.size() << " programs, seed " << argv[1] << "\n";
  std::vector<int> mutants;
  for (const char* mutant : std::span(argv, static_cast<std::size_t>(argc)).subspan(5))
    mutants.push_back(std::stoi(mutant));
  judge_each(mutants, std::stoul(argv[3]), argv[4], seconds_for(all), [&all](int mutant, std::string& why) {
    chosen_mutant = mutant;
    return killer(all, why);
  });
  return 0;
}

}  // namespace
}  // namespace ocs::conformance

int main(int argc, char** argv) {
  try {
    return ocs::conformance::run(argc, argv);
  } catch (const std::exception& error) {
    std::cerr << "judge: " << error.what() << "\n";
    return 2;
  }
}
