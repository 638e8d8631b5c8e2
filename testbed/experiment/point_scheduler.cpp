// Chooses, and says until when plans have to have ended.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/point_scheduler.hpp"

#include <utility>

#include "host/scheduler/whole_word_scheduler.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/plans/exec_scheduler.hpp"
#include "testbed/plans/given_order.hpp"
#include "testbed/plans/given_plan.hpp"
#include "testbed/plans/outside_scheduler.hpp"

namespace ocs {
namespace {

/// A fourth of simulated time: what comes after the plan has to fit as well.
Ticks latest_end(const Point& point) { return {(std::int64_t{1} << 60) / point.fabric.cycle.n}; }

}  // namespace

std::string scheduler_name(const Point& point, const Policy& policy) {
  if (point.planning.outside) return point.planning.outside->name;
  return point.planning.scheduler.empty() ? std::string(policy.scheduler) : point.planning.scheduler;
}

bool plans_around_circuits(const Point& point, const std::string& scheduler) {
  if (!point.planning.outside) return plans_arrivals(scheduler);
  return !point.planning.outside->plan || !point.planning.outside->plan->order.empty();
}

std::unique_ptr<Scheduler> make_scheduler(const Point& point, const Policy& policy, std::function<void()> pause) {
  const OutsideScheduler* outside = point.planning.outside.get();
  const auto in_whole_words = [&](std::unique_ptr<Scheduler> scheduler) -> std::unique_ptr<Scheduler> {
    if (point.nodes.word_cycles.empty() && point.nodes.rate_changes.empty()) return scheduler;
    return std::make_unique<WholeWordScheduler>(std::move(scheduler));
  };
  if (outside == nullptr) return in_whole_words(make(schedulers(), scheduler_name(point, policy), "scheduler"));
  const std::chrono::milliseconds patience(point.planning.timeout.n / 1'000'000'000);
  if (outside->make) return in_whole_words(outside->make(latest_end(point), patience));
  if (!outside->command.empty())
    return in_whole_words(std::make_unique<ExecScheduler>(outside->start, outside->name, patience, latest_end(point),
                                                          std::move(pause), outside->limits));
  if (!outside->plan->order.empty()) {
    const auto by_priority = point.peers() ? "multicast_list" : "sunflow_fifo";
    return std::make_unique<GivenOrder>(outside->plan->order, outside->name,
                                        in_whole_words(make(schedulers(), by_priority, "scheduler")),
                                        by_keys(point.job));
  }
  // By timetable words may be lost, and the plan can't know which ones have to be sent again.
  std::unique_ptr<Scheduler> rest;
  if (point.control.mode == "timetable") rest = make(schedulers(), policy.scheduler, "scheduler");
  return std::make_unique<GivenPlan>(*outside->plan, outside->name, latest_end(point), std::move(rest));
}

}  // namespace ocs
