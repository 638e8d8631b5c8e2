// Where the nodes of an experiment's rows are.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/session/node_runners.hpp"

#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"

namespace ocs {

std::function<NodeRunner*(const Point&, std::size_t seat)> NodeRunners::by_point() {
  return [this](const Point& point, std::size_t seat) { return of(point.nodes, seat); };
}

NodeRunner* NodeRunners::of(const NodeSettings& nodes, std::size_t seat) {
  if (nodes.transport == "inproc") return nullptr;
  std::unique_ptr<NodeRunner>& runner = runners_[{nodes.transport, seat}];
  if (!runner)
    runner = make_process_runner({.transport = nodes.transport,
                                  .listen = nodes.listen,
                                  .keys = nodes.expect > 0 ? nodes.keys : "",
                                  .insecure = nodes.insecure,
                                  .expect = nodes.expect,
                                  .command = {program_, "node"},
                                  .timeout = std::chrono::milliseconds(nodes.timeout.n / 1'000'000'000),
                                  .on_wait =
                                      [this](const std::string& awaited) {
                                        progress_.tick({Picos{0}, 0, awaited, {}});
                                      },
                                  .hook = {}},
                                 platform_);
  return runner.get();
}

}  // namespace ocs
