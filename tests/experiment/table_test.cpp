// The printed table: what was swept, what can be compared, and how wide it is.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/print/table.hpp"

#include <gmock/gmock.h>

#include <set>
#include <sstream>

#include "testbed/experiment/shown_settings.hpp"
#include "testbed/results/print/estimate.hpp"
#include "testbed/results/text/columns.hpp"
#include "testbed/results/text/time_left.hpp"
#include "tests/experiment/results_support.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr std::int64_t ms = 1'000'000'000;

std::vector<std::string> lines_of(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);) lines.push_back(line);
  return lines;
}

std::vector<std::string> printed(const std::vector<Row>& rows, const TableOptions& options = {}) {
  std::ostringstream out;
  print_table(out, rows, options);
  return lines_of(out.str());
}

/// The words of a line.
std::vector<std::string> cells_of(const std::string& line) {
  std::vector<std::string> cells;
  std::string text = line + "  ";
  for (std::size_t at = 0, end = 0; (end = text.find("  ", at)) != std::string::npos; at = end + 2)
    if (end > at) cells.push_back(text.substr(at, end - at).substr(text[at] == ' ' ? 1 : 0));
  return cells;
}

Row with(Row row, std::vector<ShownSetting> settings) {
  row.settings = std::move(settings);
  return row;
}

Row iterated(const std::string& policy, std::int64_t pst, std::int64_t iteration, std::vector<ShownSetting> settings) {
  Row one = with(row(policy, pst), std::move(settings));
  one.know_iteration({iteration * ms});
  return one;
}

TEST(Table, PutsWhatIsSharedAboveAndEveryAxisInAColumn) {
  const ShownSetting workers{.key = "job.workers", .value = "12"}, tuning{.key = "fabric.tuning", .value = "10 us"};
  std::vector<Row> rows;
  for (const char* rate : {"equal", "drawn"})
    rows.push_back(iterated("hlf", 150, 200, {tuning, workers, {.key = "nodes.rates", .value = rate, .axis = true}}));
  const std::vector<std::string> lines = printed(rows);
  EXPECT_EQ(lines[0], "n: policy hlf, tuning 10 us, workers 12");
  EXPECT_THAT(cells_of(lines[2]), ElementsAre("nodes.rates", "iteration", "PST mean", "x bound"));
  EXPECT_THAT(cells_of(lines[3]), ElementsAre("equal", "200.0 ms", "150.0 ms", "1.500"));
  EXPECT_THAT(cells_of(lines[4]), ElementsAre("drawn", "200.0 ms", "150.0 ms", "1.500"));
}

TEST(Table, TellsTheRowsOfEveryAxisApart) {
  for (const Key& key : experiment_keys()) {
    if (!key.axis || key.name == "policy" || key.name == "seed") continue;
    Experiment experiment;
    Setting& setting =
        experiment.settings.emplace_back(Setting{.key = std::string(key.name), .items = {}, .origin = {}});
    for (const char* value : {"first", "another value that is so long that the table has a number in its place"})
      setting.items.push_back({std::string(value), ""});
    experiment.rows = RowChoice(experiment.settings, {}, [](auto&&...) { return false; });
    experiment.points.resize(2);
    std::vector<Row> rows = {row("hlf", 1), row("hlf", 1)};
    for (std::size_t k = 0; k < rows.size(); ++k) rows[k].settings = shown_settings(experiment, k);
    const std::vector<std::string> lines = printed(rows);
    const std::string last = std::string(key.name.substr(key.name.rfind('.') + 1));
    EXPECT_THAT(lines[1], HasSubstr("#1 \"first\"")) << key.name;
    ASSERT_GT(lines.size(), 6u) << key.name;
    EXPECT_THAT(lines[0] + lines[1] + lines[2] + lines[3] + lines[4], HasSubstr(last == "mode" ? "control" : last));
    std::set<std::string> firsts;
    for (const std::string& line : lines) firsts.insert(line.substr(0, 3));
    EXPECT_TRUE(firsts.contains("#1 ") && firsts.contains("#2 ")) << key.name;
  }
}

