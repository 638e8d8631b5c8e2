// What one simulation does: an experiment, and what goes wrong, all of it drawn from one number.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/sim/fault.hpp"

namespace ocs::sim {

struct Scenario {
  std::uint64_t seed = 0;             ///< of the order of everything
  std::vector<std::string> settings;  ///< "KEY=VALUE", on top of testbed/experiments/tiny.toml
  std::vector<Fault> faults;
  bool serve =
      false;  ///< of `lightloop serve` and its clients, not of a run; settings are those of serve/serve_settings
  bool operator==(const Scenario&) const = default;
};

/// On one line: "seed 7; set job.workers=3; fault lose 0 17 0". A fault has its name, the start of the run, the place
/// and a number. "seed 7; serve; set clients=3" is one of `lightloop serve`.
std::string to_text(const Scenario& scenario);

/// The way back. @throws Error (input) that quotes what it can't read
Scenario parse_scenario(std::string_view text);

/// The experiment of a seed; not every one that is drawn can run. @param attempt another one of the same seed
std::vector<std::string> draw_settings(std::uint64_t seed, std::uint64_t attempt);

/// What goes wrong. @param messages, writes of a run without faults
std::vector<Fault> draw_faults(std::uint64_t seed, std::uint64_t messages, std::uint64_t writes);

}  // namespace ocs::sim
