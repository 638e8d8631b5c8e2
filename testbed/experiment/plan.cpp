// Push, then pull, through the policy's scheduler and the plan checker.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/plan.hpp"

#include <algorithm>
#include <string>

#include "host/controller/circuits/plan_origin.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/lists/pipelined.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/placers/placement_relaxation.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

constexpr std::int64_t pipelined_work = 400'000;  // a list of both phases is played in a few milliseconds

PlannedPhase plan_phase(const Point& point, const Scheduler& scheduler, std::vector<Flow> flows, Ticks asked,
                        std::vector<EstablishedCircuit> up) {
  const ControlTimes times = control_times(point);
  PlannedPhase phase;
  phase.asked = asked;
  phase.problem.ports = point.fabric.ports;
  phase.problem.all_stop = point.fabric.all_stop;
  phase.problem.delta = {times.set_up().n};
  phase.problem.pair_delta = times.pair_set_ups(point.fabric.ports);
  phase.problem.up = std::move(up);
  phase.problem.flows = std::move(flows);
  phase.problem.seed = point.seed;
  phase.plan = plan_from(Cycles{asked.n}, times, scheduler, phase.problem);
  check_plan(phase.problem, phase.plan);
  phase.end = phase.problem.now;
  phase.arrived = phase.end + Ticks{times.fibre.longest().n};
  if (!phase.plan.list.empty()) phase.arrived = {};
  for (const Reservation& reservation : phase.plan.list) {
    phase.end = std::max(phase.end, reservation.end);
    for_each_output(reservation.outs, [&](std::size_t out) {
      phase.arrived = std::max(phase.arrived, reservation.end + Ticks{times.fibre.of(out).n});
    });
  }
  return phase;
}

/// Whether one of the flows begins on a circuit that is up.
bool uses_established(const Plan& plan, const std::vector<Flow>& flows) {
  return std::any_of(plan.list.begin(), plan.list.end(), [&](const Reservation& r) {
    return r.up == r.start &&
           std::any_of(flows.begin(), flows.end(), [&](const Flow& flow) { return flow.id == r.flow; });
  });
}

/// Pulls are released as for a plan that sets up all its circuits; if they find one that is up,
/// later, as rule 3 of docs/controller.md wants.
void add_pipelined(PlannedJob& planned, const Point& point, const Scheduler& scheduler) {
  const bool search = scheduler_traits(scheduler_name(point, *planned.prepared.policy)).searches;
  const auto plan_both = [&](bool reuses) {
    const Ticks origin{control_times(point).origin(Cycles{planned.pull.asked.n}, reuses).n};
    Synchronisation both{planned.push.problem, planned.pull.problem.flows, origin - planned.push.end};
    const auto pushes = static_cast<std::uint32_t>(both.push.flows.size());
    for (Flow& flow : both.pull) flow.id = Id{index(flow.id) + pushes};
    planned.pipelined = plan_pipelined(both, {scheduler, search ? pipelined_work : 0});
    check_plan(released(both, *planned.pipelined), *planned.pipelined);
    planned.pipelined_end = plan_end(*planned.pipelined, both.push.now);
    return both.pull;
  };
  const std::vector<Flow> pulls = plan_both(false);
  if (uses_established(*planned.pipelined, pulls)) plan_both(true);
}

}  // namespace

PlannedJob plan_job(const Point& point) { return plan_job(point, prepare(point)); }

PlannedJob plan_job(const Point& point, PreparedJob prepared) {
  if (point.packets)
    throw Error(ErrorKind::input, "network is \"packet\", but must be \"circuit\" for a plan: there are no circuits");
  if (point.fabric.programs_in_turn())
    throw Error(ErrorKind::input,
                "fabric.program_time is " + to_text(point.fabric.program_time.n, Dimension::time) +
                    ", but must be 0 s for a plan without a device: how long a mirror waits for others depends on what "
                    "is committed with it");
  if (point.fabric.planes > 1)
    throw Error(ErrorKind::input, "fabric.planes is " + std::to_string(point.fabric.planes) +
                                      ", but must be 1 for a plan without a device: with several, `lightloop run` "
                                      "splits the demand and each plane plans for itself");
  PlannedJob planned{
      .prepared = std::move(prepared), .push = {}, .pull = {}, .fibre = {}, .pipelined = {}, .pipelined_end = {}};
  const auto bare = make_scheduler(point, *planned.prepared.policy);
  const ChargedScheduler charged(*bare, point);
  const Scheduler* scheduler = &charged;
  const auto& [policy, job, placement, blocks, unpadded] = planned.prepared;
  const Picos cycle = point.fabric.cycle;
  planned.fibre = {point.fabric.fibre_cycles.n};
  planned.push = plan_phase(point, *scheduler, push_flows(job, placement),
                            Ticks{to_cycles(point.nodes.control_latency, cycle).n}, {});
  // The word that pushes are in, and the offer of the pulls, cross the control network one after the other.
  const Picos offered = to_picos(Cycles{planned.push.arrived.n}, cycle) + point.nodes.control_latency * 2;
  planned.pull = plan_phase(point, *scheduler, pull_flows(job, placement), Ticks{to_cycles(offered, cycle).n},
                            circuits_after(planned.push.problem, planned.push.plan));
  if (!point.fabric.all_stop && !point.planning.outside && !point.fabric.fibres.differ())
    add_pipelined(planned, point, *bare);
  return planned;
}

Ticks relaxed_bound(const Point& point, const Job& job) {
  const std::int64_t phases = 2 * std::int64_t{point.job.iterations};
  const bool shared = std::any_of(job.candidates.begin(), job.candidates.end(), [&](Node node) {
    return std::find(job.workers.begin(), job.workers.end(), node) != job.workers.end();
  });
  Job least = job;  // where pairs differ, the shortest set-up of all
  if (const auto set_ups = control_times(point).pair_set_ups(point.fabric.ports); !set_ups.empty())
    least.delta = to_picos(Cycles{std::min_element(set_ups.begin(), set_ups.end())->n}, point.fabric.cycle);
  const std::int64_t warm = phases - (shared ? 1 : 2);
  const std::int64_t sum = relax_placement(least).bound.n * phases - delta_ticks(least).n * warm;
  return {std::max<std::int64_t>(0, sum) / point.job.iterations};
}

}  // namespace ocs
