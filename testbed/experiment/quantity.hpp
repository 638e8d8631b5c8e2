// Quantities with units in text ("10 ms", "100 Gbit/s", "25 MB"), read and written exactly: no floating point.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ocs {

/// What is measured, and the unit of the whole number that it becomes.
enum class Dimension : std::uint8_t {
  time,  ///< ps; written in ps, ns, us, ms, s
  rate,  ///< bit/s; written in bit/s, kbit/s, Mbit/s, Gbit/s, Tbit/s, or short b/s, kb/s, ...
  size,  ///< bytes; written in B, kB, MB, GB, TB (powers of 1000), KiB, MiB, GiB, TiB (powers of 1024)
};

/// `text` is a decimal number without sign or exponent, an optional blank, and a unit. At most 24 digits.
/// @throws Error (input) with half a sentence, to follow "X is Y, but ": "must ...".
std::int64_t parse_quantity(std::string_view text, Dimension dimension);

/// The exact value (from 0) in the largest decimal unit in which it is at least 1: 11500000 ps is "11.5 us".
std::string to_text(std::int64_t value, Dimension dimension);

}  // namespace ocs
