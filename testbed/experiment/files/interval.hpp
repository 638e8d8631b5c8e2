// Intervals of a run, as lists of what is wrong with ports say them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string_view>

#include "host/core/units.hpp"

namespace ocs {

struct Interval {
  Picos from, until;  ///< without an end: never
};

/// "2 us", at most 10^18 ps. @throws Error with half a sentence: "must be ...".
Picos time_of_run(std::string_view text);
/// The most that a register of cycles holds.
inline constexpr std::int64_t most_register_cycles = (std::int64_t{1} << 30) - 1;
/// A time rounded up, for such a register. @throws Error as above, if it doesn't fit.
Cycles cycles_of_register(Picos time, Picos cycle);
/// "2 us - 9 us", or "2 us" without an end. @throws Error as above.
Interval parse_interval(std::string_view text);

}  // namespace ocs
