// Push, then pull, through the policy's scheduler and the plan checker.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/plan.hpp"

#include <algorithm>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"

namespace ocs {
namespace {

/// Whether one of the flows can go over a circuit that is there.
bool any_established(const std::vector<Circuit>& up, const std::vector<Flow>& flows) {
  return std::any_of(flows.begin(), flows.end(), [&](const Flow& flow) {
    return std::any_of(up.begin(), up.end(),
                       [&](const Circuit& circuit) { return circuit.in == flow.in && circuit.outs == flow.outs; });
  });
}

PlannedPhase plan_phase(const Point& point, const Scheduler& scheduler, std::vector<Flow> flows, Ticks asked,
                        std::vector<Circuit> up) {
  const ControlTimes times = control_times(point);
  PlannedPhase phase;
  phase.asked = asked;
  phase.problem.now = {times.origin(Cycles{asked.n}, any_established(up, flows)).n};
  phase.problem.ports = point.fabric.ports;
  phase.problem.delta = {times.set_up().n};
  phase.problem.pair_delta = times.pair_set_ups(point.fabric.ports);
  phase.problem.up = std::move(up);
  phase.problem.flows = std::move(flows);
  phase.problem.seed = point.seed;
  phase.plan = scheduler.plan(phase.problem);
  check_plan(phase.problem, phase.plan);
  phase.end = phase.problem.now;
  for (const Reservation& reservation : phase.plan.list) phase.end = std::max(phase.end, reservation.end);
  return phase;
}

}  // namespace

PlannedJob plan_job(const Point& point) {
  PlannedJob planned{.prepared = prepare(point), .push = {}, .pull = {}, .fibre = {}};
  const auto scheduler = make(schedulers(), planned.prepared.policy->scheduler, "scheduler");
  const auto& [policy, job, placement, blocks, unpadded] = planned.prepared;
  const Picos cycle = point.fabric.cycle;
  planned.fibre = {point.fabric.fibre_cycles.n};
  planned.push = plan_phase(point, *scheduler, push_flows(job, placement),
                            Ticks{to_cycles(point.nodes.control_latency, cycle).n}, {});
  // The word that pushes are in, and the offer of the pulls, cross the control network one after the other.
  const Picos offered = to_picos(Cycles{(planned.push.end + planned.fibre).n}, cycle) + point.nodes.control_latency * 2;
  planned.pull = plan_phase(point, *scheduler, pull_flows(job, placement), Ticks{to_cycles(offered, cycle).n},
                            circuits_after(planned.push.problem, planned.push.plan));
  return planned;
}

}  // namespace ocs
