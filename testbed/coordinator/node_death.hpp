// When a node of a job dies.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/ids.hpp"

namespace ocs {

/// From `at` on it does nothing any more: its transfers end, and a worker leaves the scheme.
struct NodeDeath {
  Node node{};
  Picos at;
  friend bool operator==(const NodeDeath&, const NodeDeath&) = default;
};

}  // namespace ocs
