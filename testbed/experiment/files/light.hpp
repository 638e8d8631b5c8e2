// The level of light at outputs, and what becomes of it: what an experiment says, and in cycles.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "host/core/delays.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// "-3 dBm less 2.5 dB, lost below -14 dBm for 2 us, back at -13.5 dBm for 10 us; rings 2 times for 1 us after 5 us": lasers
/// send -3 dBm, of which 2.5 dB are lost on the way. A detector reports a loss of light 2 us after it fell below -14 dBm,
/// and its return 10 us after it has reached -13.5 dBm. A mirror that arrives has light for 5 us and none for 1 us, twice.
/// Each clause but the first level may be left out, and the times of a detector; "back at" and "rings" need "lost below".
/// Empty: none.
/// @throws Error with half a sentence: "must be ...".
std::optional<LightLevels> parse_light(std::string_view text);

/// Limits of what a laser sends and of what is lost, in hundredths.
inline constexpr int least_light = -32768, most_light = 32767, most_loss = 65535;

/// "-13.5" in hundredths, exactly.
/// @return none: it isn't a decimal number with up to four digits before its point and two after it
std::optional<int> hundredths_of(std::string_view decimal);

/// "-5.5", of -550.
std::string hundredths_text(int value);
/// "-5.5 dBm", of hundredths.
std::string dbm_text(int hundredths);

/// The pair of ports with the least light, the first one of several.
struct WeakestPair {
  std::size_t in = 0, out = 0;
  int power = 0;
};
WeakestPair weakest_pair(const LightLevels& levels);
/// "-5.5 dBm at outputs", or where ports differ "-7.25 dBm at output 3 from input 12".
std::string weakest_text(const LightLevels& levels);

/// Times are rounded up. @throws Error with half a sentence: a time doesn't fit the switch, 2^30 - 1 cycles; no light is
/// to spare at outputs; or a ring is over before it is reported.
LightLevel light_in_cycles(const LightLevels& levels, Picos cycle);

}  // namespace ocs
