// A square table of times between inputs and outputs, and the matchings taken out of it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/scheduler/slots/port_set.hpp"

namespace ocs {

/// Ticks of transmission from each of `ports` inputs to each output; 0: no entry.
class Square {
 public:
  struct Entry {
    std::uint16_t in, out;
    std::int64_t length;
    friend bool operator==(const Entry&, const Entry&) = default;
  };

  /// @param ports 1 to max_ports.
  explicit Square(int ports) : ports_(static_cast<std::size_t>(ports)), length_(ports_ * ports_, 0) {}

  int ports() const { return static_cast<int>(ports_); }
  std::int64_t& at(std::size_t in, std::size_t out) { return length_[in * ports_ + out]; }
  std::int64_t at(std::size_t in, std::size_t out) const { return length_[in * ports_ + out]; }

  /// All entries, ascending (in, out).
  std::vector<Entry> entries() const;

 private:
  std::size_t ports_;
  std::vector<std::int64_t> length_;
};

/// Circuits that share no port, ascending inputs.
struct Pair {
  std::uint16_t in, out;
  friend bool operator==(const Pair&, const Pair&) = default;
};
using Matching = std::vector<Pair>;

/// Circuits that are up together, and for how long after their set-up.
struct Slot {
  std::int64_t length;
  Matching pairs;
  friend bool operator==(const Slot&, const Slot&) = default;
};

/// Which entries a matching may take: the outputs of each input.
using Edges = std::vector<PortSet>;

/// The entries greater than `threshold`.
Edges edges_above(const Square& square, std::int64_t threshold);

/// A matching with as many pairs as possible, by phases: layers by breadth-first search from all
/// unmatched inputs through every output to its input; then from each unmatched input, ascending, a
/// depth-first search that tries outputs in descending order and goes one layer deeper at each
/// step; until a phase gains nothing. Source: Hopcroft, Karp, "An n^5/2 algorithm for maximum
/// matchings in bipartite graphs", SIAM J. Comput. 2(4), 1973. O(ports^2 sqrt(ports)).
Matching largest_matching(const Edges& edges);

/// The smallest entry that a matching takes; it must take one.
std::int64_t smallest(const Square& square, const Matching& matching);

/// Takes `length` from each entry of the matching, which must have as much.
void subtract(Square& square, const Matching& matching, std::int64_t length);

}  // namespace ocs
