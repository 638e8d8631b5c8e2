// Powers of pairs, and whether they are sums of one number for each port.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/power.hpp"

#include <algorithm>

#include "testbed/experiment/files/light.hpp"

namespace ocs::characterize {
namespace {

/// The power of each pair, at in * ports + out. @return none: a pair has none, or more than one
std::optional<std::vector<int>> powers_of_pairs(const Findings& findings) {
  const auto ports = static_cast<std::size_t>(findings.ports);
  std::vector<std::optional<int>> found(ports * ports);
  for (const CircuitSetUp& set_up : findings.set_ups) {
    if (!set_up.in || !set_up.power) continue;
    std::optional<int>& pair = found[*set_up.in * ports + set_up.out];
    if (pair && *pair != *set_up.power) return std::nullopt;
    pair = set_up.power;
  }
  std::vector<int> powers;
  powers.reserve(found.size());
  for (const std::optional<int>& pair : found) {
    if (!pair) return std::nullopt;
    powers.push_back(*pair);
  }
  return powers;
}

/// Raises both by as much as the least laser needs. @return whether all are in range then
bool bring_into_range(PortLevels& levels) {
  const int more = std::max(0, least_light - *std::ranges::min_element(levels.lasers));
  for (int& laser : levels.lasers) laser += more;
  for (int& loss : levels.losses) loss += more;
  return *std::ranges::max_element(levels.lasers) <= most_light &&
         *std::ranges::max_element(levels.losses) <= most_loss;
}

}  // namespace

std::optional<PortLevels> levels_of(const Findings& findings) {
  const std::optional<std::vector<int>> powers = powers_of_pairs(findings);
  if (!powers || powers->empty()) return std::nullopt;
  const auto ports = static_cast<std::size_t>(findings.ports);
  const auto power = [&](std::size_t in, std::size_t out) { return (*powers)[in * ports + out]; };
  std::size_t brightest = 0;
  for (std::size_t out = 1; out < ports; ++out)
    if (power(0, out) > power(0, brightest)) brightest = out;
  PortLevels levels;
  for (std::size_t port = 0; port < ports; ++port) {
    levels.lasers.push_back(power(port, brightest));
    levels.losses.push_back(power(0, brightest) - power(0, port));
  }
  for (std::size_t in = 0; in < ports; ++in)
    for (std::size_t out = 0; out < ports; ++out)
      if (levels.lasers[in] - levels.losses[out] != power(in, out)) return std::nullopt;
  if (!bring_into_range(levels)) return std::nullopt;
  return levels;
}

std::optional<MeasuredPower> power_of(const Findings& findings) {
  std::vector<int> powers;
  MeasuredPower measured;
  for (std::size_t k = 0; k < findings.set_ups.size(); ++k) {
    const CircuitSetUp& set_up = findings.set_ups[k];
    if (!set_up.up) continue;
    if (!set_up.power) {
      ++measured.missing;
      continue;
    }
    if (powers.empty() || *set_up.power < *findings.set_ups[measured.weakest].power) measured.weakest = k;
    powers.push_back(*set_up.power);
  }
  if (powers.empty()) return std::nullopt;
  std::ranges::sort(powers);
  measured.min = powers.front();
  measured.median = powers[(powers.size() + 1) / 2 - 1];
  measured.max = powers.back();
  measured.levels = levels_of(findings);
  return measured;
}

}  // namespace ocs::characterize
