// Where the nodes of an experiment's rows are.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/session/crews.hpp"

#include "testbed/coordinator/job.hpp"
#include "testbed/coordinator/process_crew.hpp"

namespace ocs {

std::function<Crew*(const Point&, std::size_t seat)> Crews::by_point() {
  return [this](const Point& point, std::size_t seat) { return of(point.nodes, seat); };
}

Crew* Crews::of(const NodeSettings& nodes, std::size_t seat) {
  if (nodes.transport == "inproc") return nullptr;
  std::unique_ptr<Crew>& crew = crews_[{nodes.transport, seat}];
  if (!crew)
    crew = make_process_crew({.transport = nodes.transport,
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
  return crew.get();
}

}  // namespace ocs
