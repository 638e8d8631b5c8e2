// The same points with their nodes in processes. For tests that depend on program lightloop.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

#include "testbed/coordinator/process_crew.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"

namespace ocs::test {

/// Processes that stay from one point to the next.
class InProcesses {
 public:
  /// @param transport "ipc" or "tcp"
  explicit InProcesses(const std::string& transport) {
    ProcessCrewSettings nodes;
    nodes.transport = transport;
    nodes.command = {ocs::test::built("lightloop"), "node"};
    crew_ = make_process_crew(std::move(nodes));
  }

  Row run(const Point& point) const {
    RunOptions options;
    options.crew = [this](const Point&, std::size_t) { return crew_.get(); };
    return run_point(point, options);
  }

 private:
  std::unique_ptr<Crew> crew_;
};

}  // namespace ocs::test
