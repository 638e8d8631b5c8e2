// Everybody who takes part in jobs besides the coordinator: where nodes run and how they are reached.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "host/core/message.hpp"
#include "testbed/nodes/node_job.hpp"

namespace ocs {

/// Where nodes run is all that runners differ in: in threads, in processes, on other hosts. Results don't depend on it.
class NodeRunner {
 public:
  virtual ~NodeRunner() = default;  ///< ends its nodes, whatever they do
  /// Puts all of `nodes` (ascending) to work on `job`. When this returns they are ready. @returns the coordinator's
  /// end; its receive() throws when a node is known to be gone.
  /// @throws Error (run) that names who isn't there in time
  virtual Transport& begin(const NodeJob& job, const std::vector<Node>& nodes) = 0;
  /// Buffers of payload memory in this process, the most that were in use at one time.
  virtual std::size_t buffers() const = 0;
};

}  // namespace ocs
