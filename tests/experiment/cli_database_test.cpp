// lightloop run and its database: rows that survive, runs that share it, going on, repeating, ending early.
// SPDX-License-Identifier: Apache-2.0
#include <sqlite3.h>

#include <algorithm>
#include <sstream>

#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

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

std::string query(const std::string& file, const std::string& sql) {
  sqlite3* raw = nullptr;
  EXPECT_EQ(sqlite3_open(file.c_str(), &raw), SQLITE_OK);
  std::string result;
  const auto keep = [](void* to, int, char** values, char**) {
    *static_cast<std::string*>(to) += values[0] == nullptr ? "null" : values[0];
    return 0;
  };
  EXPECT_EQ(sqlite3_exec(raw, sql.c_str(), keep, &result, nullptr), SQLITE_OK) << sqlite3_errmsg(raw);
  sqlite3_close(raw);
  return result;
}

/// As rows that were written before there were checksums stand in a database of today.
const std::string no_checksums = "UPDATE checksum SET hash = 'none'";
const std::string warning_of_row_1 =
    "lightloop: warning: row 1 of \"r.db\" has no checksum, because an older lightloop wrote it: damage would not be "
    "noticed\n";

/// --set seed=[first, ..., first + count - 1]
std::string seeds(int first, int count) {
  std::string list = "seed=[" + std::to_string(first);
  for (int seed = first + 1; seed < first + count; ++seed) list.append(", ").append(std::to_string(seed));
  return list + "]";
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

TEST_F(Cli, QueriesOfTheDocumentFindRows) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --events --quiet --set 'fabric.tuning=10 us'").code, 0);
  std::istringstream lines(read(source + "/docs/results.md"));
  int queries = 0;
  for (std::string line; std::getline(lines, line);) {
    if (!line.starts_with("    SELECT ")) continue;
    ++queries;
    EXPECT_NE(query(path("r.db"), line), "") << line;
  }
  EXPECT_EQ(queries, 4) << "each is one indented line";
}

TEST_F(Cli, EveryTimeThatIsRoundedStandsBesideTheRequestedOne) {
  struct Time {
    std::string key, column, value;
    std::int64_t requested, rounded;  ///< ps; rounded up to cycles of 5120 ps
  };
  const std::vector<Time> times{{"fabric.tuning", "tuning", "10 us", 10'000'000, 10'004'480},
                                {"fabric.locking", "locking", "1 us", 1'000'000, 1'003'520},
                                {"fabric.fibre", "fibre", "7 ns", 7'000, 10'240},
                                {"control.guard", "guard", "33 ns", 33'000, 35'840},
                                {"control.lead", "lead", "2 us", 2'000'000, 2'001'920},
                                {"nodes.clock_spread", "clock_spread", "3 ns", 3'000, 5'120}};
  std::string command = "run " + tiny + " --db r.db --quiet --set policy=hlf --set control.mode=timetable";
  for (const Time& time : times) command.append(" --set '").append(time.key).append("=").append(time.value) += "'";
  ASSERT_EQ(run(command).code, 0);
  for (const Time& time : times) {
    EXPECT_EQ(query(path("r.db"), "SELECT " + time.column + "_ps FROM row"), std::to_string(time.rounded)) << time.key;
    EXPECT_EQ(query(path("r.db"), "SELECT " + time.column + "_requested_ps FROM row"), std::to_string(time.requested))
        << time.key;
    EXPECT_EQ(query(path("r.db"), "SELECT value FROM setting WHERE key = '" + time.key + "'"), time.value);
  }
}

TEST_F(Cli, KeepsInTheDatabaseWhatItPrintedWhenItIsKilled) {
  Pipe printed;
  Child child(folder(), {"run", tiny, "--db", "r.db", "--set", seeds(0, 50)}, -1, printed.writer());
  printed.read_until("[4/200] ");
  child.send(SIGKILL);
  const std::string lines = printed.read_all();
  EXPECT_EQ(child.wait(), -SIGKILL);
  const auto count = std::count(lines.begin(), lines.end(), '\n');
  EXPECT_GE(count, 3);
  EXPECT_LT(count, 200);
  EXPECT_GE(rows_of_database(path("r.db")).size(), static_cast<std::size_t>(count)) << lines;
}

