// What lightloop run puts out: equal results whatever carries them out, and the promises of the main job.
// SPDX-License-Identifier: Apache-2.0
#include <fcntl.h>
#include <signal.h>
#include <sqlite3.h>

#include <algorithm>
#include <array>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

/// What doesn't depend on how fast the machine is, nor on the keys named.
Json without(Json rows, const std::vector<std::string>& keys) {
  for (Json& row : rows)
    for (const std::string& key : keys) row.erase(key);
  return rows;
}

const std::vector<std::string> timing = {"wall_time_s", "realtime_ratio"};

std::vector<std::string> timing_and(std::vector<std::string> keys) {
  keys.insert(keys.end(), timing.begin(), timing.end());
  return keys;
}

/// Every row of the table `row`, as JSON of its columns.
Json rows_of_database(const std::string& file) {
  sqlite3* database = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &database), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  EXPECT_EQ(sqlite3_prepare_v2(database, "SELECT * FROM row ORDER BY row_id", -1, &statement, nullptr), SQLITE_OK);
  Json rows = Json::array();
  while (sqlite3_step(statement) == SQLITE_ROW) {
    Json& row = rows.emplace_back(Json::object());
    for (int column = 2; column < sqlite3_column_count(statement); ++column) {  // after row_id and run_id
      Json& value = row[sqlite3_column_name(statement, column)];
      const int type = sqlite3_column_type(statement, column);
      if (type == SQLITE_INTEGER) value = sqlite3_column_int64(statement, column);
      if (type == SQLITE_FLOAT) value = sqlite3_column_double(statement, column);
      if (type == SQLITE_TEXT) value = reinterpret_cast<const char*>(sqlite3_column_text(statement, column));
    }
  }
  sqlite3_finalize(statement);
  sqlite3_close(database);
  return rows;
}

TEST_F(Cli, ModelAndVerilatedGiveEqualHashesAndResults) {
  const Json model = rows(tiny + " --set fabric.device=model"),
             verilated = rows(tiny + " --set fabric.device=verilated");
  ASSERT_EQ(model.size(), 4u);
  for (const Json& row : model) EXPECT_EQ(row["event_log_hash"].get<std::string>().size(), 16u);
  EXPECT_NE(model[0]["event_log_hash"], model[1]["event_log_hash"]);
  const auto keys = timing_and({"device", "edges"});
  EXPECT_EQ(without(model, keys), without(verilated, keys));
}

TEST_F(Cli, WarpedAndUnwarpedGiveEqualHashesAndResults) {
  for (const std::string device : {"model", "verilated"}) {
    const std::string job = tiny + " --set fabric.device=" + device;
    const Json warped = rows(job), unwarped = rows(job + " --set fabric.time_warp=false");
    const auto keys = timing_and({"time_warp", "edges"});
    EXPECT_EQ(without(warped, keys), without(unwarped, keys));
    for (std::size_t k = 0; k < warped.size(); ++k) {
      EXPECT_GE(unwarped[k]["edges"], unwarped[k]["cycles"]);
      if (device == "verilated") {
        EXPECT_LT(warped[k]["edges"], unwarped[k]["edges"]);
      }
    }
  }
}

TEST_F(Cli, EveryPayloadGivesTheSameTimes) {
  const Json all = rows(tiny + " --set policy=sunflow --set job.payload='[\"full\", \"digest\", \"none\"]'");
  ASSERT_EQ(all.size(), 3u);
  for (const Json& row : all) {
    EXPECT_EQ(row["event_log_hash"], all[0]["event_log_hash"]);
    EXPECT_EQ(row["pst_mean_ps"], all[0]["pst_mean_ps"]);
    EXPECT_EQ(row["crc_errors"], 0);
    EXPECT_EQ(row["sum_errors"], 0);
  }
}

TEST_F(Cli, RepeatsARunToTheBit) { EXPECT_EQ(without(rows(tiny), timing), without(rows(tiny), timing)); }

TEST_F(Cli, PsschedulerIsAtMostSunflowAndHlfOnTheMainJob) {
  const Json all = rows(main_job + " --set fabric.device=model --set job.payload=none");
  ASSERT_EQ(all.size(), 4u);
  ASSERT_EQ(all[2]["policy"], "sunflow");
  ASSERT_EQ(all[3]["policy"], "hlf");
  for (const int mine : {0, 1})
    for (const int other : {2, 3}) EXPECT_LE(all[mine]["pst_mean_ps"], all[other]["pst_mean_ps"]);
}

