// Nodes in the coordinator's own thread: called when it waits for them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "testbed/coordinator/node_runner.hpp"

namespace ocs {

/// For one job. The same node code as everywhere else, and messages in the same order between two participants; but
/// nothing is copied, nobody is woken, and nobody can be watched: a node that never answers hangs the run.
std::unique_ptr<NodeRunner> make_direct_runner();

}  // namespace ocs