TEST_F(Cli, WritesToOneDatabaseWithOthersAtTheSameTime) {
  for (const char* name : {"a.db", "b.db", "c.db"}) {  // each new, so that they also meet while making it
    Pipe err(1 << 16);
    std::vector<std::unique_ptr<Child>> children;
    for (int k = 0; k < 4; ++k)
      children.push_back(std::make_unique<Child>(
          folder(),
          std::vector<std::string>{"run", tiny, "--db", name, "--events", "--quiet", "--set", seeds(10 * k, 5)}, -1,
          err.writer()));
    for (const auto& child : children) EXPECT_EQ(child->wait(), 0) << err.read_all();
    EXPECT_EQ(query(path(name), "SELECT count(*) || ' ' || count(DISTINCT seed || policy) FROM row"), "80 80");
    EXPECT_EQ(query(path(name), "SELECT count(*) FROM run"), "4");
    EXPECT_EQ(query(path(name), "SELECT sum(events) - (SELECT count(*) FROM event) FROM row"), "0");
    EXPECT_EQ(query(path(name), "PRAGMA integrity_check"), "ok");
  }
}

TEST_F(Cli, EndsEarlyOnCtrlCAndKeepsWhatIsFinished) {
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    const std::string database = std::to_string(signal) + ".db";
    Pipe out, err(1 << 16);
    Child child(folder(), {"run", tiny, "--db", database, "--json", "-", "--set", seeds(0, 50)}, out.writer(),
                err.writer());
    out.read_until("\n{");  // the first row; the pipe is too small for all
    child.send(signal);
    const Json json = Json::parse(out.read_all());
    const std::string said = err.read_all();
    EXPECT_EQ(child.wait(), 128 + signal);
    const std::size_t rows = json.at("rows").size();
    EXPECT_GE(rows, 1u);
    EXPECT_LT(rows, 200u);
    EXPECT_EQ(rows_of_database(path(database)), json.at("rows"));
    EXPECT_NE(said.find("lightloop: interrupted: " + std::to_string(rows) + " of 200 rows are finished and kept\n"),
              std::string::npos)
        << said;
    EXPECT_NE(said.find("PST mean"), std::string::npos);  // the table
  }
}

TEST_F(Cli, EndsEarlyOnCtrlCThatItsNodeProcessesGetToo) {
  Pipe err(1 << 16), out;
  Child child(folder(), {"run", tiny, "--json", "-", "--set", seeds(0, 50), "--set", "nodes.transport=ipc"},
              out.writer(), err.writer());
  out.read_until("\n{");
  child.send_to_all(SIGINT);
  const std::size_t rows = Json::parse(out.read_all()).at("rows").size();  // ends when no process holds the pipe
  EXPECT_GE(rows, 1u);
  EXPECT_LT(rows, 200u);
  const std::string said = err.read_all();
  EXPECT_NE(said.find("lightloop: interrupted: " + std::to_string(rows) + " of 200 rows are finished and kept\n"),
            std::string::npos)
      << said;
  EXPECT_EQ(child.wait(), 130) << said;
}

TEST_F(Cli, EndsEarlyOnCtrlCInTheMiddleOfALongRow) {
  Pipe err;  // the second row takes hours: billions of cycles, each evaluated
  Child child(folder(),
              {"run", tiny, "--db", "r.db", "--json", "r.json", "--set", "fabric.time_warp=[true, false]", "--set",
               "policy=hlf", "--set", "fabric.tuning=5 s"},
              -1, err.writer());
  err.read_until("[2/2] hlf, fabric.time_warp=false: ");  // its first heartbeat
  child.send(SIGINT);
  EXPECT_NE(err.read_all().find("interrupted: 1 of 2 rows"), std::string::npos);
  EXPECT_EQ(child.wait(), 130);
  EXPECT_EQ(rows_of_database(path("r.db")), Json::parse(read(path("r.json"))).at("rows"));
}

