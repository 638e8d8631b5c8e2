// Rows side by side, rows that fail, and rows as CSV.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <sstream>

#include "tests/common/sanitized.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

/// Rows without what the stopwatch says.
Json timeless(Json rows) {
  for (Json& row : rows)
    for (const char* column : {"wall_time_s", "realtime_ratio", "peak_rss_bytes"}) row.erase(column);
  return rows;
}

/// What a terminal shows of rows, without times: "[1/4] hlf, ...".
std::vector<std::string> titles(const std::string& text) {
  std::vector<std::string> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);)
    if (line.starts_with("[") && line.find(", wall ") != std::string::npos)
      lines.push_back(line.substr(0, line.find(": ")));
  return lines;
}

/// Columns of each line, without quotes; there are no line ends in fields.
std::vector<std::vector<std::string>> csv_of(const std::string& text) {
  std::vector<std::vector<std::string>> lines;
  std::istringstream stream(text);
  for (std::string line; std::getline(stream, line);) {
    EXPECT_EQ(line.back(), '\r');
    line.pop_back();
    std::vector<std::string>& fields = lines.emplace_back(1);
    bool quoted = false;
    for (std::size_t k = 0; k < line.size(); ++k) {
      if (line[k] == '"' && quoted && k + 1 < line.size() && line[k + 1] == '"')
        fields.back() += line[++k];
      else if (line[k] == '"')
        quoted = !quoted;
      else if (line[k] == ',' && !quoted)
        fields.emplace_back();
      else
        fields.back() += line[k];
    }
  }
  return lines;
}

/// Kinds of rows that differ in which fields they have.
const char* const kinds[] = {
    " --set policy=[hlf,psscheduler,sunflow] --set seed=[1,2,3]",
    " --set policy=sunflow --set job.sync=[asp,bsp,ssp] --set job.payload=[none,full]",
    " --set policy=sunflow --set nodes.transport=[inproc,ipc] --set seed=[1,2]",
    " --set policy=sunflow --set job.collective=[all_reduce,none] --set seed=[1,2]",
    " --set policy=sunflow_inter --set 'jobs=\"[{workers = 2, servers = 1, count = 3}]\"' --set job.payload=none --set "
    "fabric.planes=[1,2]",
    " --set policy=sunflow --set 'charge_planning=[none,1 us]' --set fabric.device=[sysc,model]"};

TEST_F(Cli, RowsSideBySideAreThoseOfRowsOneByOne) {
  for (const std::string kind : kinds) {
    const Outcome alone = run("run " + tiny + kind + " --json a.json --db a.db --events");
    const Outcome beside = run("run " + tiny + kind + " --json b.json --db b.db --events -j 3");
    ASSERT_EQ(alone.code, 0) << alone.err;
    ASSERT_EQ(beside.code, 0) << beside.err;
    EXPECT_EQ(timeless(Json::parse(read(path("a.json")))["rows"]), timeless(Json::parse(read(path("b.json")))["rows"]))
        << kind;
    EXPECT_EQ(titles(alone.err), titles(beside.err)) << kind;
    for (const char* name : {"a.json", "b.json", "a.db", "b.db"}) std::filesystem::remove(path(name));
  }
}

TEST_F(Cli, EventLogsOfRowsSideBySideAreKept) {
  const std::string sweep = "run " + tiny + " --set seed=[1,2] --set policy=[hlf,sunflow] --events --db r.db -j ";
  ASSERT_EQ(run(sweep + "2").code, 0);
  for (const char* row : {"1", "2", "3", "4"}) {
    const Outcome again = run(std::string("rerun r.db ") + row);  // the whole log is compared
    EXPECT_EQ(again.code, 0) << again.out << again.err;
  }
}

TEST_F(Cli, SaysFirstWhatMemoryRowsSideBySideTake) {
  const Outcome outcome = run("run " + tiny + " -j 2");
  EXPECT_EQ(outcome.err.find("lightloop: 2 rows at the same time, about "), 0u) << outcome.err;
  EXPECT_NE(outcome.err.find(" of memory expected, "), std::string::npos) << outcome.err;
  EXPECT_EQ(run("run " + tiny + " --quiet -j 2").err, "");
  for (const std::string job : {" --set job.payload=none", " --set job.payload=full", " --set nodes.transport=ipc"}) {
    const std::string one =
        "run " + main_job + " --set fabric.device=model --set policy=hlf --set job.iterations=1" + job;
    const Outcome said = run(one + " --set seed=[1,2] -j 2 --json r.json");
    ASSERT_EQ(said.code, 0) << said.err;
    const std::size_t at = said.err.find("expected, ") + 10;
    const double expected = std::stod(said.err.substr(at)) * (said.err.find(" GB for the", at) < at + 12 ? 1e9 : 1e6);
    const auto measured = Json::parse(read(path("r.json")))["rows"][0]["peak_rss_bytes"].get<double>();
    EXPECT_GT(expected, measured / (test::sanitized ? 4 : 2)) << said.err;
    EXPECT_LT(expected, measured * 2) << said.err;
  }
}

