// Asks the scheduler for a plan of one flow.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/runnable.hpp"

#include <string>

#include "host/core/error.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

/// One flow on a switch like the point's.
Problem least_problem(const Point& point) {
  const ControlTimes times = control_times(point);
  Problem problem;
  problem.ports = point.fabric.ports;
  problem.all_stop = point.fabric.all_stop;
  problem.delta = {times.set_up().n};
  problem.pair_delta = times.pair_set_ups(point.fabric.ports);
  problem.seed = point.seed;
  Flow flow{};
  flow.outs.set(1);
  flow.length = {1};
  problem.flows.push_back(flow);
  return problem;
}

void check_scheduler(const Point& point, const Origins& origins) {
  if (point.planning.outside) return;  // it is asked for its plans when the row runs
  if (point.sets_maps()) return;       // no scheduler has a say
  const Policy& policy = find(policies(), point.policy, "policy");
  try {
    make_scheduler(point, policy)->plan(least_problem(point));
  } catch (const Error& failure) {
    refuse(origin_of(origins, {"fabric.all_stop", "scheduler", "policy"}),
           (point.fabric.all_stop ? "fabric.all_stop is true, policy is " : "policy is ") + in_quotes(point.policy) +
               " with scheduler " + in_quotes(scheduler_name(point, policy)) + ", but " + failure.what());
  }
}

}  // namespace

void check_runnable(const Point& point, const Origins& origins) {
  if (point.packets) return;
  if (!device_traits(point.fabric.device).timetables && point.control.mode == "timetable")
    refuse(origin_of(origins, {"control.mode", "fabric.device"}),
           "control.mode is \"timetable\", but must be \"confirmed\" with fabric.device " +
               in_quotes(point.fabric.device) +
               ": its firmware takes a start only when the burst before it on its input has ended");
  check_scheduler(point, origins);
}

}  // namespace ocs
