// A node as a process of its own: joins a coordinator, takes part in its jobs, one after another, and leaves when told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>

#include "host/core/message.hpp"
#include "testbed/nodes/process/node_platform.hpp"

namespace ocs {

struct NodeProcessSettings {
  std::string connect;  ///< the coordinator's endpoint: "tcp://ADDRESS:PORT" or "ipc://PATH"
  Node id{};
  std::chrono::milliseconds timeout{30000};  ///< for the coordinator to be there
  int memory = -1;                           ///< inherited descriptor of the coordinator's shared memory; -1: none
  std::string key{};                         ///< file of the run's key; empty: none
  bool encrypt = true;                       ///< false: the key proves who the node is, and nothing is encrypted
  std::function<void(const std::string&)>
      report{};  ///< says what the process waits for, after a second; empty: nothing
};

/// What tests put between the parts; empty functions change nothing.
struct NodeProcessHooks {
  std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)> transport;
  std::function<std::unique_ptr<NodeLogic>(std::unique_ptr<NodeLogic>)> logic;
};

/// Life of a node process: `hello` with the endpoint at which it receives; then for each job `begin`, `ready`, and what
/// a node in a thread does (NodeHost) until `stop`; `leave` ends it. The connection to the coordinator is its lifeline:
/// if it is lost, or no coordinator is there in time, the process ends.
/// @throws Error (run) that says why, unless it was told to leave; Error (input) if `connect` is no such endpoint.
void run_node_process(const NodeProcessSettings& settings, const NodeProcessHooks& hooks = {},
                      const MakeNodePlatform& platform = make_node_system);

}  // namespace ocs
