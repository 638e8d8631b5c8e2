// Several coflows: every number of a case is exact.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/coflows/sunflow_inter.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {

void check(const CoflowsCase& golden) {
  const Plan plan = SunflowInter(golden.sharing).plan(golden.problem);
  check_plan(golden.problem, plan);
  std::vector<std::array<std::int64_t, 5>> circuits;
  std::map<std::int64_t, std::int64_t> ends;
  std::int64_t last = golden.problem.now.n;
  for (const Reservation& r : plan.list) {
    circuits.push_back({index(r.in), single_output(r.outs), r.start.n, r.up.n, r.end.n});
    std::int64_t& end = ends[index(golden.problem.flows.at(index(r.flow)).coflow)];
    end = std::max(end, r.end.n);
    last = std::max(last, end);
  }
  EXPECT_EQ(circuits, golden.circuits);
  EXPECT_EQ(last - golden.problem.now.n, golden.makespan);
  EXPECT_EQ(plan.bound.n, golden.bound);
  std::vector<std::array<std::int64_t, 2>> found;
  for (const auto& [coflow, end] : ends) found.push_back({coflow, end});
  EXPECT_EQ(found, golden.ends);
}

}  // namespace ocs::golden