TEST(Table, HasTheIterationTimeForRowsOfEveryKindAndThePstBesideIt) {
  const auto kind = [](const char* name) { return std::vector<ShownSetting>{{"job.sync", name, true}}; };
  Row eager = iterated("hlf", 0, 20, kind("asp")), came = with(row("hlf", 0), kind("jobs"));
  eager.eager = true;
  came.arrivals.emplace();
  came.arrivals->iteration_mean = {40 * ms};
  came.arrivals->cct_mean = {15 * ms};
  const std::vector<std::string> lines = printed({iterated("hlf", 10, 30, kind("bsp_phase")), eager, came});
  EXPECT_THAT(cells_of(lines[2]), ElementsAre("sync", "iteration", "PST mean", "x bound", "CCT mean"));
  EXPECT_THAT(cells_of(lines[3]), ElementsAre("bsp_phase", "30.00 ms", "10.00 ms", "0.100", "-"));
  EXPECT_THAT(cells_of(lines[4]), ElementsAre("asp", "20.00 ms", "-", "-", "-"));
  EXPECT_THAT(cells_of(lines[5]), ElementsAre("jobs", "40.00 ms", "-", "-", "15.00 ms"));
}

/// 300 outputs are dark for a cycle of 5 ns.
TEST(Table, HasTheSetUpsOfServersBesideThoseOfACollective) {
  const auto kind = [](const char* name) { return std::vector<ShownSetting>{{"job.collective", name, true}}; };
  Row servers = iterated("hlf", 10, 30, kind("none")), collective = iterated("hlf", 0, 20, kind("all_reduce"));
  Row packets = iterated("hlf", 0, 15, kind("all_to_all"));
  collective.eager = packets.eager = true;
  collective.collective = "all_reduce/ring", packets.collective = "all_to_all/direct";
  packets.network = "packet";
  for (Row* one : {&servers, &collective, &packets}) one->cycle = Picos{5000}, one->dark_port_cycles = 300;
  servers.reconfigurations = 1234, collective.reconfigurations = 8, packets.reconfigurations = 7;
  const std::vector<std::string> lines = printed({servers, collective, packets});
  EXPECT_THAT(cells_of(lines[2]),
              ElementsAre("collective", "iteration", "circuits", "dark time", "PST mean", "x bound"));
  EXPECT_THAT(cells_of(lines[3]), ElementsAre("none", "30.00 ms", "1,234", "1.500 us", "10.00 ms", "0.100"));
  EXPECT_THAT(cells_of(lines[4]), ElementsAre("all_reduce", "20.00 ms", "8", "1.500 us", "-", "-"));
  EXPECT_THAT(cells_of(lines[5]), ElementsAre("all_to_all", "15.00 ms", "-", "-", "-", "-"));
  EXPECT_THAT(cells_of(printed({servers})[2]), Not(::testing::Contains("circuits"))) << "they stand below";
}

TEST(Table, ShowsWhatWasLearned) {
  Row good = row("hlf", 10), bad = row("sunflow", 10);
  good.learning.emplace().accuracy = 0.8712;
  good.learning->loss = 0.5;
  good.learning->to_target = {7 * ms};
  bad.learning.emplace().accuracy = 0.2;
  bad.learning->loss = 2.25;
  const std::vector<std::string> lines = printed({good, bad});
  EXPECT_THAT(cells_of(lines[2]), ElementsAre("policy", "PST mean", "x bound", "accuracy", "loss", "to target"));
  EXPECT_THAT(cells_of(lines[3]), ElementsAre("hlf", "10.00 ms", "0.100", "87.1 %", "0.500", "7.000 ms"));
  EXPECT_THAT(cells_of(lines[4]), ElementsAre("sunflow", "10.00 ms", "0.100", "20.0 %", "2.250", "not reached"));
  EXPECT_THAT(cells_of(printed({bad})[3]),
              ElementsAre("sunflow", "10.00 ms", "0.100", "20.0 %", "2.250", "not reached"));
}

TEST(Table, GivesMeanIntervalAndCountOfSeveralSeeds) {
  std::vector<Row> rows;
  for (const char* policy : {"hlf", "sunflow"})
    for (const int seed : {1, 2, 3})
      rows.push_back(iterated(policy, 10 * seed, policy[0] == 'h' ? seed : 4,
                              {{.key = "seed", .value = std::to_string(seed), .axis = true}}));
  rows.pop_back();
  const std::vector<std::string> lines = printed(rows, {.baseline = Baseline{"policy", "sunflow"}});
  EXPECT_THAT(cells_of(lines[2]), ElementsAre("policy", "n", "iteration", "+- 95 %", "x sunflow", "PST mean", "+- 95 %",
                                              "x sunflow", "x bound"));
  // Student's t with two degrees of freedom is 4.3027: 4.3027 * 1 ms / sqrt(3); with one 12.706:
  // 12.706 * 7.071 / sqrt(2)
  EXPECT_THAT(cells_of(lines[3]),
              ElementsAre("hlf", "3", "2.000 ms", "2.484 ms", "0.500", "20.00 ms", "24.84 ms", "1.333", "0.200"));
  EXPECT_THAT(cells_of(lines[4]),
              ElementsAre("sunflow", "2", "4.000 ms", "0 s", "1.000", "15.00 ms", "63.53 ms", "1.000", "0.150"));
  EXPECT_THAT(cells_of(lines[6])[1], "seed");  // the details are of single rows
}

