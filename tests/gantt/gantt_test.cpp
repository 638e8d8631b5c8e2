// Charts: what they say is what was planned and what a device did; how they are drawn is kept in golden files.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <fstream>
#include <tuple>

#include "testbed/experiment/plan.hpp"
#include "testbed/gantt/draw.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

Point point_of(const std::string& more) {
  return test::resolved(
             "policy = 'sunflow'\n[fabric]\ndevice = 'model'\nports = 5\ntuning = '1 us'\nlocking = '100 ns'\n" + more +
                 "\n[job]\nworkload = 'file:testbed/experiments/tiny.csv'\nworkers = 3\nservers = 2\niterations = 1\n"
                 "compute = '0 ns'\n",
             {})
      .points.at(0);
}

GanttChart planned(const Point& point) {
  const PlannedJob job = plan_job(point);
  GanttChart chart{.title = "planned", .cycle = point.fabric.cycle};
  for (const PlannedPhase* phase : {&job.push, &job.pull})
    add_plan(chart, phase->plan, control_times(point), point.fabric.ports);
  return chart;
}

std::pair<GanttChart, Row> executed(const Point& point) {
  ExecutedChart chart("executed", point.fabric.cycle);
  RunOptions options;
  options.on_event = [&](const Event& event) { chart.on(event); };
  options.on_carried = [&](const Carried& carried) { chart.on(carried); };
  Row row = run_point(point, options);
  return {std::move(chart).finish(), std::move(row)};
}

std::int64_t length(const GanttChart& chart, GanttKind kind) {
  std::int64_t sum = 0;
  for (const GanttBar& bar : chart.bars)
    if (bar.kind == kind) sum += (bar.to - bar.from).n;
  return sum;
}

/// Stretches of one kind in a row are one: an event log doesn't say where a data stretch of the plan ends.
std::vector<std::tuple<int, GanttKind, std::int64_t, std::int64_t>> stretches(const GanttChart& chart) {
  std::vector<std::tuple<int, GanttKind, std::int64_t, std::int64_t>> all;
  for (const GanttBar& bar : chart.bars)
    if (bar.kind != GanttKind::control) all.emplace_back(bar.out, bar.kind, bar.from.n, bar.to.n);
  std::sort(all.begin(), all.end());
  return all;
}