TEST_F(Cli, TheFirstRowThatFailsEndsTheRun) {
  const std::string sweep =
      "run " + tiny +
      " --set policy=hlf --set job.payload=none --set 'nodes.deaths=[\"\",2: 4 us,2: 5 us]' --quiet --json ";
  const Outcome alone = run(sweep + "a.json"), beside = run(sweep + "b.json -j 3");
  EXPECT_EQ(alone.code, 1);
  EXPECT_NE(alone.err.find("row 2 (hlf): node 2 died"), std::string::npos) << alone.err;
  EXPECT_EQ(beside.code, 1);
  EXPECT_EQ(alone.err, beside.err);
  EXPECT_EQ(timeless(Json::parse(read(path("a.json")))["rows"]), timeless(Json::parse(read(path("b.json")))["rows"]));
}

TEST_F(Cli, KeepGoingRecordsARowThatFailsAndEndsWithOne) {
  const std::string sweep =
      "run " + tiny + " --set policy=hlf --set job.payload=none --set 'nodes.deaths=[\"\",2: 4 us]' --set seed=[1,2]";
  const Json good = rows(tiny + " --set policy=hlf --set job.payload=none --set seed=[1,2]");
  for (const std::string jobs : {"1", "2"}) {
    const std::string name = "r" + jobs;
    const Outcome outcome = run(sweep + " --keep-going -j " + jobs + " --db " + name + ".db --json " + name +
                                ".json --csv " + name + ".csv");
    EXPECT_EQ(outcome.code, 1);
    EXPECT_NE(outcome.err.find("lightloop: row 3 (hlf): node 2 died at 4000000 ps"), std::string::npos) << outcome.err;
    EXPECT_NE(outcome.err.find("\nlightloop: 2 of 4 rows failed\n"), std::string::npos) << outcome.err;
    const Json all = Json::parse(read(path(name + ".json"))).at("rows");
    ASSERT_EQ(all.size(), 4u);
    for (const int k : {0, 1}) EXPECT_EQ(all[k]["error"], nullptr);
    for (const int k : {2, 3}) {
      EXPECT_NE(all[k]["error"].get<std::string>().find("node 2 died"), std::string::npos);
      EXPECT_EQ(all[k]["deaths"], "2: 4 us");
      for (const auto& [column, value] : all[k].items())  // as it was asked for, or nothing
        if (!value.is_null() && column != "error" && column != "deaths") {
          EXPECT_EQ(value, good[k - 2][column]) << column;
        }
      for (const char* column : {"pst_mean_ps", "event_log_hash", "crc_errors", "sim_time_ps", "cycles"})
        EXPECT_EQ(all[k][column], nullptr) << column;
      EXPECT_EQ(all[k]["seed"], k - 1);
    }
    EXPECT_EQ(csv_of(read(path(name + ".csv"))).size(), 5u);
    const Outcome again = run(sweep + " --db " + name + ".db --resume --keep-going --quiet");
    EXPECT_NE(again.err.find("lightloop: 2 rows are there already\n"), std::string::npos) << again.err;
    EXPECT_NE(refused("rerun " + name + ".db 3").find("row 3 of \"" + name + ".db\" failed: node 2 died"),
              std::string::npos);
  }
}

TEST_F(Cli, CsvHoldsWhatJsonHolds) {
  const Outcome outcome =
      run("run " + tiny + " --json r.json --csv - --set 'nodes.rates=equal' --set name='\"a, \\\"b\\\"\"'");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const auto lines = csv_of(outcome.out);
  const Json all = Json::parse(read(path("r.json"))).at("rows");
  ASSERT_EQ(lines.size(), all.size() + 1);
  for (std::size_t k = 0; k < all.size(); ++k) {
    ASSERT_EQ(lines[k + 1].size(), lines[0].size());
    for (std::size_t c = 0; c < lines[0].size(); ++c) {
      const Json& value = all[k].at(lines[0][c]);
      const std::string& field = lines[k + 1][c];
      if (value.is_string())
        EXPECT_EQ(field, value.get<std::string>());
      else if (value.is_null())
        EXPECT_EQ(field, "");
      else
        EXPECT_EQ(Json::parse(field).get<double>(), value.get<double>()) << lines[0][c];
    }
  }
  EXPECT_EQ(all[0]["name"], "a, \"b\"");
  ASSERT_EQ(run("run " + tiny + " --quiet --csv r.csv").code, 0);
  EXPECT_NE(run("run " + tiny + " --csv r.csv").err.find("r.csv held earlier results; they are kept as r.csv.1"),
            std::string::npos);
  EXPECT_EQ(csv_of(read(path("r.csv.1"))).size(), 5u);
  EXPECT_EQ(refused("run " + tiny + " --csv - --json -"),
            "--json and --csv are both \"-\", but only one can be standard output\n");
  EXPECT_EQ(refused("run " + tiny + " --csv nowhere/r.csv"),
            "results can't be written to \"nowhere/r.csv\": No such file or directory\n");
}

