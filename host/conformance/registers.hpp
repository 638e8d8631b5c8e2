// The register names that programs use, each with its place in the window and how one entry of it is accessed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace ocs::conformance {

/// How a named register lies in the window.
enum class Shape : std::uint8_t {
  word,     ///< a 32-bit register of its own
  field,    ///< some bits of a register that holds others too: written by read, modify, write
  wide,     ///< 64 bits: low word, then high word
  bit,      ///< one bit of a mask of 32 ports; only that bit is written
  bit_rw,   ///< the same, but the mask keeps its bits: written by read, modify, write
  circuit,  ///< {valid, input}, as in the shadow and the active map
  segment,  ///< three registers: source and tag, first word, number of words
  pair,     ///< the memory with an entry for each output and input
};

/// What an index means. The hardware decides which indices of ports it refuses; a table has 16 points on any switch.
enum class Indexed : std::uint8_t { nothing, output, input, port, output_and_input, point };

inline constexpr std::uint32_t max_index = 255;  ///< the window is laid out for 256 ports
inline constexpr std::uint32_t points = 16;      ///< of a table of quantiles

struct Register {
  std::string_view name;
  Shape shape;
  Indexed indexed;
  std::uint32_t address;             ///< byte address of entry 0
  std::uint32_t mask = 0xFFFF'FFFF;  ///< of a field: its bits

  constexpr int indices() const {
    return indexed == Indexed::nothing ? 0 : indexed == Indexed::output_and_input ? 2 : 1;
  }
  /// The largest index that a program may name.
  constexpr std::uint32_t largest_index() const { return indexed == Indexed::point ? points - 1 : max_index; }
  /// First indices that a switch of so many ports has.
  constexpr std::uint32_t entries(std::uint32_t ports) const {
    return indexed == Indexed::nothing ? 1 : indexed == Indexed::point ? points : ports;
  }
  /// The largest value that a program may write.
  std::uint64_t limit() const;
};

/// Every register that a program may name, in the order of the format's description.
std::span<const Register> registers();

/// @returns null if no register has that name.
const Register* find_register(std::string_view name);

/// The four counters of the device and the seven of each port, in the order in which programs state them.
inline constexpr std::string_view counter_names[] = {"PASSED",   "LOST",    "DARK",    "TUNINGS", "RESTARTS", "SENT",
                                                     "UNROUTED", "COMMITS", "REFUSED", "LATE",    "DROPPED"};

}  // namespace ocs::conformance
