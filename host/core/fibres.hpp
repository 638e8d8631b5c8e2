// How far nodes are from the switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// Light takes it from a node to the switch, and as long from the switch to the node.
class Fibres {
 public:
  Fibres() = default;
  /// Each node has the same.
  Fibres(Cycles all) : longest_(all) {}  // NOLINT(google-explicit-constructor): most switches have one length
  /// Of nodes 0, 1, ..., at least one; a node beyond them has the longest.
  explicit Fibres(std::vector<Cycles> of_node) : longest_(*std::max_element(of_node.begin(), of_node.end())) {
    if (std::any_of(of_node.begin(), of_node.end(), [&](Cycles one) { return one != longest_; }))
      of_node_ = std::move(of_node);
  }

  Cycles of(std::size_t node) const { return node < of_node_.size() ? of_node_[node] : longest_; }
  Cycles longest() const { return longest_; }
  Cycles shortest() const { return differ() ? *std::min_element(of_node_.begin(), of_node_.end()) : longest_; }
  bool differ() const { return !of_node_.empty(); }
  friend bool operator==(const Fibres&, const Fibres&) = default;

 private:
  Cycles longest_{0};
  std::vector<Cycles> of_node_;  ///< empty: each has the longest
};

}  // namespace ocs
