// In the rows of all guarded runs, a column has a value exactly where the list of columns says that it has one.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>
#include <span>
#include <string>
#include <variant>

#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "tests/engine/guarded_runs.hpp"

namespace ocs::test {
namespace {

void add(RunFeatures& features, RunFeature one, bool has) {
  if (has) features |= feature_set(one);
}

/// What a job says of itself, whatever the network.
RunFeatures features_of(const JobSettings& job) {
  RunFeatures features = 0;
  add(features, RunFeature::phases, kind_of(job) == JobKind::servers && !is_eager(job) && job.duration.n == 0);
  add(features, by_keys(job) ? RunFeature::owned_keys : RunFeature::placed, true);
  add(features, RunFeature::real_gradients, job.real_gradients);
  return features;
}

/// On the model, which is exact in all cycles.
RunFeatures features_of(const Point& point) {
  RunFeatures features = features_of(point.job);
  add(features, RunFeature::circuits, !point.packets);
  add(features, RunFeature::exact_switch, !point.packets);
  add(features, RunFeature::one_plane, point.fabric.planes == 1);
  add(features, RunFeature::fixed_rates, point.nodes.rate_trace.empty());
  add(features, RunFeature::charged, point.planning.charge != PlanningSettings::Charge::none);
  add(features, RunFeature::serial, point.fabric.program_cycles.n > 0);
  add(features, RunFeature::unsteady, point.fabric.is_unsteady());
  add(features, RunFeature::timetable, point.control.mode == "timetable");
  add(features, RunFeature::drift, point.nodes.clock_drift_ppm > 0);
  add(features, RunFeature::far, point.nodes.farther());
  add(features, RunFeature::neighbours, point.fabric.neighbour_times != NeighbourTimes{});
  add(features, RunFeature::light, point.fabric.light_levels.has_value());
  add(features, point.whole_jobs ? RunFeature::whole_jobs : RunFeature::coflows, point.arrivals());
  return features;
}

/// How many rows have a value in a column, and how many have none.
struct Seen {
  int with = 0, without = 0;
};
using SeenColumns = std::map<std::string, Seen, std::less<>>;

bool has_listed_type(const Value& value, ColumnType type) {
  switch (type) {
    case ColumnType::whole:
      return std::holds_alternative<std::int64_t>(value);
    case ColumnType::real:
      return std::holds_alternative<double>(value);
    case ColumnType::text:
      break;
  }
  return std::holds_alternative<std::string>(value);
}

template <class Measured>
void expect_as_listed(std::span<const ColumnOf<Measured>> columns, const Measured& measured, JobKind kind,
                      RunFeatures features, SeenColumns& seen) {
  for (const ColumnOf<Measured>& column : columns) {
    const Presence& presence = column.value.presence;
    const Value value = column.value(measured);
    const bool there = !std::holds_alternative<std::monostate>(value), listed = presence.in(kind, features);
    EXPECT_TRUE(there == listed || (listed && presence.or_null))
        << column.name << " is listed for " << presence_text(presence) << ", and " << (there ? "has a" : "has no")
        << " value in a row of " << name_of(kind);
    EXPECT_TRUE(!there || has_listed_type(value, column.type)) << column.name;
    Seen& one = seen[std::string(column.name)];
    ++(there ? one.with : one.without);
  }
}

class ColumnsOfRuns : public testing::Test {
 protected:
  void run_all() {
    for (const GuardedRun& run : guarded_runs()) {
      SCOPED_TRACE(run.name);
      for (const Point& point : points_of(run, "model")) {
        const Row row = run_point(point, {});
        expect_as_listed(row_columns(), row, kind_of(point), features_of(point), of_rows);
        expect_jobs(point, row);
      }
    }
  }

  void expect_jobs(const Point& point, const Row& row) {
    ASSERT_EQ(row.jobs.size(), point.jobs.size());
    const RunFeatures common = features_of(point) & feature_set(RunFeature::whole_jobs, RunFeature::coflows);
    for (std::size_t k = 0; k < row.jobs.size(); ++k) {
      const JobSettings& job = point.jobs[k].job;
      expect_as_listed(job_columns(), row.jobs[k], kind_of(job), features_of(job) | common, of_jobs);
    }
  }

  SeenColumns of_rows, of_jobs;
};

/// Each column was tried: where it has a value, and, unless it has one everywhere, where it has none.
template <class Measured>
void expect_seen(std::span<const ColumnOf<Measured>> columns, const SeenColumns& seen) {
  constexpr RunFeatures not_here =
      feature_set(RunFeature::wall_clock, RunFeature::failure);  // no run has such a switch, and none fails
  for (const ColumnOf<Measured>& column : columns) {
    const Presence& presence = column.value.presence;
    const Seen& one = seen.find(column.name)->second;
    const bool only_compared = column.name == "pst_over_psscheduler";  // with rows that ran before it
    EXPECT_TRUE(one.with > 0 || (presence.features & not_here) != 0 || only_compared)
        << column.name << " has no value in any run";
    EXPECT_TRUE(one.without > 0 || presence.everywhere() || presence.or_null)
        << column.name << " has a value in every run";
  }
}

TEST_F(ColumnsOfRuns, HaveValuesWhereTheListSaysSo) {
  run_all();
  expect_seen(row_columns(), of_rows);
  expect_seen(job_columns(), of_jobs);
}

}  // namespace
}  // namespace ocs::test
