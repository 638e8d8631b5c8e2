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

/// Whether one of the flows can go over a circuit that is there.
bool any_established(const std::vector<Circuit>& up, const std::vector<Flow>& flows) {
  return std::any_of(flows.begin(), flows.end(), [&](const Flow& flow) {
    return std::any_of(up.begin(), up.end(),
                       [&](const Circuit& circuit) { return circuit.in == flow.in && circuit.outs == flow.outs; });
  });
}

}  // namespace

PlannedJob plan_job(const Point& point) {
  PlannedJob planned{.prepared = prepare(point), .push = {}, .pull = {}};
  const auto scheduler = make(schedulers(), planned.prepared.policy->scheduler, "scheduler");
  const auto& [policy, job, placement, blocks, unpadded] = planned.prepared;
  planned.push = plan_phase(point, *scheduler, push_flows(job, placement), Ticks{0}, {});
  std::vector<Circuit> left = circuits_after(planned.push.problem, planned.push.plan);
  std::vector<Flow> pulls = pull_flows(job, placement);
  // A burst on an established circuit is started one cycle before its first word (host/controller/README.md, rule 3).
  const Ticks begin = planned.push.end + Ticks{any_established(left, pulls) ? 1 : 0};
  planned.pull = plan_phase(point, *scheduler, std::move(pulls), begin, std::move(left));
  return planned;
}

}  // namespace ocs