TEST_F(Cli, ResumesWhereAnEarlierRunEnded) {
  const Json all = rows(tiny);
  ASSERT_EQ(run("run " + tiny + " --db r.db --set policy=[psscheduler,hlf]").code, 0);
  const Outcome outcome = run("run " + tiny + " --db r.db --json r.json --resume");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(outcome.err.find("lightloop: 2 rows are there already\n[2/4] psscheduler_dedicated: "), 0u) << outcome.err;
  const Json json = Json::parse(read(path("r.json"))).at("rows");
  ASSERT_EQ(json.size(), 2u);
  EXPECT_EQ(json[0]["policy"], "psscheduler_dedicated");
  EXPECT_EQ(json[1]["policy"], "sunflow");
  EXPECT_EQ(json[1]["pst_over_psscheduler"], all[2]["pst_over_psscheduler"]);  // of a row that was there
  EXPECT_EQ(json[1]["event_log_hash"], all[2]["event_log_hash"]);
  EXPECT_EQ(run("run " + tiny + " --db r.db --resume --set 'fabric.tuning=1000 ns'").err,
            "lightloop: 4 rows are there already\n");
  EXPECT_EQ(run("run " + tiny + " --db r.db --resume --set seed=2 --set policy=hlf").err.substr(0, 41),
            "lightloop: 0 rows are there already\n[1/1]");
  EXPECT_EQ(run("run " + tiny + " --db new.db --resume --set policy=hlf").code, 0);
  EXPECT_EQ(query(path("r.db"), "SELECT count(*) FROM row"), "5");
}

TEST_F(Cli, ResumesOnlyRowsOfTheSameTableOfTensors) {
  std::filesystem::copy_file(source + "/testbed/experiments/tiny.csv", path("t.csv"));
  std::ofstream(path("x.toml")) << "policy = 'hlf'\nfabric.device = 'model'\njob.workload = 'file:t.csv'\n"
                                   "job.workers = 3\njob.servers = 2\njob.iterations = 1\n";
  ASSERT_EQ(run("run x.toml --db r.db --quiet").code, 0);
  EXPECT_EQ(run("run x.toml --db r.db --quiet --resume").err, "lightloop: 1 row is there already\n");
  EXPECT_EQ(run("rerun " + path("r.db") + " 1", "cd / &&").code, 0);  // found wherever it is repeated
  std::ofstream(path("t.csv"), std::ios::app) << "4,extra,7,7,28\n";
  EXPECT_EQ(run("run x.toml --db r.db --quiet --resume").err, "lightloop: 0 rows are there already\n");
  EXPECT_NE(refused("rerun r.db 1").find("was run with another table"), std::string::npos);
}

TEST_F(Cli, RerunsARowAndFindsItTheSame) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --events --quiet --set policy=[psscheduler,hlf]").code, 0);
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=sunflow --set fabric.device=verilated").code, 0);
  const std::string before = query(path("r.db"), "SELECT group_concat(row_id || event_log_hash) FROM row");
  for (const int row : {1, 2, 3}) {
    const Outcome outcome = run("rerun r.db " + std::to_string(row));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find(row == 3 ? "\nthe same\n" : "\nthe same, event by event\n"), std::string::npos)
        << outcome.out;
    const std::string hash =
        query(path("r.db"), "SELECT event_log_hash FROM row WHERE row_id = " + std::to_string(row));
    EXPECT_NE(outcome.out.find("\n  then  hash " + hash), std::string::npos);
    EXPECT_NE(outcome.out.find("\n  now   hash " + hash), std::string::npos);
  }
  EXPECT_EQ(query(path("r.db"), "SELECT group_concat(row_id || event_log_hash) FROM row"), before);
}

/// A row of each kind comes back from the database: it is found again, repeated, and compared.
class RowsComeBack : public Cli {
 protected:
  void resume_repeat_and_compare(const std::string& what) {
    const std::string experiment = "run " + what + " --db r.db --events --quiet ";
    const Outcome first = run(experiment);
    ASSERT_EQ(first.code, 0) << first.err;
    const std::string resumed = run(experiment + " --resume").err;
    EXPECT_TRUE(resumed.ends_with("lightloop: 1 row is there already\n")) << resumed;
    EXPECT_EQ(query(path("r.db"), "SELECT count(*) FROM row"), "1");
    const Outcome again = run("rerun r.db 1");
    EXPECT_EQ(again.code, 0) << again.err;
    EXPECT_NE(again.out.find("\nthe same"), std::string::npos) << again.out;
    const Outcome compared = run("compare-runs r.db 1 1");
    EXPECT_EQ(compared.code, 0) << compared.err;
    EXPECT_NE(compared.out.find("all columns are the same"), std::string::npos) << compared.out;
  }
};

