// Where the nodes of an experiment's rows are: the runners of node processes, made when a row first needs them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "testbed/coordinator/node_runner.hpp"
#include "testbed/coordinator/runners/runner_platform.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

class Progress;

/// Node processes stay from row to row.
class NodeRunners {
 public:
  /// @param progress is shown who is awaited. @param program lightloop, which node processes run
  explicit NodeRunners(Progress& progress, std::string program = "/proc/self/exe",
                       MakeRunnerPlatform platform = make_system_platform)
      : progress_(progress), program_(std::move(program)), platform_(std::move(platform)) {}

  /// A function for RunOptions::runner, which refers to this object.
  std::function<NodeRunner*(const Point&, std::size_t seat)> by_point();

 private:
  NodeRunner* of(const NodeSettings& nodes, std::size_t seat);

  Progress& progress_;
  std::string program_;
  MakeRunnerPlatform platform_;
  /// By transport and seat; the other keys are no axes.
  std::map<std::pair<std::string, std::size_t>, std::unique_ptr<NodeRunner>> runners_;
};

}  // namespace ocs
