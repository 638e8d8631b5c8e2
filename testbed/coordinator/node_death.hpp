// When a node of a job dies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// From `at` on it does nothing any more: its transfers end, and a worker leaves the scheme.
struct NodeDeath {
  Node node{};
  Picos at;
  std::optional<Node> in_network{};  ///< its number there, where the job has numbers of its own
  friend bool operator==(const NodeDeath&, const NodeDeath&) = default;
};

/// "node 3 died at 7000000 ps", by its number in the network.
inline std::string describe(const NodeDeath& death) {
  return "node " + std::to_string(index(death.in_network.value_or(death.node))) + " died at " +
         std::to_string(death.at.n) + " ps";
}

}  // namespace ocs
