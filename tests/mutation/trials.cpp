// How programs are tried on mutants of the RTL.
// SPDX-License-Identifier: Apache-2.0
#include "tests/mutation/trials.hpp"

#include <cstddef>
#include <cstdint>
#include <utility>

#include "host/conformance/compare.hpp"
#include "host/core/error.hpp"
#include "host/device/model/model.hpp"
#include "tests/common/places.hpp"
#include "tests/conformance/collisions.hpp"
#include "tests/conformance/lights.hpp"
#include "tests/conformance/memories.hpp"
#include "tests/conformance/rates.hpp"
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

/// A program that runs warped alone, with what the model makes of it.
Trial warped(std::string name, int ports, int fifo_depth, std::vector<Op> program) {
  Trial out{.name = std::move(name),
            .ports = ports,
            .fifo_depth = fifo_depth,
            .program = std::move(program),
            .golden = {},
            .warped_alone = true,
            .expected = {}};
  expect(out);
  return out;
}

Trial looked_at_again_too(const Trial& trial) {
  return warped(trial.name + ", looked at again", trial.ports, trial.fifo_depth, looked_at_again(trial.program));
}

/// The trial's program begun late.
std::vector<Trial> begun_late_too(const Trial& trial) {
  std::vector<Trial> out;
  for (const std::uint64_t late : lateness)
    out.push_back(warped(trial.name + ", begun in cycle " + std::to_string(late), trial.ports, trial.fifo_depth,
                         begun_late(trial.program, trial.ports, late)));
  return out;
}

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
        Trial trial{.name = golden.name,
                    .ports = golden.ports,
                    .fifo_depth = golden.fifo_depth,
                    .program = golden.program,
                    .golden = golden,
                    .from_far = true,
                    .expected = {}};
        expect(trial);
        out.push_back(std::move(trial));
      }
  return out;
}

std::vector<Trial> varied(const std::vector<Trial>& trials) {
  std::vector<Trial> out;
  for (const Trial& trial : trials) {
    for (int by = 1; by < trial.ports; ++by)
      out.push_back(warped(trial.name + ", on other ports by " + std::to_string(by), trial.ports, trial.fifo_depth,
                           on_other_ports(trial.program, trial.ports, by)));
    for (Trial& late : begun_late_too(trial)) out.push_back(std::move(late));
    out.push_back(looked_at_again_too(trial));
  }
  return out;
}

std::vector<Trial> systematic_trials(int ports, int fifo_depth) {
  constexpr std::size_t share = 49, at_once = 25;
  constexpr int entries = 16;
  std::vector<Trial> out{
      warped("every setting", ports, fifo_depth, every_setting(ports)),
      warped("every byte", ports, fifo_depth, every_byte(ports)),
      warped("every map", ports, fifo_depth, every_map(ports)),
      warped("every seed", ports, fifo_depth, every_seed(ports)),
      warped("every entry", ports, fifo_depth, every_entry(ports, entries, 0x2AAA'AAAA)),
      warped("every entry, filled otherwise", ports, fifo_depth, every_entry(ports, entries, 0x5555'5555))};
  for (const auto& [name, program] :
       {std::pair{"every receiver", every_receiver(ports)},
        std::pair{"receivers that fail", receivers_that_fail(ports)}, std::pair{"long gaps", long_gaps(ports)},
        std::pair{"long bursts", long_bursts(ports)}, std::pair{"slow bursts", slow_bursts(ports)},
        std::pair{"slow changes", slow_changes(ports)}, std::pair{"slow boundaries", slow_boundaries(ports)},
        std::pair{"changed rates", changed_rates(ports)}, std::pair{"exact ends", exact_ends(ports)},
        std::pair{"long delays", long_delays(ports)}, std::pair{"long losses", long_losses(ports)},
        std::pair{"every disturbance", every_disturbance(ports)}, std::pair{"every position", every_position(ports)}}) {
    const Trial trial = warped(name, ports, fifo_depth, program);
    for (Trial& late : begun_late_too(trial)) out.push_back(std::move(late));
    out.push_back(looked_at_again_too(trial));
    out.push_back(trial);
  }
  for (Trial& trial : out) trial.from_far = true;
  for (const auto& [name, program] :  // what matters is not when, but with which values
       {std::pair{"every level", every_level(ports)}, std::pair{"every fault", every_fault(ports)},
        std::pair{"many rings", many_rings(ports)}, std::pair{"long pairs", long_pairs(ports)},
        std::pair{"every tag", every_tag(fifo_depth)}})
    out.push_back(warped(name, ports, fifo_depth, program));
  for (const bool one_more : {false, true}) {
    const std::string name = one_more ? "first locks, one action more" : "first locks";
    for (int bit = 8; bit < 32; ++bit)
      out.push_back(
          warped(name + ", after bit " + std::to_string(bit), ports, fifo_depth, first_locks(ports, bit, one_more)));
    out.push_back(warped(name, ports, fifo_depth, first_locks(ports, std::nullopt, one_more)));
    out.back().from_each_bit = true;
  }
  for (int output = 0; output < ports; ++output) {
    std::vector<Op> program;
    std::size_t joined = 0;
    for (std::size_t k = static_cast<std::size_t>(output); k < collisions_of_an_output(); k += share) {
      const Collision one = collision(ports, output, k);
      program.insert(program.end(), one.program.begin(), one.program.end());
      if (++joined % at_once == 0 || k + share >= collisions_of_an_output())
        out.push_back(warped("collisions up to " + one.name, ports, fifo_depth, std::exchange(program, {})));
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
