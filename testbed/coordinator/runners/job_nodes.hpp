// The nodes of one job: they come when it begins, and go with this object.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/node_runner.hpp"
#include "testbed/coordinator/processes/one_core.hpp"
#include "testbed/engine/engine.hpp"

namespace ocs {

/// Where the nodes of a job are, and what is put between its parts.
struct NodePlaces {
  NodeRunner* runner = nullptr;  ///< has them; nullptr: they are threads, or called one by one
  std::string endpoint = JobSpec{}.endpoint;
  JobHooks hooks{};
};

class JobNodes {
 public:
  /// @param job and `engine` outlive it. @throws Error (run) as NodeRunner::begin()
  JobNodes(const NodeJob& job, const std::vector<Node>& nodes, NodePlaces places, std::chrono::milliseconds timeout,
           const Engine& engine);
  JobNodes(const JobNodes&) = delete;
  JobNodes& operator=(const JobNodes&) = delete;

  NodeExchange& talk() { return *talk_; }
  std::int64_t buffers() const { return static_cast<std::int64_t>(runner_->buffers()); }

 private:
  NodePlaces places_;
  std::optional<OneCore> one_core_;
  std::unique_ptr<NodeRunner> own_;
  NodeRunner* runner_;
  std::optional<NodeExchange> talk_;
};

}  // namespace ocs
