// Nodes in processes: started on this host, or come from others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbed/coordinator/node_runner.hpp"
#include "testbed/coordinator/runners/runner_platform.hpp"

namespace ocs {

struct ProcessRunnerSettings {
  std::string transport;  ///< "ipc" or "tcp"
  /// Where the coordinator receives: "tcp://ADDRESS:PORT" (PORT "*": the system chooses) or "ipc://PATH". ADDRESS is
  /// one by which the other hosts reach this one. Empty: a place that only this host, or over ipc only this user, can
  /// reach.
  std::string listen;
  /// File of the key that this run shares with nodes from elsewhere, over tcp. Empty: with `expect` nothing is
  /// encrypted and everybody who reaches `listen` may be a node; else the run has a key of its own.
  std::string keys{};
  bool insecure = false;                     ///< nothing is encrypted over tcp, whoever starts the nodes
  int expect = 0;                            ///< so many nodes come from elsewhere: the last ones of each job
  std::vector<std::string> command;          ///< starts a node; its --connect, --id and so on are added
  std::chrono::milliseconds timeout{30000};  ///< for nodes to come and to be ready
  std::function<void(const std::string& awaited)> on_wait;  ///< called while they are waited for; may be left out
  /// What tests put between the runner and ZeroMQ; may be left out.
  std::function<std::unique_ptr<Transport>(std::unique_ptr<Transport>)> hook;
};

/// For many jobs, one after another: a node process stays until the runner ends. Over ipc, payload lies in memory that
/// the nodes started here share, and only references cross the sockets. Who isn't one of the nodes is turned away, and
/// changes nothing.
/// @throws Error (input) if `listen` doesn't go with the transport, or `keys` is no key file; Error (run) if it can't
/// be bound
std::unique_ptr<NodeRunner> make_process_runner(ProcessRunnerSettings settings,
                                                const MakeRunnerPlatform& platform = make_system_platform);

}  // namespace ocs