class RowOfAKind : public RowsComeBack, public ::testing::WithParamInterface<std::pair<const char*, const char*>> {};

TEST_P(RowOfAKind, IsResumedRepeatedAndCompared) {
  resume_repeat_and_compare(tiny + " --set policy=sunflow " + GetParam().second);
}

TEST_F(RowsComeBack, AndAreFoundAlteredInAColumn) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=sunflow").code, 0);
  query(path("r.db"), "UPDATE row SET bytes_delivered = bytes_delivered + 1, pst_mean_ps = NULL");
  for (const std::string command : {"rerun r.db 1", "compare-runs r.db 1 1", "run x.toml --db r.db --resume"}) {
    std::filesystem::copy(tiny, path("x.toml"), std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy(source + "/testbed/experiments/tiny.csv", path("tiny.csv"),
                          std::filesystem::copy_options::overwrite_existing);
    EXPECT_NE(refused(command).find("row 1 of \"r.db\" is damaged or was altered"), std::string::npos) << command;
  }
  query(path("r.db"), no_checksums);
  const Outcome altered = run("rerun r.db 1");
  EXPECT_EQ(altered.code, 1);
  EXPECT_EQ(
      altered.err,
      warning_of_row_1 +
          "lightloop: row 1 of \"r.db\" gives the same events, but other values of pst_mean_ps, bytes_delivered\n");
}

TEST_F(RowsComeBack, WithAWarningIfTheyHaveNoChecksum) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set 'policy=[sunflow,hlf]'").code, 0);
  query(path("r.db"), no_checksums + " WHERE row_id = 1");
  EXPECT_EQ(run("rerun r.db 1 --quiet").err, warning_of_row_1);
  EXPECT_EQ(run("rerun r.db 2 --quiet").err, "");
  EXPECT_EQ(run("compare-runs r.db 1 2").err, warning_of_row_1);
  query(path("r.db"), no_checksums);
  const std::string of_both =
      "lightloop: warning: 2 rows of \"r.db\" have no checksum, because an older lightloop wrote them: damage would "
      "not "
      "be noticed\n";
  EXPECT_EQ(run("compare-runs r.db 1 2").err, of_both);
  EXPECT_EQ(run("run " + tiny + " --db r.db --quiet --resume --set 'policy=[sunflow,hlf]'").err,
            of_both + "lightloop: 2 rows are there already\n");
  query(path("r.db"), "DELETE FROM checksum WHERE row_id = 2");
  const std::string runs = "run " + tiny + " --db r.db ";
  for (const std::string& command : {std::string("rerun r.db 2"), std::string("compare-runs r.db 1 2"),
                                     runs + "--resume", runs + "--set charge_planning=row:2"})
    EXPECT_NE(refused(command).find("row 2 of \"r.db\" is damaged or was altered: it has no checksum"),
              std::string::npos)
        << command;
}

TEST_F(RowsComeBack, WithoutTheColumnsThatAnOlderLightloopDidNotHave) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=sunflow").code, 0);
  query(path("r.db"), "UPDATE row SET tuning_requested_ps = NULL; " + no_checksums);
  EXPECT_EQ(run("rerun r.db 1").err,
            warning_of_row_1 +
                "lightloop: row 1 of \"r.db\" gives the same events, but other values of tuning_requested_ps\n");
  query(path("r.db"), "UPDATE row SET version = 'older'");
  const Outcome older = run("rerun r.db 1");
  EXPECT_EQ(older.code, 0) << older.err;
}

TEST_F(RowsComeBack, OfJobsThatComeOverTime) {
  std::ofstream(path("jobs.toml")) << "policy = 'sunflow_inter'\nfabric.device = 'model'\nfabric.ports = 5\n"
                                      "[[job]]\nworkload = 'alexnet'\nworkers = 2\nservers = 1\niterations = 1\n"
                                      "count = 3\nevery = '1 ms'\n";
  resume_repeat_and_compare("jobs.toml --set job.payload=none");
}

