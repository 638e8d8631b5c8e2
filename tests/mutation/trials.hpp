// Register programs with what the C++ model makes of them, and whether a device does the same.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "host/conformance/program.hpp"
#include "host/conformance/runner.hpp"
#include "host/core/device.hpp"

namespace ocs::conformance {

struct Trial {
  std::string name;
  int ports = 4, fifo_depth = 64;
  std::vector<Op> program;
  std::optional<Case> golden;
  bool every_cycle = false, warped_alone = false;
  bool from_far = false;       ///< also with time and counters that begin far from 0, where a judge can do that
  bool from_each_bit = false;  ///< also with those that begin at each power of two from 2^32 to 2^62
  Observation expected;        ///< the model's
};

/// Programs that take longer aren't run cycle by cycle.
constexpr std::uint64_t unwarped_cycles = 20'000;

/// How a device moves through a program.
struct Way {
  std::string name;  ///< to be put after a program's
  bool time_warp = true;
  std::uint64_t stride_seed = 0;
};
const std::vector<Way>& ways();
/// Whether the program is short enough for the way.
bool fits(const Trial& trial, const Way& way);

/// Runs the program on the model.
void expect(Trial& trial);

/// The programs of tests/goldens/switch for a switch of such a size, each with what the model makes of it.
std::vector<Trial> golden_trials(const std::function<bool(int ports, int fifo_depth)>& wanted);

/// Each of them on other ports and begun late (tests/conformance/variations.hpp), with what the model makes of that.
std::vector<Trial> varied(const std::vector<Trial>& trials);

/// All maps, all settings, and a share of the pairs of things that can happen to an output (tests/conformance/collisions.hpp).
std::vector<Trial> systematic_trials(int ports, int fifo_depth);

using MakeDevice = std::function<std::unique_ptr<Device>(const DeviceConfig& config)>;
/// What is wrong with the program on the device; empty if nothing is.
std::string wrong(const Trial& trial, const Way& way, const MakeDevice& make);

}  // namespace ocs::conformance
