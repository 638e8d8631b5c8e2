// The same points with their nodes in processes. For tests that depend on program lightloop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "testbed/coordinator/runners/process_runner.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"

namespace ocs::test {

/// Processes that stay from one point to the next.
class InProcesses {
 public:
  /// @param transport "ipc" or "tcp"
  explicit InProcesses(const std::string& transport) {
    ProcessRunnerSettings nodes;
    nodes.transport = transport;
    nodes.command = {ocs::test::built("lightloop"), "node"};
    runner_ = make_process_runner(std::move(nodes));
  }

  Row run(const Point& point) const {
    RunOptions options;
    options.runner = [this](const Point&, std::size_t) { return runner_.get(); };
    return run_point(point, options);
  }

 private:
  std::unique_ptr<NodeRunner> runner_;
};

}  // namespace ocs::test