TEST_F(Cli, MainJobCarriesEveryWordOnceEachWay) {
  const Json all = rows(main_job + " --set fabric.device=model --set job.payload=none");
  // 1,597,315 words of 64 B (every block rounded up), 12 workers, push and pull, 2 iterations
  for (const int dedicated : {1, 2, 3}) EXPECT_EQ(all[dedicated]["words_passed"], 1'597'315LL * 12 * 2 * 2);
  for (const Json& row : all) {
    EXPECT_EQ(row["bytes_delivered"].get<std::int64_t>() + row["bytes_local"].get<std::int64_t>(),
              102'228'128LL * 12 * 2 * 2);
    EXPECT_EQ(row["words_lost"], 0);
    EXPECT_EQ(row["words_unrouted"], 0);
    EXPECT_EQ(row["delta_ps"], 10'000'000'000);
    EXPECT_EQ(row["rate_bps"], 100'000'000'000);
    EXPECT_GE(row["pst_min_ps"], row["bound_ps"]) << row["policy"];
    EXPECT_LE(row["pst_min_ps"], row["pst_mean_ps"]);
    EXPECT_LE(row["pst_mean_ps"], row["pst_max_ps"]);
    EXPECT_EQ(row["sync_time_ps"].get<std::int64_t>() / 2, row["pst_mean_ps"]);
    // Every circuit is dark for exactly delta: nothing else makes an output dark here.
    EXPECT_EQ(row["dark_port_cycles"], row["reconfigurations"].get<std::int64_t>() * 1'953'125);
  }
}

TEST_F(Cli, FirstIterationTakesWhatThePlanSaysToTheCycle) {
  for (const std::string& job : {main_job, tiny}) {
    // A job that computes for whole cycles starts to synchronise at the beginning of one.
    const std::string once = job + " --set fabric.device=model --set job.iterations=1 --set job.compute='5120 ns'";
    const Json ran = rows(once + " --set job.payload=none");
    const Outcome outcome = run("plan " + once + " --json -");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json plans = Json::parse(outcome.out).at("plans");
    ASSERT_EQ(plans.size(), ran.size());
    for (std::size_t k = 0; k < ran.size(); ++k) {
      EXPECT_EQ(ran[k]["pst_mean_ps"], plans[k]["pst_ps"]) << job << ' ' << plans[k]["policy"];
      EXPECT_EQ(ran[k]["bound_ps"], plans[k]["bound_ps"]) << job << ' ' << plans[k]["policy"];
    }
  }
}

TEST_F(Cli, WritesTheSameRowsToJsonAndToTheDatabase) {
  ASSERT_EQ(run("run " + tiny + " --json r.json --db r.db").code, 0);
  const Json json = Json::parse(read(path("r.json")));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["experiment"]["name"], "tiny");
  EXPECT_EQ(json["experiment"]["keys"]["job.workers"], 3);
  EXPECT_EQ(rows_of_database(path("r.db")), json.at("rows"));
  EXPECT_EQ(json.at("rows").size(), 4u);
}

TEST_F(Cli, KeepsInTheDatabaseWhatItPrintedWhenItIsKilled) {
  std::array<int, 2> ends{};
  ASSERT_EQ(pipe(ends.data()), 0);
  ASSERT_GE(fcntl(ends[1], F_SETPIPE_SZ, 4096), 4096);  // holds less than what the program prints: it can't end first
  const std::string database = path("r.db");
  std::string seeds = "seed=[0";
  for (int seed = 1; seed < 50; ++seed) seeds.append(", ").append(std::to_string(seed));
  seeds += "]";
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    dup2(ends[1], STDERR_FILENO);
    close(ends[0]);
    execl(LIGHTLOOP_PROGRAM, LIGHTLOOP_PROGRAM, "run", tiny.c_str(), "--db", database.c_str(), "--set", seeds.c_str(),
          static_cast<char*>(nullptr));
    _exit(127);
  }
  close(ends[1]);
  std::string printed;
  std::array<char, 64> chunk{};
  for (ssize_t got = 0; (got = ::read(ends[0], chunk.data(), chunk.size())) > 0;) {
    printed.append(chunk.data(), static_cast<std::size_t>(got));
    if (printed.find("[4/200]") != std::string::npos) kill(child, SIGKILL);
  }
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  EXPECT_TRUE(WIFSIGNALED(status)) << printed;
  const auto lines = std::count(printed.begin(), printed.end(), '\n');
  EXPECT_GE(lines, 3);
  EXPECT_GE(rows_of_database(database).size(), static_cast<std::size_t>(lines)) << printed;
}

}  // namespace
}  // namespace ocs::test
