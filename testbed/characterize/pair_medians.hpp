// One number for each pair of ports, of all its set-ups.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "testbed/characterize/set_up.hpp"
#include "testbed/characterize/statistics.hpp"

namespace ocs::characterize {

/// Median of `time` over the set-ups of each pair that came up, at in * ports + out; none where none did.
template <class Time>
std::vector<std::optional<Picos>> pair_medians(const Findings& findings, Time&& time) {
  const auto ports = static_cast<std::size_t>(findings.ports);
  std::vector<std::vector<Picos>> times(ports * ports);
  for (const CircuitSetUp& set_up : findings.set_ups)
    if (set_up.in && set_up.up) times[*set_up.in * ports + set_up.out].push_back(time(set_up));
  std::vector<std::optional<Picos>> medians;
  medians.reserve(times.size());
  for (std::vector<Picos>& each : times)
    medians.push_back(each.empty() ? std::nullopt : std::optional(statistics(std::move(each)).median));
  return medians;
}

}  // namespace ocs::characterize