TEST_F(RowsComeBack, WithWhatTheyLearned) {
  const std::string learning = " --set policy=hlf --set compute.gradients=real --set job.workload=softmax";
  if (!std::filesystem::exists("/usr/share/datasets/fashion-mnist"))
    GTEST_SKIP() << "no Fashion-MNIST: install the package dataset-fashion-mnist";
  resume_repeat_and_compare(tiny + learning);
}

TEST_F(RowsComeBack, WithTheFilesThatTheirExperimentNames) {
  std::filesystem::create_directory(path("x"));
  std::filesystem::copy_file(tiny, path("x/x.toml"));
  std::filesystem::copy_file(source + "/testbed/experiments/tiny.csv", path("x/tiny.csv"));
  std::ofstream(path("x/times.csv")) << "worker,ns\n0,900\n1,5000\n2,700\n";
  std::ofstream(path("x/rates.csv")) << "ns,node,rate\n0,0,50 Gbit/s\n";
  std::filesystem::copy_file(source + "/host/switches/polatis.toml", path("x/switch.toml"));
  resume_repeat_and_compare(
      "x/x.toml --set policy=hlf --set compute.trace=file:times.csv --set nodes.rate_trace=file:rates.csv --set "
      "fabric.switch=file:switch.toml");
  const Outcome elsewhere = run("rerun " + path("r.db") + " 1", "cd / &&");
  EXPECT_EQ(elsewhere.code, 0) << elsewhere.err;
}

constexpr std::pair<const char*, const char*> kinds_of_rows[] = {
    {"bsp_phase", ""},
    {"bsp", "--set job.sync=bsp"},
    {"asp", "--set job.sync=asp"},
    {"ssp", "--set job.sync=ssp"},
    {"dssp", "--set job.sync=dssp"},
    {"r2sp", "--set job.sync=r2sp"},
    {"p_of_n", "--set job.sync=p_of_n"},
    {"elastic", "--set job.sync=elastic"},
    {"predictive", "--set job.sync=predictive"},
    {"ring", "--set job.collective=all_reduce"},
    {"peers", "--set job.peers=random --set peers.p=1 --set policy=multicast"},
    {"server_load", "--set job.server_load=adaptive"},
    {"packets", "--set network=packet"},
    {"planes", "--set fabric.planes=2"},
    {"timetable", "--set control.mode=timetable"},
    {"charged", "--set charge_planning=measured"},
    {"packets_eager", "--set network=packet --set job.sync=asp"},
    {"processes", "--set nodes.transport=ipc"},
    {"outages", "--set 'fabric.outages=1: 1 us - 4 us'"},
    {"deaths", "--set job.sync=asp --set 'nodes.deaths=2: 30 us' --set job.payload=none"},
    {"slices", "--set job.sync=bsp --set 'job.slice=1 kB' --set job.overlap=wait_free_backprop"},
};
INSTANTIATE_TEST_SUITE_P(Kinds, RowOfAKind, ::testing::ValuesIn(kinds_of_rows),
                         [](const auto& info) { return std::string(info.param.first); });

TEST_F(Cli, RerunShowsWhereTheEventLogsPart) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --events --quiet --set policy=hlf").code, 0);
  query(path("r.db"),
        "UPDATE event SET at = at + 1 WHERE number = 40; UPDATE row SET event_log_hash = '0123456789abcdef'; " +
            no_checksums);
  const Outcome outcome = run("rerun r.db 1");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err, warning_of_row_1 + "lightloop: row 1 of \"r.db\" gives another event log than then\n");
  const std::size_t report = outcome.out.find("first difference: event 40 of ");
  ASSERT_NE(report, std::string::npos) << outcome.out;
  const std::string lines = outcome.out.substr(report);
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 1 + 10 + 2);
  EXPECT_NE(lines.find("              30  cycle "), std::string::npos) << lines;
  EXPECT_EQ(lines.find("              29  cycle "), std::string::npos) << lines;
  const std::int64_t at = std::stoll(query(path("r.db"), "SELECT at FROM event WHERE number = 40"));
  EXPECT_NE(lines.find("\n  then        40  cycle " + std::to_string(at) + "  "), std::string::npos) << lines;
  EXPECT_NE(lines.find("\n  now         40  cycle " + std::to_string(at - 1) + "  "), std::string::npos) << lines;
}

