// What characterizing finds: how long each circuit took to be set up.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "host/core/units.hpp"

namespace ocs::characterize {

/// What the output did before.
enum class From : std::uint8_t { idle, circuit, unknown };

/// One circuit, once.
struct CircuitSetUp {
  std::uint16_t out = 0;
  std::optional<std::uint16_t> in;  ///< none: the log doesn't say
  From from = From::unknown;
  Picos at;               ///< when the output went dark, or when it was told
  Picos tuning, locking;  ///< dark; light but not usable. When it never came up: how long it has been waited for
  bool up = true;

  Picos together() const { return tuning + locking; }
};

/// Circuits that are set up at once take longer than one alone, because their mirrors are programmed in turn.
struct Programming {
  Picos time;     ///< of each further group; 0: the differences are not those of groups
  int lanes = 1;  ///< mirrors of a group
  Picos longest;  ///< of any output

  /// What output `out` waits for when all outputs change.
  Picos wait_of(std::uint16_t out) const { return time * (out / lanes); }
};

/// @param waits what each output takes longer when all change at once than when it changes alone
/// @return none: nothing
std::optional<Programming> programming_of(const std::vector<Picos>& waits);

struct Findings {
  std::string subject;  ///< "verilated", or a file
  int ports = 0;
  Picos cycle;  ///< resolution: a part of n cycles took more than n - 1 and at most n; 0: exact
  std::vector<CircuitSetUp> set_ups;
  std::optional<Programming> programming = {};  ///< none: no difference was found, or none was looked for
};

/// "output 3 from input 5, from idle"
std::string name_of(const CircuitSetUp& set_up);
std::string name_of(From from);

}  // namespace ocs::characterize