TEST(Table, CountsTheSeedsThatReachedTheTarget) {
  std::vector<Row> rows(3, row("hlf", 10));
  for (std::size_t k = 0; k < rows.size(); ++k) {
    rows[k].settings = {{.key = "seed", .value = std::to_string(k), .axis = true}};
    rows[k].learning.emplace();
    if (k > 0) rows[k].learning->to_target = Picos{static_cast<std::int64_t>(k) * ms};
  }
  const std::vector<std::string> lines = printed(rows, {.width = 200});
  EXPECT_THAT(lines[3], HasSubstr("1.500 ms (2)"));
}

TEST(Table, ComparesWithTheBaselineUnderEqualConditions) {
  const auto place = [](const char* tuning, const char* sync) {
    return std::vector<ShownSetting>{{"fabric.tuning", tuning, true}, {"job.sync", sync, true}};
  };
  const std::vector<Row> rows = {
      iterated("hlf", 10, 30, place("1 us", "bsp")), iterated("hlf", 10, 15, place("1 us", "asp")),
      iterated("hlf", 10, 90, place("2 us", "bsp")), iterated("hlf", 10, 60, place("3 us", "bsp"))};
  const std::vector<Row> earlier = {iterated("hlf", 5, 45, place("2 us", "asp"))};
  const std::vector<std::string> lines = printed(rows, {.baseline = Baseline{"job.sync", "asp"}, .earlier = earlier});
  EXPECT_THAT(cells_of(lines[2])[3], "x asp");
  for (const auto& [line, ratio] : {std::pair{3, "2.000"}, {4, "1.000"}, {5, "2.000"}, {6, "-"}})
    EXPECT_THAT(cells_of(lines[static_cast<std::size_t>(line)])[3], ratio) << line;
}

TEST(Table, FitsTheWindow) {
  std::vector<Row> rows;
  for (const char* value : {"a value of twenty ch", "short"})
    rows.push_back(
        iterated("psscheduler_dedicated", 10, 30, {{"fabric.tuning", value, true}, {"job.sync", value, true}}));
  rows.push_back(rows.back());
  rows.back().policy = "hlf";
  for (const int width : {80, 100, 140})
    for (const std::string& line : printed(rows, {.width = width, .baseline = Baseline{"policy", "hlf"}}))
      EXPECT_LE(line.size(), static_cast<std::size_t>(width)) << line;
}

TEST(Table, LeavesNoSingleColumnBehind) {
  const TextColumn left{"left", {"1234567890"}};
  const std::vector<TextColumn> right(9, TextColumn{"x", {"12345678"}});
  std::ostringstream out;
  print_columns(out, {&left, 1}, right, 12 + 8 * 10);
  const std::vector<std::string> lines = lines_of(out.str());
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(cells_of(lines[1]).size(), 1u + 5);
  EXPECT_EQ(cells_of(lines[4]).size(), 1u + 4);
}

Experiment experiment_of(const std::vector<std::string>& more) {
  Names names = few_names();
  names.policies.insert(names.policies.end(), {"sunflow_fifo", "multicast"});
  names.sync.emplace_back("ssp");
  std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
  for (const std::string& each : more) later.push_back(read_override(each));
  apply_overrides(settings, later);
  return resolve(settings, names, "x.toml");
}

TEST(ShownSettings, AreThoseThatMatterForTheRow) {
  const auto keys = [](const std::vector<std::string>& more) {
    std::string text;
    for (const ShownSetting& setting : shown_settings(experiment_of(more), 0))
      text += setting.key + "=" + setting.value + " ";
    return text;
  };
  EXPECT_THAT(keys({}), HasSubstr("job.servers=4 "));
  for (const char* serverless : {"job.collective=all_reduce", "job.peers=mesh"})
    EXPECT_THAT(keys({serverless, "policy=multicast", "job.payload=none", "job.workers=4"}),
                testing::AllOf(Not(HasSubstr("job.servers=")), Not(HasSubstr("job.sync=")), HasSubstr(serverless)));
  EXPECT_THAT(keys({"sync.s=3"}), Not(HasSubstr("sync.s=")));
  EXPECT_THAT(keys({"job.sync=ssp", "policy=sunflow_fifo", "sync.s=3"}), HasSubstr("sync.s=3 "));
  EXPECT_THAT(keys({"fabric.switch=mordia", "fabric.ports=24"}),
              testing::AllOf(HasSubstr("fabric.switch=mordia "), Not(HasSubstr("fabric.tuning="))));
}

