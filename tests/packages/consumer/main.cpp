// Plans a small demand with every scheduler of the installed library, and prints the circuits of one.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <iostream>

#include "host/scheduler/catalogue.hpp"

namespace {

ocs::Problem two_workers_push_to_one_server() {
  ocs::Problem problem;
  problem.ports = 3;
  problem.delta = ocs::Ticks{10};
  for (std::uint16_t worker = 0; worker < 2; ++worker) {
    ocs::Flow flow{};
    flow.id = static_cast<ocs::Id>(worker);
    flow.in = static_cast<ocs::Input>(worker);
    flow.outs.set(2);
    flow.length = ocs::Ticks{100};
    problem.flows.push_back(flow);
  }
  return problem;
}

}  // namespace

int main() {
  const ocs::Problem problem = two_workers_push_to_one_server();
  const ocs::Plan plan = ocs::make(ocs::schedulers(), "sunflow", "scheduler")->plan(problem);
  for (const ocs::Reservation& one : plan.list)
    std::cout << "input " << index(one.in) << ": up " << one.up.n << ", end " << one.end.n << '\n';
  // Both use one output: a set-up and 100 ticks, twice.
  return plan.list.size() == 2 && plan.list.back().end.n == 220 ? 0 : 1;
}
