// Where the nodes of an experiment's rows are: the crews of node processes, made when a row first needs them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>

#include "testbed/coordinator/crew.hpp"
#include "testbed/coordinator/crew_platform.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

class Progress;

/// Node processes stay from row to row.
class Crews {
 public:
  /// @param progress is shown who is awaited. @param program lightloop, which node processes run
  explicit Crews(Progress& progress, std::string program = "/proc/self/exe",
                 MakeCrewPlatform platform = make_system_platform)
      : progress_(progress), program_(std::move(program)), platform_(std::move(platform)) {}

  /// A function for RunOptions::crew, which refers to this object.
  std::function<Crew*(const Point&, std::size_t seat)> by_point();

 private:
  Crew* of(const NodeSettings& nodes, std::size_t seat);

  Progress& progress_;
  std::string program_;
  MakeCrewPlatform platform_;
  std::map<std::pair<std::string, std::size_t>, std::unique_ptr<Crew>> crews_;  ///< by transport and seat; the other
                                                                                ///< keys are no axes
};

}  // namespace ocs