TEST(ShownSettings, NameTheSchedulerThatRan) {
  const Experiment experiment = experiment_of({"scheduler=[\"\", \"sunflow_inter\"]", "policy=hlf"});
  const auto scheduler = [&](std::size_t row) {
    for (const ShownSetting& setting : shown_settings(experiment, row))
      if (setting.key == "scheduler") return setting.value;
    return std::string();
  };
  EXPECT_EQ(scheduler(0), "hlf");
  EXPECT_EQ(scheduler(1), "sunflow_inter");
}

/// The first cells of the two lines below the heading that has these words.
std::vector<std::vector<std::string>> cells_below(const std::vector<Row>& rows, const std::string& heading,
                                                  std::size_t most) {
  const std::vector<std::string> lines = printed(rows, {.width = 400});
  std::vector<std::vector<std::string>> found(2);
  for (std::size_t k = 0; k + 2 < lines.size(); ++k)
    if (lines[k].find(heading) != std::string::npos) found = {cells_of(lines[k + 1]), cells_of(lines[k + 2])};
  for (std::vector<std::string>& cells : found) cells.resize(std::min(most, cells.size()));
  return found;
}

TEST(Table, ShowsADashWhereThereIsNoSample) {
  Row none = with(row("hlf", 10), {}), some = with(row("sunflow", 10), {});
  for (Row* one : {&none, &some}) {
    one->eager = true;
    one->schemes.emplace();
    one->schemes->steps = 1;
  }
  some.schemes->intervals = some.schemes->waits = some.schemes->updates = 1;
  some.schemes->iteration_p99 = {2 * ms};
  const auto schemes = cells_below({none, some}, "iteration 99 %", 8);
  EXPECT_THAT(schemes[0], ElementsAre("hlf", "-", "-", "-", "0", "0", "-", "-"));
  EXPECT_THAT(schemes[1], ElementsAre("sunflow", "2.000 ms", "0 s", "0 s", "1", "0", "0.000", "0"))
      << "nobody waited, which was measured";
  for (Row* one : {&none, &some}) one->arrivals.emplace();
  some.arrivals->coflows = 1;
  some.arrivals->slowdown_mean = 1;
  const auto coflows = cells_below({none, some}, "CCT 95 %", 5);
  EXPECT_THAT(coflows[0], ElementsAre("hlf", "-", "-", "0 s", "-"));
  EXPECT_THAT(coflows[1], ElementsAre("sunflow", "0 s", "0 s", "0 s", "1.000"));
}

TEST(Row, HasAnIterationTimeOfEveryKind) {
  Row one = row("hlf", 10);
  EXPECT_EQ(one.iteration(), std::nullopt);
  one.schemes.emplace();
  EXPECT_EQ(one.iteration(), std::nullopt);
  one.schemes->steps = 3;
  one.sim_time = {70};
  EXPECT_EQ(one.iteration(), Picos{70});  // each worker pushed once
  one.schemes->iteration_mean = {50};
  EXPECT_EQ(one.iteration(), Picos{50});
  one.arrivals.emplace();
  one.arrivals->iteration_mean = {5};
  EXPECT_EQ(one.iteration(), Picos{5});
}

TEST(EstimateOf, NeedsTwoValuesForAnInterval) {
  EXPECT_EQ(estimate_of({}).n, 0);
  const double one = 3;
  EXPECT_EQ(estimate_of({&one, 1}).mean, 3);
  EXPECT_FALSE(estimate_of({&one, 1}).half_width.has_value());
}

TEST(TimeLeft, IsExtrapolatedFromWhatIsDone) {
  EXPECT_EQ(time_left_text(1, 4, 10), "about 30 s left");
  EXPECT_EQ(time_left_text(0.5, 4, 60), "about 7 min left");
  EXPECT_EQ(time_left_text(10, 100, 3600), "about 9 h 0 min left");
  EXPECT_EQ(time_left_text(3.999, 4, 10), "about 1 s left");
  EXPECT_EQ(time_left_text(2, 4, 0.5), "");  // too early to say
  EXPECT_EQ(time_left_text(0, 4, 100), "");  // nothing is known
  EXPECT_EQ(time_left_text(4, 4, 100), "");  // nothing is left
}

}  // namespace
}  // namespace ocs::test
