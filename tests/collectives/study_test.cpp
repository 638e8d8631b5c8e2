// The study of docs/when-to-reconfigure.md: every cell takes the cycles of its plan.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/workloads/workload.hpp"
#include "tests/common/places.hpp"
#include "tests/schemes/support.hpp"

namespace ocs::test {
namespace {

/// @param one of how many cells is run
void check_study(const char* name, std::size_t one) {
  const std::filesystem::path folder = std::filesystem::path(source_dir()) / "testbed/experiments/collectives";
  Names names = all_schemes();
  names.load_workload = [&](std::string_view workload) { return load_workload(workload, {}, folder); };
  const Experiment study = load_experiment(folder / name, {}, names);
  ASSERT_GE(study.points.size(), 1000u);
  for (std::size_t k = 0; k < study.points.size(); k += one) {
    const Point& point = study.points[k];
    const LegSequence sequence = leg_sequence(point, collective_of(point).legs);
    const auto plan = find(reconfiguration_policies(), point.job.reconfigure, "policy").plan(sequence);
    ASSERT_TRUE(plan);
    const Row row = run_point(point, {});
    EXPECT_EQ(row.sim_time.n, plan->cost.cycles * point.fabric.cycle.n)
        << row.collective << ", " << row.workers << " ranks, " << row.workload << ", tuning " << row.tuning.n;
    EXPECT_EQ(row.words_lost + row.words_misrouted, 0);
  }
}

TEST(ReconfigurationStudy, ACellInNinetySevenTakesItsPlan) {
  check_study("when_all_to_all.toml", 97);
  check_study("when_all_reduce.toml", 97);
}

TEST(ReconfigurationStudyAtNight, EveryCellTakesItsPlan) {
  check_study("when_all_to_all.toml", 1);
  check_study("when_all_reduce.toml", 1);
}

}  // namespace
}  // namespace ocs::test
