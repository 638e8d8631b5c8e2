// Nodes in threads of this process.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/node_runner.hpp"

namespace ocs {

/// For one job. There are as many threads as cores, each for several nodes; with a hook for transports or logic, which
/// may hold a node up, each node has a thread of its own. @param endpoint a participant's endpoint is this and its number
std::unique_ptr<NodeRunner> make_thread_runner(const std::string& endpoint, const JobHooks& hooks);

}  // namespace ocs
