// Push, then pull, through the policy's scheduler and the plan checker.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/plan.hpp"

#include <algorithm>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"

namespace ocs {
namespace {

PlannedPhase plan_phase(const Point& point, const Scheduler& scheduler, std::vector<Flow> flows, Ticks now,
                        std::vector<Circuit> up) {
  PlannedPhase phase;
  phase.problem.now = now;
  phase.problem.ports = point.fabric.ports;
  phase.problem.delta = {set_up(point.fabric).n};
  phase.problem.up = std::move(up);
  phase.problem.flows = std::move(flows);
  phase.problem.seed = point.seed;
  phase.plan = scheduler.plan(phase.problem);
  check_plan(phase.problem, phase.plan);
  phase.end = now;
  for (const Reservation& reservation : phase.plan.list) phase.end = std::max(phase.end, reservation.end);
  return phase;
}

}  // namespace

PlannedJob plan_job(const Point& point) {
  PlannedJob planned{.prepared = prepare(point), .push = {}, .pull = {}};
  const auto scheduler = make(schedulers(), planned.prepared.policy->scheduler, "scheduler");
  const auto& [policy, job, placement, blocks, unpadded] = planned.prepared;
  planned.push = plan_phase(point, *scheduler, push_flows(job, placement), Ticks{0}, {});
  planned.pull = plan_phase(point, *scheduler, pull_flows(job, placement), planned.push.end,
                            circuits_after(planned.push.problem, planned.push.plan));
  return planned;
}

}  // namespace ocs
