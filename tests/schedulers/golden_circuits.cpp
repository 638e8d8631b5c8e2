// Circuit schedulers: every number of a case is exact.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <optional>

#include "host/core/error.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/colour.hpp"
#include "host/scheduler/lists/hlf.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/search/exact.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {
namespace {

std::unique_ptr<Scheduler> scheduler(const CircuitCase& golden) {
  switch (golden.rule) {
    case CircuitRule::sunflow:
      return std::make_unique<Sunflow>(golden.order);
    case CircuitRule::hlf:
      return std::make_unique<Hlf>();
    case CircuitRule::colour:
      return std::make_unique<Colour>();
    case CircuitRule::rotation_list:
      return std::make_unique<RotationList>(golden.ports);
    case CircuitRule::rotation_allstop:
      return std::make_unique<RotationAllstop>(golden.ports);
  }
  return nullptr;
}

/// Reservations of merged flows, which run back to back on one circuit, become one.
std::vector<std::array<std::int64_t, 5>> circuits(const Plan& plan) {
  std::vector<std::array<std::int64_t, 5>> list;
  for (const Reservation& r : plan.list) {
    const std::int64_t in = index(r.in), out = single_output(r.outs);
    if (!list.empty() && list.back()[0] == in && list.back()[1] == out && list.back()[4] == r.start.n)
      list.back()[4] = r.end.n;
    else
      list.push_back({in, out, r.start.n, r.up.n, r.end.n});
  }
  return list;
}

/// Unless the case is too large for exact.
void check_optimum(const CircuitCase& golden) {
  if (golden.problem.flows.size() > 10) return;
  std::optional<Plan> plan;
  try {
    plan = Exact().plan(golden.problem);
  } catch (const Error&) {
    return;
  }
  check_plan(golden.problem, *plan);
  EXPECT_EQ(plan_end(*plan, Ticks{0}).n, *golden.optimum);
}

}  // namespace

void check(const CircuitCase& golden) {
  const Plan plan = scheduler(golden)->plan(golden.problem);
  check_plan(golden.problem, plan);
  const auto found = circuits(plan);
  std::int64_t sum_fct = 0;
  for (const auto& circuit : found) sum_fct += circuit[4];
  EXPECT_EQ(plan_end(plan, Ticks{0}).n, golden.makespan);
  EXPECT_EQ(sum_fct, golden.sum_fct);
  if (golden.circuits) {
    EXPECT_EQ(found, *golden.circuits);
  }
  if (golden.optimum) {
    EXPECT_LE(plan.bound.n, *golden.optimum);
    EXPECT_GE(golden.makespan, *golden.optimum);
    check_optimum(golden);
  }
  Problem cold = golden.problem;  // the port bound of a case counts every set-up
  cold.up.clear();
  EXPECT_EQ(port_bound(cold).n, golden.port_bound);
}

}  // namespace ocs::golden