TEST_F(Cli, RerunSaysWhatWasAltered) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=[hlf,sunflow]").code, 0);
  ASSERT_EQ(run("run " + tiny + " --db r.db --events --quiet --set policy=[hlf,sunflow]").code, 0);
  query(path("r.db"), "UPDATE row SET event_log_hash = '0123456789abcdef' WHERE row_id IN (1, 3)");
  query(path("r.db"), "UPDATE event SET port = 0 WHERE row_id = 4 AND number = 11; " + no_checksums);
  EXPECT_NE(
      run("rerun r.db 1").err.find("where they part isn't known, because `lightloop run --events` wasn't used then"),
      std::string::npos);
  EXPECT_NE(run("rerun r.db 3").err.find("has another hash, but the same kept event log: its hash was altered"),
            std::string::npos);
  const Outcome log = run("rerun r.db 4");
  EXPECT_EQ(log.code, 1);
  EXPECT_NE(log.err.find("has the same hash, but not the same kept event log: that was altered"), std::string::npos);
  EXPECT_NE(log.out.find("first difference: event 11 of "), std::string::npos);
  query(path("r.db"), "UPDATE row SET event_log_hash = NULL WHERE row_id = 2");
  EXPECT_NE(refused("rerun r.db 2").find("has no event_log_hash"), std::string::npos);
}

TEST_F(Cli, DividesTheTimeOfWorkersAndPortsInEveryRow) {
  for (const std::string& job : {tiny, tiny + " --set fabric.device=verilated --set fabric.time_warp=false",
                                 main_job + " --set job.payload=none --set 'fabric.locking=1 ms'"})
    for (const Json& row : rows(job)) {
      const auto value = [&](const char* key) { return row.at(key).get<std::int64_t>(); };
      EXPECT_EQ(
          value("node_compute_ps") + value("node_communication_ps") + value("node_dark_ps") + value("node_waiting_ps"),
          value("sim_time_ps"));
      EXPECT_EQ(value("node_compute_ps"), value("compute_ps") * value("iterations"));
      EXPECT_EQ(value("port_up_cycles") + value("port_tuning_cycles") + value("port_locking_cycles") +
                    value("port_held_cycles") + value("port_idle_cycles"),
                value("ports") * value("cycles"));
      EXPECT_EQ(value("port_tuning_cycles") + value("port_locking_cycles") + value("port_held_cycles"),
                value("dark_port_cycles"));
      EXPECT_GE(value("port_up_cycles"), value("words_passed"));
      // Every word of a dedicated server is one worker's; they pass one a cycle.
      if (row["policy"] != "psscheduler") {
        EXPECT_EQ(value("node_communication_ps"), value("words_passed") * value("cycle_ps") / value("workers"));
      }
    }
}

TEST_F(Cli, JobsOfFilesHaveTheirDefaultsInOneFileAndRunAgainFromElsewhere) {
  std::filesystem::create_directory(path("here"));
  std::filesystem::copy_file(source + "/testbed/experiments/jobs.toml", path("here/jobs.toml"));
  std::filesystem::copy_file(source + "/testbed/experiments/tiny.csv", path("here/tiny.csv"));
  const Outcome outcome = run("run here/jobs.toml --set policy=sunflow_inter --db r.db --json r.json");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json row = Json::parse(read(path("r.json"))).at("rows").at(0);
  EXPECT_EQ(row["jobs"], 8);
  EXPECT_EQ(row["coflows"], 2 * (6 * 3 + 3 + 1));  // the defaults of [job] hold: three iterations
  EXPECT_EQ(run("rerun r.db 1").code, 0);
  EXPECT_EQ(run("run here/jobs.toml --set policy=sunflow_inter --db r.db --resume --quiet").err,
            "lightloop: 1 row is there already\n");
  std::filesystem::remove(path("here/tiny.csv"));
  EXPECT_NE(refused("rerun r.db 1").find("tiny.csv"), std::string::npos);
}

}  // namespace
}  // namespace ocs::test
