// The program lightloop as a user runs it: outputs, exit codes, equal results whatever carries them out.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <pty.h>
#include <sqlite3.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>

namespace {

using Json = nlohmann::json;

const std::string source = LIGHTLOOP_SOURCE_DIR;
const std::string tiny = source + "/testbed/experiments/tiny.toml";
const std::string main_job = source + "/testbed/experiments/main.toml";

struct Outcome {
  int code;
  std::string out, err;
};

std::string read(const std::string& file) {
  std::ifstream in(file);
  return {std::istreambuf_iterator<char>(in), {}};
}

/// A folder of its own for each test, in which the program is started.
class Cli : public ::testing::Test {
 protected:
  Cli() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~Cli() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return folder_ + "/" + name; }

  /// `arguments` as one would type them in a shell.
  Outcome run(const std::string& arguments, const std::string& environment = "") const {
    const std::string command = "cd '" + folder_ + "' && " + environment + " '" LIGHTLOOP_PROGRAM "' " + arguments +
                                " >'" + path(".out") + "' 2>'" + path(".err") + "' </dev/null";
    const int status = std::system(command.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read(path(".out")), read(path(".err"))};
  }

  Json rows(const std::string& arguments) const {
    const Outcome outcome = run("run " + arguments + " --json - --quiet");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out).at("rows");
  }

  /// The program must refuse: exit 2 and one sentence on standard error.
  std::string refused(const std::string& arguments, int code = 2) const {
    const Outcome outcome = run(arguments);
    EXPECT_EQ(outcome.code, code) << arguments;
    EXPECT_EQ(outcome.out, "");
    EXPECT_EQ(outcome.err.substr(0, 11), "lightloop: ");
    EXPECT_EQ(outcome.err.find('\n'), outcome.err.size() - 1) << outcome.err;
    return outcome.err.substr(std::min<std::size_t>(11, outcome.err.size()));
  }

 private:
  std::string folder_;
};

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

TEST_F(Cli, FirstIterationTakesWhatThePlanSays) {
  const Json ran = rows(main_job + " --set fabric.device=model --set job.payload=none --set job.iterations=1");
  const Outcome outcome = run("plan " + main_job + " --json -");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json plans = Json::parse(outcome.out).at("plans");
  ASSERT_EQ(plans.size(), ran.size());
  for (std::size_t k = 0; k < ran.size(); ++k) {
    const std::int64_t planned = plans[k]["pst_ps"], pst = ran[k]["pst_mean_ps"];
    EXPECT_GE(pst, planned);
    EXPECT_LE(pst, planned + 4 * 5120) << plans[k]["policy"];  // plans begin a cycle after they are asked for
    EXPECT_EQ(ran[k]["bound_ps"], plans[k]["bound_ps"]);
  }
}

TEST_F(Cli, WritesTheSameRowsToJsonAndToTheDatabase) {
  ASSERT_EQ(run("run " + tiny + " --json r.json --db r.db").code, 0);
  const Json json = Json::parse(read(path("r.json")));
  EXPECT_EQ(json["schema_version"], 1);
  EXPECT_EQ(json["experiment"]["name"], "tiny");
  EXPECT_EQ(json["experiment"]["keys"]["job.workers"], 3);
  sqlite3* database = nullptr;
  ASSERT_EQ(sqlite3_open(path("r.db").c_str(), &database), SQLITE_OK);
  sqlite3_stmt* statement = nullptr;
  ASSERT_EQ(sqlite3_prepare_v2(database, "SELECT * FROM row ORDER BY row_id", -1, &statement, nullptr), SQLITE_OK);
  std::size_t row = 0;
  for (; sqlite3_step(statement) == SQLITE_ROW; ++row)
    for (int column = 2; column < sqlite3_column_count(statement); ++column) {  // after row_id and run_id
      const std::string name = sqlite3_column_name(statement, column);
      const Json value = json.at("rows").at(row).at(name);
      switch (sqlite3_column_type(statement, column)) {
        case SQLITE_INTEGER:
          EXPECT_EQ(value, sqlite3_column_int64(statement, column)) << name;
          break;
        case SQLITE_FLOAT:
          EXPECT_EQ(value, sqlite3_column_double(statement, column)) << name;
          break;
        case SQLITE_TEXT:
          EXPECT_EQ(value, reinterpret_cast<const char*>(sqlite3_column_text(statement, column))) << name;
          break;
        default:
          EXPECT_TRUE(value.is_null()) << name;
      }
    }
  EXPECT_EQ(row, 4u);
  sqlite3_finalize(statement);
  sqlite3_close(database);
}

