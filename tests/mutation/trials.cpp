// How programs are tried on mutants of the RTL.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/trials.hpp"

#include <utility>

#include "host/conformance/compare.hpp"
#include "host/core/error.hpp"
#include "host/device/model/model.hpp"
#include "tests/common/places.hpp"
#include "tests/conformance/variations.hpp"

namespace ocs::conformance {
namespace {

constexpr std::uint64_t single_steps = 64;

DeviceConfig configuration(const Trial& trial) {
  DeviceConfig config;
  config.ports = trial.ports;
  config.fifo_depth = trial.fifo_depth;
  return config;
}

RunOptions options(const Trial& trial) { return {trial.every_cycle, trial.every_cycle ? single_steps : 0}; }

}  // namespace

const std::vector<Way>& ways() {
  static const std::vector<Way> all{
      {"", true, 0}, {", cycle by cycle", false, 0}, {", random strides", true, 20'240'229}};
  return all;
}

bool fits(const Trial& trial, const Way& way) { return way.time_warp || trial.expected.cycles <= unwarped_cycles; }

void expect(Trial& trial) {
  const auto model = make_model(configuration(trial));
  trial.expected = run_program(*model, trial.ports, trial.fifo_depth, trial.program, options(trial));
}

std::vector<Trial> golden_trials(const std::function<bool(int ports, int fifo_depth)>& wanted) {
  std::vector<Trial> out;
  for (ProgramFile& file : load_programs(ocs::test::source_dir() + "/tests/goldens/switch"))
    for (Case& golden : file.cases)
      if (wanted(golden.ports, golden.fifo_depth)) {
        Trial trial{golden.name, golden.ports, golden.fifo_depth, golden.program, golden, false, {}};
        expect(trial);
        out.push_back(std::move(trial));
      }
  return out;
}

std::vector<Trial> varied(const std::vector<Trial>& trials) {
  std::vector<Trial> out;
  const auto add = [&out](const Trial& trial, const std::string& how, std::vector<Op> program) {
    Trial made = trial;
    made.name += ", " + how;
    made.program = std::move(program);
    made.golden.reset();
    expect(made);
    out.push_back(std::move(made));
  };
  for (const Trial& trial : trials) {
    for (int by = 1; by < trial.ports; ++by)
      add(trial, "on other ports by " + std::to_string(by), on_other_ports(trial.program, trial.ports, by));
    for (int by = 0; const std::uint64_t late : lateness) {
      const auto moved = on_other_ports(trial.program, trial.ports, by);
      add(trial, "begun in cycle " + std::to_string(late), begun_late(moved, trial.ports, late));
      ++by;
    }
  }
  return out;
}

std::string wrong(const Trial& trial, const Way& way, const MakeDevice& make) {
  DeviceConfig config = configuration(trial);
  config.time_warp = way.time_warp;
  config.stride_seed = way.stride_seed;
  try {
    const auto device = make(config);
    const Observation got = run_program(*device, trial.ports, trial.fifo_depth, trial.program, options(trial));
    std::string out;
    for (const std::string& breach : got.breaches) out += breach + "\n";
    if (trial.golden) out += deviations(*trial.golden, got);
    return out + difference(trial.ports, trial.program, trial.expected, got);
  } catch (const Error& error) {
    return error.what();
  }
}

}  // namespace ocs::conformance
