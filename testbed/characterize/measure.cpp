// What rounds of circuits say of a switch.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/measure.hpp"

#include <algorithm>

#include "testbed/characterize/rounds.hpp"

namespace ocs::characterize {

std::vector<CircuitSetUp> measure(Switch& plane, const MeasureOptions& options) { return Rounds(plane, options).all(); }

std::optional<Programming> measure_programming(Switch& plane, const MeasureOptions& options,
                                               const std::vector<CircuitSetUp>& all) {
  const auto failed = [](const CircuitSetUp& set_up) { return !set_up.up; };
  if (std::any_of(all.begin(), all.end(), failed)) return std::nullopt;
  std::vector<Picos> waits;
  for (const CircuitSetUp& alone : Rounds(plane, options).one_by_one()) {
    const auto together = std::find_if(all.begin(), all.end(), [&](const CircuitSetUp& one) {
      return one.out == alone.out && one.in == alone.in && one.from == From::idle;
    });
    if (failed(alone)) return std::nullopt;
    waits.push_back(together->tuning - alone.tuning);
  }
  return programming_of(waits);
}

}  // namespace ocs::characterize