TEST_F(Cli, CtrlCEndsRowsSideBySide) {
  Pipe err(1 << 16);  // the odd rows take hours
  Child child(folder(),
              {"run", tiny, "--db", "r.db", "--json", "r.json", "-j", "2", "--set", "fabric.time_warp=[true, false]",
               "--set", "policy=hlf", "--set", "fabric.tuning=5 s", "--set", "seed=[1, 2]"},
              -1, err.writer());
  err.read_until("[3/4] hlf, fabric.time_warp=false, seed=1, and 1 more: ");  // a heartbeat
  child.send_to_all(SIGINT);
  EXPECT_NE(err.read_all().find("interrupted: 2 of 4 rows"), std::string::npos)
      << err.read_all();  // no process is left
  EXPECT_EQ(child.wait(), 130);
  EXPECT_EQ(Json::parse(read(path("r.json"))).at("rows").size(), 2u);
}

/// The processes that this one has started.
std::vector<pid_t> children_of(pid_t parent) {
  std::ifstream file("/proc/" + std::to_string(parent) + "/task/" + std::to_string(parent) + "/children");
  std::vector<pid_t> children;
  for (pid_t child = 0; file >> child;) children.push_back(child);
  return children;
}

TEST_F(Cli, AWorkerThatIsKilledFailsItsRowAlone) {
  Pipe err(1 << 16);
  Child child(folder(),
              {"run", tiny, "--json", "r.json", "-j", "2", "--keep-going", "--set", "fabric.time_warp=[false, true]",
               "--set", "policy=hlf", "--set", "fabric.tuning=5 s", "--set", "seed=[1, 2]"},
              -1, err.writer());
  err.read_until("and 1 more: ");  // both workers have a row that takes hours
  const std::vector<pid_t> workers = children_of(child.id());
  EXPECT_EQ(workers.size(), 2u);
  for (const pid_t worker : workers) kill(worker, SIGKILL);
  const std::string said = err.read_all();
  EXPECT_EQ(child.wait(), 1) << said;
  EXPECT_NE(said.find("row 1 (hlf): the process that ran it was ended by signal 9"), std::string::npos) << said;
  const Json all = Json::parse(read(path("r.json"))).at("rows");
  ASSERT_EQ(all.size(), 4u);
  for (const int k : {2, 3}) EXPECT_EQ(all[k]["error"], nullptr) << all[k]["error"];
}

TEST_F(Cli, AWorkerThatIsKilledLeavesNoFolder) {
  const std::filesystem::path sockets = path("sockets");
  std::filesystem::create_directory(sockets);
  setenv("TMPDIR", sockets.c_str(), 1);
  Pipe err(1 << 16);
  Child child(folder(),
              {"run", tiny, "-j", "2", "--set", "fabric.time_warp=false", "--set", "policy=hlf", "--set",
               "fabric.tuning=5 s", "--set", "seed=[1, 2]", "--set", "nodes.transport=ipc"},
              -1, err.writer());
  unsetenv("TMPDIR");
  err.read_until("and 1 more: ");
  EXPECT_FALSE(std::filesystem::is_empty(sockets));
  for (const pid_t worker : children_of(child.id())) kill(worker, SIGKILL);
  const std::string said = err.read_all();
  EXPECT_EQ(child.wait(), 1) << said;
  EXPECT_TRUE(std::filesystem::is_empty(sockets));
}

TEST_F(Cli, RefusesSideBySideWhatThereIsOneOf) {
  EXPECT_EQ(refused("run " + tiny + " -j 2 --set fabric.device=mapped:/dev/none --set fabric.rate='\"100 Gbit/s\"'"),
            "fabric.device is \"mapped:/dev/none\", which is one device: it needs -j 1\n");
  EXPECT_EQ(refused("run " + tiny + " -j 2 --set nodes.transport=ipc --set nodes.listen=ipc:///tmp/none"),
            "nodes.listen is \"ipc:///tmp/none\", where one row at a time can listen: it needs -j 1\n");
  EXPECT_EQ(refused("run " + tiny + " -j 2 --firmware-log -"),
            "--firmware-log and --firmware-trace have one file for all rows: they need -j 1\n");
  EXPECT_NE(refused("run " + tiny + " -j -1").find("-j"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
