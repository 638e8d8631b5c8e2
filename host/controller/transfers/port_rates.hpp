// How long a word takes from or to each node, as time goes on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Cycles that a word takes from or to each node, each a divisor of 40000; empty: one cycle everywhere.
using WordCycles = std::vector<Cycles>;

/// A word from or to `port` takes `word` cycles from cycle `at` on; 0: the port carries nothing.
struct RateChange {
  Cycles at;
  std::uint16_t port = 0;
  Cycles word;
  friend bool operator==(const RateChange&, const RateChange&) = default;
};

/// Rates that change at given cycles. What a transfer makes of them is up to who plans it (docs/controller.md, rule 9).
class PortRates {
 public:
  /// @param first of each node, until its first change. @param changes ascending by cycle.
  /// @throws Error (input): `changes` go back in time, change a port twice in one cycle, let a word take less than 0
  /// cycles or a number that doesn't divide 40000, or leave a port without a rate for ever.
  explicit PortRates(WordCycles first = {}, const std::vector<RateChange>& changes = {});

  /// Cycles that a word takes in cycle `at`; 0: the port carries nothing.
  Cycles word(std::uint16_t port, Cycles at) const;

  /// The first cycle from `at` on in which both ports carry something.
  Cycles both_carry(std::uint16_t a, std::uint16_t b, Cycles at) const;

 private:
  Cycles carries(std::uint16_t port, Cycles at) const;

  WordCycles first_;
  std::vector<std::vector<std::pair<Cycles, Cycles>>> changes_;  ///< of each port: from when on, which; may be short
};

}  // namespace ocs
