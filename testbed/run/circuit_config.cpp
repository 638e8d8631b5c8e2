// How the circuits of a switch are kept in every run of a point.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/circuit_config.hpp"

#include "host/scheduler/check_plan.hpp"
#include "testbed/experiment/prepare.hpp"

namespace ocs {

CircuitConfig circuit_config(const Point& point, const RunOptions& options, EventHash& hash) {
  CircuitConfig config;
  config.times = control_times(point);
  config.seed = point.seed;
  config.word_cycles = point.nodes.word_cycles;
  config.rate_changes = point.nodes.rate_changes;
  config.outages = point.fabric.outages_cycles;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  config.on_event = [&](const Event& event) {
    hash.add(event);
    if (options.on_event) options.on_event(event);
  };
  config.on_carried = options.on_carried;
  return config;
}

}  // namespace ocs
