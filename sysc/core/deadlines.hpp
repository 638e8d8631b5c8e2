// The cycle in which each of a number of things acts next, and the earliest of them all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace ocs::sysc {

using Cycle = std::uint64_t;
inline constexpr Cycle no_cycle = ~Cycle{0};  ///< later than every cycle

/// A tournament: the winner of all is known at once, a change costs one match a round.
class Deadlines {
 public:
  explicit Deadlines(std::size_t things) : leaves_(std::bit_ceil(things)), least_(2 * leaves_, no_cycle) {}

  Cycle earliest() const { return least_[1]; }
  Cycle of(std::size_t thing) const { return least_[leaves_ + thing]; }

  void set(std::size_t thing, Cycle cycle) {
    std::size_t at = leaves_ + thing;
    if (least_[at] == cycle) return;
    least_[at] = cycle;
    for (at /= 2; at != 0; at /= 2) {
      const Cycle winner = least_[2 * at] < least_[2 * at + 1] ? least_[2 * at] : least_[2 * at + 1];
      if (least_[at] == winner) return;
      least_[at] = winner;
    }
  }

 private:
  std::size_t leaves_;
  std::vector<Cycle> least_;  ///< [1]: of all; [leaves_ + k]: of thing k
};

}  // namespace ocs::sysc
