// Charts of stored rows: from a run that is watched, from a log alone, several on one time axis.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/gantt/chart_watch.hpp"

#include <algorithm>
#include <set>

#include "testbed/gantt/draw.hpp"
#include "testbed/run/run.hpp"
#include "tests/timeline/small_point.hpp"

namespace ocs {
namespace {

struct Watched {
  Row row;
  std::vector<Event> log;
  ChartWatch watch;
};

Watched watched(const std::string& fabric, const std::string& head = "") {
  Watched result;
  RunOptions options;
  options.on_event = [&](const Event& event) { result.log.push_back(event); };
  options.watch = &result.watch;
  result.row = run_point(test::small_point(fabric, test::placed_servers, head), options);
  return result;
}

std::int64_t length(std::span<const GanttChart> charts, GanttKind kind) {
  std::int64_t sum = 0;
  for (const GanttChart& chart : charts)
    for (const GanttBar& bar : chart.bars)
      if (bar.kind == kind) sum += (bar.to - bar.from).n;
  return sum;
}

std::multiset<std::tuple<int, int, GanttKind, std::int64_t, std::int64_t>> bars_of(const GanttChart& chart) {
  std::multiset<std::tuple<int, int, GanttKind, std::int64_t, std::int64_t>> bars;
  for (const GanttBar& bar : chart.bars) bars.emplace(bar.out, bar.in, bar.kind, bar.from.n, bar.to.n);
  return bars;
}

TEST(ChartWatch, DrawsAllWordsOfEachPlane) {
  const Watched run = watched("planes = 2\n");
  const std::vector<GanttChart> charts = run.watch.finish("row 1");
  ASSERT_EQ(charts.size(), 2U);
  EXPECT_EQ(charts[1].title, "row 1, plane 1");
  EXPECT_EQ(length(charts, GanttKind::data), run.row.words_passed);
  EXPECT_EQ(length(charts, GanttKind::lost), 0);
  EXPECT_EQ(length(charts, GanttKind::tuning), run.row.port_tuning.n);
}

TEST(ChartWatch, OfALogAloneIsTheSame) {
  const Watched run = watched("");
  const std::vector<GanttChart> charts = charts_of_log(run.log, run.row.cycle, "row 1");
  ASSERT_EQ(charts.size(), 1U);
  EXPECT_EQ(bars_of(charts[0]), bars_of(run.watch.finish("row 1")[0]));
}

TEST(ChartWatch, PutsChartsOnOneAxis) {
  const Watched run = watched("");
  std::vector<GanttChart> charts = run.watch.finish("first");
  charts.push_back({.title = "empty", .cycle = Picos{1000}});
  const std::int64_t all = length(charts, GanttKind::data);
  const Picos begin = to_picos(charts[0].begin(), charts[0].cycle), end = to_picos(charts[0].end(), charts[0].cycle);
  align(charts, {}, {});
  EXPECT_EQ(to_picos(charts[0].begin(), charts[0].cycle), begin);
  EXPECT_EQ(charts[1].end(), Cycles{divide_up(end.n, 1000)});
  EXPECT_EQ(length(charts, GanttKind::data), all);
  align(charts, Picos{3'000'000}, Picos{4'000'000});
  EXPECT_LT(length(charts, GanttKind::data), all);
  for (const GanttBar& bar : charts[0].bars) {
    EXPECT_GE(bar.from, charts[0].begin());
    EXPECT_LE(bar.to, charts[0].end());
  }
}

TEST(ChartWatch, RefusesAWindowOutsideOfTheRun) {
  std::vector<GanttChart> charts = watched("").watch.finish("first");
  EXPECT_EQ(test::refusal([&] { align(charts, Picos{1'000'000'000'000}, {}); }).substr(0, 76),
            "--from is 1.000 s, but must be before the end of the last row, at 68.67 us");
  EXPECT_EQ(test::refusal([&] { align(charts, Picos{2'000'000}, Picos{1'000'000}); }),
            "--to is 1.000 us, but must be after --from, which is 2.000 us");
}

}  // namespace
}  // namespace ocs
