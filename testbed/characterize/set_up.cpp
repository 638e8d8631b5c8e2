// Names of circuits, and groups of mirrors.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/set_up.hpp"

#include <algorithm>

namespace ocs::characterize {

std::optional<Programming> programming_of(const std::vector<Picos>& waits) {
  const auto second = std::find_if(waits.begin(), waits.end(), [](Picos wait) { return wait.n > 0; });
  if (second == waits.end()) return std::nullopt;
  Programming found{*second, static_cast<int>(second - waits.begin()), *std::max_element(waits.begin(), waits.end())};
  bool groups = found.lanes > 0;  // the first output waits for nobody
  for (std::size_t o = 0; o < waits.size() && groups; ++o)
    groups = waits[o] == found.wait_of(static_cast<std::uint16_t>(o));
  return groups ? found : Programming{.time = {}, .lanes = 1, .longest = found.longest};
}

std::vector<Picos> quantiles_of(std::vector<Picos> sample) {
  constexpr std::size_t points = Receivers::points;
  std::sort(sample.begin(), sample.end());
  std::vector<Picos> all;
  all.reserve(points);
  for (std::size_t k = 0; k < points; ++k) all.push_back(sample[(2 * k + 1) * sample.size() / (2 * points)]);
  for (std::size_t few = 1; few < points; few *= 2) {
    const std::size_t same = points / few;
    bool enough = true;
    for (std::size_t k = 0; k < points; ++k) enough = enough && all[k] == all[k / same * same];
    if (!enough) continue;
    std::vector<Picos> out;
    for (std::size_t k = 0; k < points; k += same) out.push_back(all[k]);
    return out;
  }
  return all;
}

std::string name_of(From from) {
  if (from == From::idle) return "idle";
  return from == From::circuit ? "circuit" : "unknown";
}

std::string name_of(const CircuitSetUp& set_up) {
  std::string name = "output " + std::to_string(set_up.out);
  if (set_up.in) name += " from input " + std::to_string(*set_up.in);
  if (set_up.from == From::idle) name += ", before it idle";
  if (set_up.from == From::circuit) name += ", before it another circuit";
  return name;
}

}  // namespace ocs::characterize