/// Two flows of 40 words and one that loses its first ten and its last five; 100 ns a cycle.
GanttChart small_chart() {
  GanttChart chart{.title = "a <small> one", .cycle = Picos{100'000}};
  const auto bar = [&](std::uint16_t out, std::uint16_t in, GanttKind kind, std::int64_t from, std::int64_t to) {
    chart.bars.push_back({out, in, kind, Cycles{from}, Cycles{to}});
  };
  bar(0, 11, GanttKind::control, 0, 20);
  bar(0, 11, GanttKind::tuning, 3, 15);
  bar(0, 11, GanttKind::locking, 15, 20);
  bar(0, 11, GanttKind::data, 20, 60);
  bar(12, 3, GanttKind::tuning, 0, 30);
  bar(12, 3, GanttKind::lost, 20, 30);
  bar(12, 3, GanttKind::data, 30, 55);
  bar(12, 3, GanttKind::lost, 55, 60);
  bar(7, 2, GanttKind::data, 99, 100);
  return chart;
}

std::string golden(const std::string& name, const std::string& now) {
  std::ifstream file(ocs::test::source_dir() + "/tests/goldens/gantt/" + name);
  std::ofstream(::testing::TempDir() + name) << now;  // to be looked at, and copied if it is right
  return {std::istreambuf_iterator<char>(file), {}};
}

TEST(Gantt, OfAPlanIsThatOfTheDeviceThatCarriesItOut) {
  for (const std::string more : {"", "\n[control]\nmode = 'timetable'\nguard = '20 ns'", "fibre = '50 ns'",
                                 "fibre = '50 ns'\n[nodes]\nextra_fibre = '0 ns, 300 ns, 70 ns'"}) {
    const Point point = point_of(more);
    const GanttChart plan = planned(point);
    const auto [device, row] = executed(point);
    EXPECT_EQ(stretches(plan), stretches(device)) << more;
    EXPECT_EQ(length(device, GanttKind::lost), 0);
    EXPECT_EQ(length(device, GanttKind::data), row.words_passed);
    EXPECT_EQ(length(device, GanttKind::tuning) + length(device, GanttKind::locking), row.dark_port_cycles);
  }
}

TEST(Gantt, MarksEveryWordThatIsLost) {
  const Point point = point_of(
      "\n[control]\nmode = 'timetable'\nguard = '20 ns'\n[nodes]\nclock_offset = '0 ns, 0 ns, 0 ns, 1 us, -400 ns'");
  const auto [device, row] = executed(point);
  EXPECT_GT(row.words_retransmitted, 1000);
  EXPECT_EQ(length(device, GanttKind::lost), row.words_retransmitted);
  EXPECT_EQ(length(device, GanttKind::data) + row.words_misrouted, row.words_passed);
}

TEST(Gantt, KeepsLeadFibreAndGuardApartFromTheDark) {
  const GanttChart chart = planned(point_of("fibre = '50 ns'\n[control]\nlead = '200 ns'"));
  std::int64_t wait = 0;
  for (const GanttBar& bar : chart.bars)
    if (bar.kind == GanttKind::control) wait += (bar.to - bar.from).n;
  const std::int64_t dark = length(chart, GanttKind::tuning) + length(chart, GanttKind::locking);
  EXPECT_EQ(wait - dark, 12 * (1 + 40 + 10)) << "12 circuits; a cycle, 200 ns and 50 ns";
}

TEST(Gantt, IsDrawnInLettersAsBefore) {
  const std::string text = gantt_text(small_chart(), {.width = 72, .colour = false});
  EXPECT_EQ(text, golden("small.txt", text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  const std::string plan = gantt_text(planned(point_of("")), {.width = 100, .colour = false});
  EXPECT_EQ(plan, golden("tiny.txt", plan));
}

TEST(Gantt, IsDrawnInColoursOnATerminal) {
  const std::string text = gantt_text(small_chart(), {.width = 60, .colour = true});
  EXPECT_EQ(text, golden("small_colour.txt", text));
  std::string plain;
  for (std::size_t k = 0; k < text.size(); ++k)
    if (text[k] == '\x1b')
      k = text.find('m', k);
    else
      plain += text[k];
  for (const char* word : {"!", "~~", "11#", "lost"}) EXPECT_NE(plain.find(word), std::string::npos) << word;
}

TEST(Gantt, FitsEveryWidth) {
  const GanttChart chart = planned(point_of(""));
  for (const int width : {1, 40, 41, 79, 80, 133, 400}) {
    const std::string text = gantt_text(chart, {.width = width, .colour = false});
    const std::size_t rows = text.find("\n  ~ tuning");  // the legend has a width of its own
    std::size_t longest = 0;
    for (std::size_t at = 0; at < rows;) {
      const std::size_t end = text.find('\n', at);
      longest = std::max(longest, end - at);
      at = end + 1;
    }
    EXPECT_LE(longest, static_cast<std::size_t>(std::max(40, width)));
    if (width >= 40) {
      EXPECT_GE(longest, static_cast<std::size_t>(width) - 2) << "all of it is used";
    }
  }
}

TEST(Gantt, IsDrawnAsSvgAsBefore) {
  const GanttChart charts[] = {small_chart(), planned(point_of(""))};
  const std::string svg = gantt_svg(charts);
  EXPECT_EQ(svg, golden("charts.svg", svg));
  for (const char* part : {"time, us", ">out 12<", "lost words", "a &lt;small> one", "input 3 to output 12: lost"})
    EXPECT_NE(svg.find(part), std::string::npos) << part;
}

TEST(Gantt, OfNothingIsDrawnToo) {
  const GanttChart nothing{.title = "nothing", .cycle = Picos{5120}};
  EXPECT_EQ(gantt_text(nothing, {}).substr(0, 8), "nothing\n");
  EXPECT_NE(gantt_svg({&nothing, 1}).find("nothing"), std::string::npos);
}

TEST(Gantt, AxisHasRoundTicks) {
  const auto step = [](std::int64_t ps, int most) {
    const AxisTicks ticks = axis_ticks(Picos{ps}, most);
    return ticks.text(ticks.step) + " " + ticks.unit;
  };
  EXPECT_EQ(step(12'000'000, 10), "2 us");
  EXPECT_EQ(step(1'000'000, 10), "0.1 us");
  EXPECT_EQ(step(500'000, 10), "50 ns");
  EXPECT_EQ(step(3'100'000'000, 8), "0.5 ms");
  EXPECT_EQ(step(1'000'000'000'000, 4), "0.5 s");
  EXPECT_EQ(step(0, 4), "1 ps");
}

}  // namespace
}  // namespace ocs
