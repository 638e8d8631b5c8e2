// One or two times.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/interval.hpp"

#include <algorithm>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {

Picos time_of_run(std::string_view text) {
  constexpr std::int64_t latest = 1'000'000'000'000'000'000;  // ps
  const std::int64_t time = parse_quantity(trimmed(text), Dimension::time);
  if (time > latest) refuse("must be at most " + to_text(latest, Dimension::time));
  return {time};
}

Cycles cycles_of_register(Picos time, Picos cycle) {
  const Cycles cycles = to_cycles(time, cycle);
  if (cycles.n > most_register_cycles)
    refuse("must have times up to 2^30 - 1 cycles, " + to_text(most_register_cycles * cycle.n, Dimension::time) +
           "; it has " + to_text(time.n, Dimension::time));
  return cycles;
}

Interval parse_interval(std::string_view text) {
  const std::size_t dash = std::min(text.find('-'), text.size());
  Interval interval{.from = time_of_run(text.substr(0, dash)), .until = never<Picos>};
  if (dash < text.size()) interval.until = time_of_run(text.substr(dash + 1));
  return interval;
}

}  // namespace ocs