TEST_F(Cli, PrintsATableOfAllPolicies) {
  const Outcome outcome = run("run " + tiny);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"tiny: ", "PST mean", "x bound", "x psscheduler", "circuits", "dark", "words passed",
                           "words lost", "CRC errors", "simulated", "wall", "x real time", "\npsscheduler ",
                           "\npsscheduler_dedicated ", "\nsunflow ", "\nhlf "})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << '\n' << outcome.out;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);  // no terminal, no progress line
}

TEST_F(Cli, QuietPrintsNothing) {
  const Outcome outcome = run("run " + tiny + " --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Cli, JsonOnStandardOutputIsAlone) {
  const Outcome outcome = run("run " + tiny + " --json -");
  EXPECT_EQ(Json::parse(outcome.out)["rows"].size(), 4u);
  EXPECT_NE(outcome.err.find("PST mean"), std::string::npos);
}

TEST_F(Cli, KeepsAnEarlierJsonFileAndSaysSo) {
  std::ofstream(path("r.json")) << "precious";
  const Outcome outcome = run("run " + tiny + " --json r.json");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(read(path("r.json.1")), "precious");
  EXPECT_NE(outcome.err.find("r.json held earlier results; they are kept as r.json.1"), std::string::npos);
}

TEST_F(Cli, ShowsProgressOnATerminal) {
  int terminal = 0;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  ASSERT_GE(child, 0);
  if (child == 0) {
    execl(LIGHTLOOP_PROGRAM, LIGHTLOOP_PROGRAM, "run", main_job.c_str(), "--set", "fabric.device=model", "--set",
          "policy=hlf", static_cast<char*>(nullptr));
    _exit(127);
  }
  std::string shown;
  std::array<char, 4096> chunk{};
  for (ssize_t got = 0; (got = ::read(terminal, chunk.data(), chunk.size())) > 0;)
    shown.append(chunk.data(), static_cast<std::size_t>(got));
  int status = 0;
  waitpid(child, &status, 0);
  close(terminal);
  EXPECT_EQ(status, 0) << shown;
  EXPECT_NE(shown.find("\r[1/1] hlf  "), std::string::npos) << shown;
  EXPECT_NE(shown.find("%  simulated "), std::string::npos) << shown;
  EXPECT_NE(shown.find("waiting for "), std::string::npos) << shown;
}

TEST_F(Cli, ChecksAndPrintsEveryKeyAndTheRounding) {
  const Outcome outcome = run("check " + tiny + " --set fabric.tuning='11.5 us' --set fabric.locking='3.84 ns'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"valid, 4 rows", "fabric.word      = \"64 B\"", "# default", "tiny.toml:7",
                           "tuning 11.5 us: 2,247 cycles = 11.50464 us, rounded up by 0.0404 %",
                           "locking 3.84 ns: 1 cycles = 5.12 ns, rounded up by 33.33 %",
                           "warning: a delay is rounded up by 33.33 %, more than 1 %; a clock of 260.4167 MHz",
                           "471 words = 30.144 kB, rounded up by 0.3463 %"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << '\n' << outcome.out;
}

TEST_F(Cli, PlansWithoutADevice) {
  const Outcome outcome = run("plan " + tiny + " --set policy=sunflow");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"sunflow: placer mxnet, scheduler sunflow", "server on node 0: 2 blocks", "first.weight",
                           "push: 6 flows, 6 reservations", "pull: 6 flows, 6 reservations", "lower bound"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << '\n' << outcome.out;
}

TEST_F(Cli, ListsWhatThereIs) {
  const std::array<std::array<const char*, 2>, 7> lists = {{{"devices", "model"},
                                                            {"policies", "psscheduler_dedicated"},
                                                            {"schedulers", "sunflow"},
                                                            {"placers", "mxnet"},
                                                            {"workloads", "resnet50"},
                                                            {"sync", "bsp_phase"},
                                                            {"keys", "fabric.tuning = \"10 ms\""}}};
  for (const auto& [list, entry] : lists) {
    const Outcome outcome = run("list " + std::string(list));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(("\n" + outcome.out).find("\n" + std::string(entry)), std::string::npos) << outcome.out;
  }
}

TEST_F(Cli, HelpsAndTellsItsVersion) {
  EXPECT_EQ(run("--version").out.substr(0, 12), "lightloop 0.");
  for (const char* command : {"", "run", "list", "check", "plan"}) {
    const Outcome outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("Usage: lightloop"), std::string::npos) << outcome.out;
  }
}

TEST_F(Cli, TakesItsDataFromTheFolderThatTheEnvironmentNames) {
  std::filesystem::create_directories(path("data/workloads"));
  std::filesystem::copy_file(source + "/testbed/experiments/tiny.csv", path("data/workloads/mine.csv"));
  EXPECT_EQ(run("list workloads", "LIGHTLOOP_DATA=data").out, "mine  4 tensors, 30.04 kB\n");
  EXPECT_EQ(run("run " + tiny + " --set job.workload=mine --quiet", "LIGHTLOOP_DATA=data").code, 0);
}

TEST_F(Cli, RefusesWrongInputInOneSentence) {
  EXPECT_EQ(refused("run no.toml"), "experiment file \"no.toml\" can't be read: No such file or directory\n");
  EXPECT_EQ(refused("run " + tiny + " --set fabric.ports=257"),
            "--set fabric.ports=257: fabric.ports is 257, but must be a whole number from 2 to 256\n");
  EXPECT_EQ(refused("run " + tiny + " --set job.workload=file:no.csv").find("--set job.workload=file:no.csv: "), 0u);
  std::ofstream(path("x.toml")) << "policy = \"hlf\"\n[fabric]\ntunning = \"1 ms\"\n";
  for (const char* command : {"run", "check", "plan"})
    EXPECT_EQ(refused(std::string(command) + " x.toml"),
              "x.toml:3: unknown key \"fabric.tunning\"; did you mean \"fabric.tuning\"?\n");
  refused("run " + tiny + " --set fabric.device=verilated --set fabric.ports=7");
  refused("run");
  refused("walk " + tiny);
  refused("");
  refused("list everything");
  refused("run " + tiny + " --set");
  refused("run " + tiny + " --unknown");
}

TEST_F(Cli, RefusesOutputsThatCannotBeWrittenBeforeItRuns) {
  refused("run " + tiny + " --db no/r.db");
  refused("run " + tiny + " --json no/r.json");
  std::ofstream(path("text")) << "no database, but longer than the hundred bytes that a header of SQLite takes: "
                              << std::string(200, 'x');
  refused("run " + tiny + " --db text");
  std::ofstream(path("plan.json")) << "precious";
  refused("plan " + tiny + " --json plan.json");
  EXPECT_EQ(read(path("plan.json")), "precious");
}

TEST_F(Cli, SaysWhenStandardOutputIsFull) {
  const std::string experiment = " '" + tiny + "'";
  for (const std::string& command :
       {std::string("list keys"), "check" + experiment, "run" + experiment, "plan" + experiment + " --json -"}) {
    const std::string line = "'" LIGHTLOOP_PROGRAM "' " + command + " >/dev/full 2>'" + path("err") + "'";
    const int status = std::system(line.c_str());
    EXPECT_EQ(WEXITSTATUS(status), 1) << command;
    EXPECT_NE(read(path("err")).find("lightloop: "), std::string::npos) << command;
  }
}

}  // namespace
