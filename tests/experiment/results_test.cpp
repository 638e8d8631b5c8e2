// Result rows: the fields that stay, JSON that is whole after every row, the printed table.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "testbed/results/files/json.hpp"
#include "testbed/results/rows/failed_row.hpp"
#include "testbed/results/text/human.hpp"
#include "tests/experiment/results_support.hpp"
#include "tests/experiment/support.hpp"

namespace ocs::test {
namespace {

TEST(Row, HasThePromisedFieldsInTheirOrder) {
  const std::vector<std::string> promised = {"policy",
                                             "scheduler",
                                             "placer",
                                             "device",
                                             "seed",
                                             "workload",
                                             "workers",
                                             "servers",
                                             "delta_ps",
                                             "rate_bps",
                                             "iterations",
                                             "payload",
                                             "pst_mean_ps",
                                             "pst_min_ps",
                                             "pst_max_ps",
                                             "bound_ps",
                                             "reconfigurations",
                                             "dark_port_cycles",
                                             "words_passed",
                                             "words_lost",
                                             "words_unrouted",
                                             "crc_errors",
                                             "cycles",
                                             "sim_time_ps",
                                             "sync_time_ps",
                                             "wall_time_s",
                                             "realtime_ratio",
                                             "edges",
                                             "events",
                                             "event_log_hash",
                                             "version"};
  const auto fields = to_fields(row("hlf", 1));
  ASSERT_GE(fields.size(), promised.size());
  for (std::size_t k = 0; k < promised.size(); ++k) EXPECT_EQ(fields[k].first, promised[k]);
}

/// The unit that the end of a column's name says; none: it says nothing.
std::optional<std::string_view> unit_in_name(std::string_view name) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 5> endings{
      {{"_ps", "ps"}, {"_bytes", "B"}, {"_bps", "bit/s"}, {"_s", "s"}, {"_cycles", "cycles"}}};
  for (const auto& [ending, unit] : endings)
    if (name.ends_with(ending)) return unit;
  return std::nullopt;
}

TEST(Row, HasColumnsWithTheUnitsThatTheirNamesSay) {
  std::set<std::string_view> names;
  const auto look_at = [&](const auto& column) {
    EXPECT_TRUE(names.insert(column.name).second) << column.name << " is there twice";
    EXPECT_EQ(unit_in_name(column.name).value_or(column.unit), column.unit) << column.name;
    EXPECT_FALSE(column.meaning.empty()) << column.name;
  };
  for (const Column& column : row_columns()) look_at(column);
  names.clear();
  for (const JobColumn& column : job_columns()) look_at(column);
}

TEST(Row, HasColumnsThatWereRequestedWhenItFailed) {
  Row failed = row("hlf", 1);
  failed.error = "no light";
  failed.programming = SerialProgramming{};
  failed.mirrors = UnsteadyMirrors{};
  failed.clocks = DriftingClocks{};
  failed.extra_fibre = "1 us";
  failed.neighbours = "disturb at 1 for 2 us";
  failed.light = "-3 dBm";
  const auto fields = failed_fields(failed);
  ASSERT_EQ(fields.size(), row_columns().size());
  for (std::size_t k = 0; k < fields.size(); ++k) {
    const Column& column = row_columns()[k];
    const bool listed = column.value.presence.in(JobKind::servers, ~RunFeatures{0});
    EXPECT_EQ(!std::holds_alternative<std::monostate>(fields[k].second), listed) << column.name;
  }
}

TEST(Row, SaysInWordsWhichRowsHaveAColumn) {
  const auto words = [](std::string_view name) {
    return presence_text(std::ranges::find(row_columns(), name, &Column::name)->value.presence);
  };
  EXPECT_EQ(words("policy"), "all kinds");
  EXPECT_EQ(words("makespan_ps"), "trace, jobs");
  EXPECT_EQ(words("iteration_ps"), "all kinds; or null");
  EXPECT_EQ(words("event_log_hash"), "all kinds: over circuits, on a cycle-exact switch");
  EXPECT_EQ(words("time_to_accuracy_ps"), "servers, collective, peers: with real gradients; or null");
}

TEST(Row, DerivesRatiosFromWhatWasMeasured) {
  Row one = row("hlf", 150);
  one.dark_port_cycles = 16 * 1000;
  one.sync_time = {4 * 1000 * 5120};
  EXPECT_DOUBLE_EQ(one.pst_over_bound(), 1.5);
  EXPECT_DOUBLE_EQ(one.dark_share(), 0.25);
  one.planes = 2;  // twice as many ports
  EXPECT_DOUBLE_EQ(one.dark_share(), 0.125);
  one.colocated = true;  // on 12 nodes
  EXPECT_DOUBLE_EQ(one.dark_share(), 0.5 / 3);
  one.arrivals.emplace();
  one.ports = 32;
  EXPECT_DOUBLE_EQ(one.dark_share(), 0.0625);
  EXPECT_DOUBLE_EQ(row("hlf", 250).realtime_ratio(), 1.0);
  EXPECT_EQ(Row{}.pst_over_bound(), 0);
}

TEST(Row, ComparesWithPsschedulerUnderEqualConditions) {
  const std::vector<Row> earlier = {row("psscheduler", 100)};
  Row same = row("hlf", 120), other = row("hlf", 120), itself = row("psscheduler", 100);
  other.seed = 2;
  compare_with_psscheduler(same, earlier);
  compare_with_psscheduler(other, earlier);
  compare_with_psscheduler(itself, {});
  EXPECT_DOUBLE_EQ(same.pst_over_psscheduler.value(), 1.2);
  EXPECT_FALSE(other.pst_over_psscheduler.has_value());
  EXPECT_DOUBLE_EQ(itself.pst_over_psscheduler.value(), 1.0);
}

TEST_F(Results, JsonIsWholeAfterEveryRow) {
  JsonSink sink(path("a.json"), record(), stdout);
  for (int rows = 0; rows < 3; ++rows) {
    const auto json = nlohmann::json::parse(read(path("a.json")));
    EXPECT_EQ(json["schema_version"], 1);
    EXPECT_EQ(json["experiment"]["keys"]["policy"], (nlohmann::json{"sunflow", "hlf"}));
    EXPECT_EQ(json["experiment"]["keys"]["fabric.time_warp"], true);
    ASSERT_EQ(json["rows"].size(), static_cast<std::size_t>(rows));
    if (rows > 0) {
      EXPECT_EQ(json["rows"][0]["pst_mean_ps"], 7'000'000'000);
      EXPECT_EQ(json["rows"][0]["event_log_hash"], "0000000000000abc");
      EXPECT_TRUE(json["rows"][0]["pst_over_psscheduler"].is_null());
      EXPECT_DOUBLE_EQ(json["rows"][0]["wall_time_s"], 0.5);
    }
    sink.row(to_fields(row("hlf", 7)));
  }
  sink.finish();
  EXPECT_EQ(nlohmann::json::parse(read(path("a.json")))["rows"].size(), 3u);
}

TEST_F(Results, JsonKeepsWhatTheFileHeld) {
  for (const char* text : {"precious", "also precious"}) {
    std::ofstream(path("a.json")) << text;
    JsonSink(path("a.json"), record(), stdout).finish();
  }
  EXPECT_EQ(read(path("a.json.1")), "precious");
  EXPECT_EQ(read(path("a.json.2")), "also precious");
  std::ofstream(path("empty.json")).flush();
  EXPECT_TRUE(JsonSink(path("empty.json"), record(), stdout).kept().empty());
}

TEST_F(Results, JsonOnAStreamEndsWithFinish) {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = open_memstream(&text, &size);
  JsonSink sink("-", record(), stream);
  sink.row(to_fields(row("hlf", 7)));
  sink.row(to_fields(row("hlf", 8)));
  sink.finish();
  std::fclose(stream);
  EXPECT_EQ(nlohmann::json::parse(std::string(text, size))["rows"].size(), 2u);
  std::free(text);
}

TEST_F(Results, JsonThatCannotBeWrittenIsRefusedAtOnce) {
  EXPECT_EQ(refusal([&] { JsonSink(path("no/a.json"), record(), stdout); }),
            "results can't be written to \"" + path("no/a.json") + "\": No such file or directory");
  refusal([&] { JsonSink(path(""), record(), stdout); });
}

TEST_F(Results, JsonOnAFullDiskIsAnErrorOfTheRun) {
  try {
    JsonSink("/dev/full", record(), stdout);
    FAIL() << "nothing was refused";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "results can't be written to \"/dev/full\": No space left on device");
  }
}

TEST(Human, WritesFourDigits) {
  EXPECT_EQ(human_time(Picos{412'345'678'901}), "412.3 ms");
  EXPECT_EQ(human_time(Picos{999'999'999'999}), "1.000 s");
  EXPECT_EQ(human_time(Picos{0}), "0 s");
  EXPECT_EQ(human_time(1234.5), "1234 s");
  EXPECT_EQ(human_count(38'343'168), "38,343,168");
  EXPECT_EQ(human_count(-1'000), "-1,000");
  EXPECT_EQ(human_count(999), "999");
  EXPECT_EQ(human_ratio(1.0431), "1.043");
  EXPECT_EQ(human_ratio(123456.7), "123,457");
  EXPECT_EQ(human_percent(0.1234), "12.3 %");
}

}  // namespace
}  // namespace ocs::test
