// Plays seed after seed, in several processes, until one breaks something.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "testbed/session/environment.hpp"
#include "testbed/sim/scenario.hpp"

namespace ocs::sim {

/// What is simulated: runs, servers and their clients, or of each seed both.
enum class Simulated : std::uint8_t { both, run, serve };

struct SearchArguments {
  Simulated what = Simulated::both;
  std::uint64_t first = 1;                   ///< seed
  std::optional<std::uint64_t> runs;         ///< no more; nothing: until the time is over
  std::optional<std::chrono::seconds> time;  ///< nothing: until the runs are over
  unsigned jobs = 1;                         ///< processes
  std::chrono::seconds longest{20 * 60};     ///< real time of one seed; the process that plays it ends then
  std::function<void(std::uint64_t seeds, double seconds)> progress{};  ///< called about once a second
};

struct SearchResult {
  std::uint64_t runs = 0;  ///< seeds
  std::uint64_t starts = 0, faults = 0, failed = 0;
  double seconds = 0;
  std::optional<Scenario> failing;  ///< shrunk
  std::string violation;
};

/// @throws Error (run) if a process of it can't be started or ends by itself
SearchResult search(const Environment& environment, const SearchArguments& arguments);

}  // namespace ocs::sim
