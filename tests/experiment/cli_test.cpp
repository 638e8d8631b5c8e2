// The command line: tables, lists, help, progress, outputs that are kept, wrong input.
// SPDX-License-Identifier: Apache-2.0
#include <pty.h>

#include <array>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "tests/common/places.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

TEST_F(Cli, ListsRowsAndRunsShardsOfThem) {
  const std::string sweep = "run " + tiny + " --set policy=[hlf,sunflow] --set seed=[1,2,3] ";
  EXPECT_EQ(
      run(sweep + "--dry-run").out,
      "1  hlf, seed=1\n2  sunflow, seed=1\n3  hlf, seed=2\n4  sunflow, seed=2\n5  hlf, seed=3\n6  sunflow, seed=3\n");
  EXPECT_EQ(run(sweep + "--dry-run --shard 2/4 --db r.db").out, "2  sunflow, seed=1\n6  sunflow, seed=3\n");
  EXPECT_FALSE(std::filesystem::exists(path("r.db")));
  const Json all = rows(sweep.substr(4));
  Json parts = Json::array();
  for (const char* shard : {"1/4", "2/4", "3/4", "4/4"})
    for (const Json& row : rows(sweep.substr(4) + "--shard " + shard)) parts.push_back(row);
  ASSERT_EQ(parts.size(), all.size());
  for (const Json& row : all)
    EXPECT_EQ(std::count_if(parts.begin(), parts.end(),
                            [&](const Json& part) {
                              return part["policy"] == row["policy"] && part["seed"] == row["seed"] &&
                                     part["event_log_hash"] == row["event_log_hash"];
                            }),
              1);
  EXPECT_EQ(run("run " + tiny + " --shard 2/2 --quiet --json r.json").code, 0);
  for (const char* shard : {"0/4", "5/4", "1", "1/", "/", "-1/4", "1/100001", "1/2/3", "a/b"})
    EXPECT_NE(refused(std::string("run ") + tiny + " --shard " + shard).find("but must be K/N"), std::string::npos)
        << shard;
}

TEST_F(Cli, RunsWorkloadsOfNarrowElements) {
  std::ofstream(path("narrow.csv")) << "index,name,shape,elements,bytes\n0,a,101x3,303,606\n1,b,77,77,77\n2,c,5,5,20\n";
  for (const char* payload : {"full", "digest"})
    for (const Json& row :
         rows(tiny + " --set job.workload=file:" + path("narrow.csv") + " --set job.payload=" + payload)) {
      EXPECT_EQ(row["crc_errors"], 0);
      EXPECT_EQ(row["sum_errors"], 0);
      EXPECT_GT(row["words_passed"], 0);
    }
}

TEST_F(Cli, WarnsOnceOfASettingWithoutEffect) {
  for (const char* command : {"run --quiet ", "plan ", "run --quiet --db r.db "}) {
    const Outcome outcome = run(command + tiny + " --set policy=[hlf,sunflow] --set sync.s=3");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err,
              "lightloop: warning: --set sync.s=3: sync.s has no effect in this experiment: ssp alone reads it\n")
        << command;
  }
}

TEST_F(Cli, PrintsATableOfAllPolicies) {
  const Outcome outcome = run("run " + tiny);
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* word : {"tiny: ", "PST mean", "x bound", "x psscheduler", "circuits", "dark", "words passed",
                           "words lost", "CRC errors", "simulated", "cycles/edge", "wall", "x real time",
                           "\npsscheduler ", "\npsscheduler_dedicated ", "\nsunflow ", "\nhlf "})
    EXPECT_NE(outcome.out.find(word), std::string::npos) << word << '\n' << outcome.out;
  EXPECT_EQ(outcome.err.find('\r'), std::string::npos);  // no terminal, no progress line
  EXPECT_NE(outcome.err.find("[4/4] hlf: iteration 22.89 us, PST 20.89 us, wall "), std::string::npos) << outcome.err;
  std::istringstream lines(outcome.out);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100u) << line;
}

TEST_F(Cli, ComparesWithTheBaselineThatIsAskedFor) {
  const Outcome outcome = run("run " + tiny + " --baseline policy=hlf --set policy=[psscheduler,hlf]");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("x hlf"), std::string::npos) << outcome.out;
  EXPECT_EQ(outcome.out.find("x psscheduler"), std::string::npos) << outcome.out;
  const std::string head = "--baseline is \"", axes = "\", but must be KEY=VALUE with one of the axes, policy";
  EXPECT_NE(refused("run " + tiny + " --db r.db --baseline policy=sun")
                .find(head + "policy=sun\", but policy must be one of the values of this experiment, psscheduler, "),
            std::string::npos);
  for (const char* wrong : {"job.workers=3", "policy", "=", "x=y"})
    EXPECT_NE(refused("run " + tiny + " --db r.db --baseline " + wrong).find(head + wrong), std::string::npos) << wrong;
  EXPECT_NE(refused("run " + tiny + " --baseline x=y").find(axes), std::string::npos);
  EXPECT_NE(refused("run " + tiny + " --set policy=hlf --baseline policy=hlf").find("this experiment has none"),
            std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("r.db")));
}

TEST_F(Cli, BaselineMayBeARowOfAnEarlierRun) {
  ASSERT_EQ(run("run " + tiny + " --db r.db --quiet --set policy=[psscheduler]").code, 0);
  const Outcome outcome = run("run " + tiny + " --db r.db --resume --set policy=[psscheduler,hlf]");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("hlf      22.89 us          1.647  20.89 us          1.812"), std::string::npos)
      << outcome.out;
}

TEST_F(Cli, QuietPrintsNothing) {
  const Outcome outcome = run("run " + tiny + " --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.out + outcome.err, "");
}

TEST_F(Cli, AWorkloadMayBeASize) {
  std::ofstream(path("vector.csv")) << "index,name,shape,elements,bytes\n0,vector,1000,1000,4000\n";
  const std::string job = "run " + tiny + " --quiet --json - --set policy=hlf --set job.servers=1 --set 'job.workload=";
  const Outcome file = run(job + "\"file:" + path("vector.csv") + "\"'"), size = run(job + "\"4 kB\"'");
  ASSERT_EQ(size.code, 0) << size.err;
  const Json by_file = Json::parse(file.out)["rows"][0], by_size = Json::parse(size.out)["rows"][0];
  EXPECT_EQ(by_size["workload"], "4 kB");
  for (const char* column : {"event_log_hash", "words_passed", "iteration_mean_ps"})
    EXPECT_EQ(by_size[column], by_file[column]) << column;
}

TEST_F(Cli, ProfileSaysWhereTheWallTimeOfEachRowWent) {
  const std::string job = tiny + " --quiet --set policy=[sunflow,hlf] --set fabric.device=verilated";
  const Outcome plain = run("run " + job + " --json -"), profiled = run("run " + job + " --json - --profile");
  EXPECT_EQ(plain.err, "");
  EXPECT_EQ(profiled.code, 0);
  for (const char* word : {"[1/2] sunflow: ", "[2/2] hlf: ", "\n  RTL evaluation ", " each\n", "\n  glue ",
                           "\n  driver ", "\n  controller ", "\n  scheduler ", "\n  placer ", "\n  accounting ",
                           "\n  transport ", "\n  payload ", "\n  database ", "\n  rest ", "\n  stopwatch "})
    EXPECT_NE(profiled.err.find(word), std::string::npos) << word << '\n' << profiled.err;
  const Json then = Json::parse(plain.out)["rows"], now = Json::parse(profiled.out)["rows"];
  for (const char* key : {"event_log_hash", "pst_mean_ps", "edges", "messages"})
    for (std::size_t k = 0; k < 2; ++k) EXPECT_EQ(then[k][key], now[k][key]) << key;
  const Outcome model = run("run " + tiny + " --quiet --profile --set policy=hlf --set fabric.device=model");
  EXPECT_EQ(model.out, "");
  EXPECT_NE(model.err.find("\n  device "), std::string::npos) << model.err;
  EXPECT_EQ(model.err.find("RTL"), std::string::npos) << model.err;
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

/// What the program shows on a terminal of its own.
std::string shown_on_a_terminal(std::vector<std::string> arguments) {
  arguments.insert(arguments.begin(), ocs::test::built("lightloop"));
  std::vector<char*> raw;
  for (std::string& argument : arguments) raw.push_back(argument.data());
  raw.push_back(nullptr);
  int terminal = 0;
  const pid_t child = forkpty(&terminal, nullptr, nullptr, nullptr);
  EXPECT_GE(child, 0);
  if (child == 0) {
    execv(raw[0], raw.data());
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
  return shown;
}

TEST_F(Cli, ShowsProgressOnATerminal) {
  const std::string shown = shown_on_a_terminal(
      {"run", main_job, "--set", "fabric.device=model", "--set", "policy=hlf", "--set", "job.payload=none"});
  EXPECT_NE(shown.find("\r[1/1] hlf  "), std::string::npos) << shown;
  EXPECT_NE(shown.find("%  simulated "), std::string::npos) << shown;
  EXPECT_NE(shown.find("waiting for "), std::string::npos) << shown;
}

TEST_F(Cli, EstimatesTheTimeLeftOfAllRows) {
  std::ofstream(path("slow")) << "#!/bin/sh\nsleep 1.2\nexec " + source + "/testbed/examples/mine.py\n";
  std::filesystem::permissions(path("slow"), std::filesystem::perms::owner_all);
  const std::string shown = shown_on_a_terminal(
      {"run", tiny, "--set", "policy=hlf", "--set", "seed=[1,2]", "--set", "scheduler=exec:" + path("slow")});
  EXPECT_NE(shown.find("\r[2/2] hlf, seed=2  "), std::string::npos) << shown;
  EXPECT_NE(shown.find("  about "), std::string::npos) << shown;
  EXPECT_NE(shown.find(" s left"), std::string::npos) << shown;
}

TEST_F(Cli, ChecksAndPrintsEveryKeyAndTheRounding) {
  const Outcome outcome = run("check " + tiny + " --set fabric.tuning='11.5 us' --set fabric.locking='3.84 ns'");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"valid, 4 rows", "fabric.word           = \"64 B\"", "# default", "tiny.toml:7",
                           "tuning 11.5 us: 2,247 cycles = 11.50464 us, rounded up by 0.0404 %",
                           "locking 3.84 ns: 1 cycle = 5.12 ns, rounded up by 33.33 %",
                           "warning: a delay is rounded up by 33.33 %, more than 1 %; a clock of 260.4167 MHz",
                           "471 words = 30.144 kB, rounded up by 0.3463 %"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << '\n' << outcome.out;
}

TEST_F(Cli, CheckSaysWhatMirrorsTakeBeyondTheirTime) {
  const std::string counted = "  no plan counts with what mirrors take beyond their time\n";
  const std::string late = run("check " + tiny + " --set fabric.jitter='2.61632 us'").out;
  const std::string jitter =
      "  jitter 2.61632 us: 511 cycles = 2.61632 us, rounded up by 0 %\n"
      "  each tuning takes 0 to 511 cycles more, drawn anew\n";
  EXPECT_NE(late.find(jitter + counted), std::string::npos) << late;
  const std::string stuck = run("check " + tiny + " --set fabric.mirror_faults='1: stuck 2 us - 9 us'").out;
  EXPECT_NE(stuck.find(counted), std::string::npos) << stuck;
  EXPECT_EQ(run("check " + tiny).out.find(counted), std::string::npos);
}

TEST_F(Cli, CheckSaysWhatMirrorsDoToOthers) {
  const auto said = [&](const std::string& neighbours) {
    return run("check " + tiny + " --set fabric.neighbours='" + neighbours + "'").out;
  };
  EXPECT_NE(said("disturb at 1, 3 for 2.56 us")
                .find("  disturbance 2.56 us: 500 cycles = 2.56 us, rounded up by 0 %\n"
                      "  neighbours: disturb at 1, 3 for 2.56 us; no plan counts with it, and words that are lost are "
                      "sent again\n"),
            std::string::npos);
  EXPECT_EQ(said("disturb at 1 for 1.1 us").find("warning: mirrors are disturbed"), std::string::npos);
  EXPECT_NE(
      said("disturb at 1 for 1.2 us")
          .find("warning: mirrors are disturbed for longer than circuits take to be set up: of those that are set "
                "up together the first words are lost\n"),
      std::string::npos);
  EXPECT_NE(said("disturb at 32 for 2.56 us").find("  mirrors disturb nobody: no two outputs are so far apart\n"),
            std::string::npos);
  EXPECT_NE(said("park for 2.56 us")
                .find("  mirrors are parked before they move: 2.56 us of their tuning; they disturb nobody\n"),
            std::string::npos);
  EXPECT_EQ(run("check " + tiny).out.find("disturb nobody"), std::string::npos);
}

TEST_F(Cli, CheckSaysHowFarLightIsFromBeingLost) {
  const auto said = [&](const std::string& light) {
    return run("check " + tiny + " --set fabric.light='" + light + "'").out;
  };
  EXPECT_NE(said("-3 dBm less 2.55 dB").find("  light: -5.55 dBm at outputs; it is there or not, as faults say\n"),
            std::string::npos);
  const std::string late = said(
      "-3 dBm less 2.5 dB, lost below -14 dBm for 51.2 ns, back at -14 dBm for 1 us; rings 2 times for 1.2 us "
      "after 3 us");
  EXPECT_NE(late.find("  light: -5.5 dBm at outputs, 8.5 dB above the level below which it is lost\n"
                      "  loss 51.2 ns: 10 cycles = 51.2 ns, rounded up by 0 %\n"
                      "  return 1 us: 196 cycles = 1.00352 us, rounded up by 0.352 %\n"
                      "  a mirror that arrives is without light 2 times, for 1.2 us after 3 us with light; no plan "
                      "counts with it, and words that are lost are sent again\n"),
            std::string::npos)
      << late;
  EXPECT_NE(said("-3 dBm, lost below -14 dBm; rings for 1 us")
                .find("is without light 1 time, for 1 us after 0 ps with light; no plan counts with it\n"),
            std::string::npos);
  EXPECT_EQ(run("check " + tiny).out.find("light: "), std::string::npos);
}

TEST_F(Cli, CheckNamesTheWeakestPairOfALightThatDiffersByPort) {
  const auto write = [&](const std::string& more) {
    std::ofstream(path("p.toml")) << "ports = 5\n[tuning]\nall = \"1 us\"\n[locking]\nall = \"0 ns\"\n[optics]\n"
                                     "laser = [-3, -4.5, -2, -9, -3]\nloss = [0, 0.25, 2.75, 1, 0]\n" +
                                         more;
  };
  for (const char* file : {"tiny.toml", "tiny.csv"})
    std::filesystem::copy_file(source + "/testbed/experiments/" + file, path(file));
  const std::string command = "check tiny.toml --set fabric.switch=file:p.toml";
  write("");
  EXPECT_NE(run(command).out.find(
                "  light: -11.75 dBm at output 2 from input 3, the weakest pair; it is there or not, as faults say\n"),
            std::string::npos)
      << run(command).out;
  write("light = \"0 dBm, lost below -14 dBm\"\n");
  EXPECT_NE(run(command).out.find("  light: -11.75 dBm at output 2 from input 3, the weakest pair, 2.25 dB above the "
                                  "level below which it is lost\n"),
            std::string::npos);
  EXPECT_EQ(run(command + " --set fabric.device=soc").code, 0) << "its firmware sets levels, too";
  write("light = \"0 dBm, lost below -11 dBm\"\n");
  EXPECT_NE(
      refused(command).find("but must have light to spare: -11.75 dBm at output 2 from input 3 are below -11 dBm, "
                            "and that circuit would never be up"),
      std::string::npos);
}

TEST_F(Cli, OneThingIsNotManyThings) {
  const std::string one = tiny + " --set policy=sunflow --set job.workers=1 --set job.servers=1";
  const std::string checked = run("check " + one + " --set job.workload=softmax").out;
  EXPECT_NE(checked.find(": valid, 1 row\n"), std::string::npos);
  EXPECT_NE(checked.find("job: 1 worker, 1 server, workload softmax\n"), std::string::npos) << checked;
  const std::string planned = run("plan " + one).out;
  for (const char* text :
       {"tiny.csv, 1 worker, delta", "server on node 0: 4 blocks, ", "push: 1 flow, 1 reservation, "})
    EXPECT_NE(planned.find(text), std::string::npos) << planned;
}

TEST_F(Cli, PlansWithoutADevice) {
  const Outcome outcome = run("plan " + tiny + " --set policy=sunflow");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  for (const char* text : {"sunflow: placer mxnet, scheduler sunflow", "server on node 0: 2 blocks", "first.weight",
                           "push: 6 flows, 6 reservations", "pull: 6 flows, 6 reservations", "lower bound"})
    EXPECT_NE(outcome.out.find(text), std::string::npos) << text << '\n' << outcome.out;
}

TEST_F(Cli, ListsWhatThereIs) {
  const std::array<std::array<const char*, 2>, 8> lists = {{{"devices", "model"},
                                                            {"policies", "psscheduler_dedicated"},
                                                            {"schedulers", "sunflow"},
                                                            {"placers", "mxnet"},
                                                            {"allocations", "chunks"},
                                                            {"workloads", "resnet50"},
                                                            {"sync", "bsp_phase"},
                                                            {"keys", "fabric.tuning = \"10 ms\""}}};
  for (const auto& [list, entry] : lists) {
    const Outcome outcome = run("list " + std::string(list));
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(("\n" + outcome.out).find("\n" + std::string(entry)), std::string::npos) << outcome.out;
  }
}

TEST_F(Cli, ListsTheKeysByTableWithin100Columns) {
  const std::string all = run("list keys").out;
  std::istringstream lines(all);
  std::vector<std::string> tables;
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100U) << line;
    if (line.starts_with("[")) tables.push_back(line);
    const std::size_t dot = line.substr(0, line.find(' ')).find('.');
    if (!line.starts_with(" ") && dot != std::string::npos) {
      ASSERT_FALSE(tables.empty()) << line;
      EXPECT_EQ("[" + line.substr(0, dot) + "]", tables.back()) << line;
    }
  }
  EXPECT_EQ(std::set<std::string>(tables.begin(), tables.end()).size(), tables.size()) << "each table once";
  EXPECT_GE(tables.size(), 9U);
}

TEST_F(Cli, ListsWhatAFilterLeaves) {
  const std::string fabric = run("list keys fabric.").out;
  EXPECT_EQ(fabric.rfind("[fabric]\nfabric.device = ", 0), 0u) << fabric;
  EXPECT_EQ(fabric.find("job."), std::string::npos);
  const std::string policies = run("list policies hlf").out;
  EXPECT_NE(policies.find("hlf_equal"), std::string::npos);
  EXPECT_EQ(policies.find("byteps"), std::string::npos);
  EXPECT_EQ(refused("list keys fabric.tunning"),
            "none of the keys contains \"fabric.tunning\"; did you mean \"fabric.tuning\"?\n");
}

TEST_F(Cli, ListsColumnsWithUnitsAndKindsOfJob) {
  EXPECT_NE(run("list columns words_lost").out.find("words_lost integer words"), std::string::npos);
  EXPECT_NE(run("list job_columns slowdown").out.find("slowdown number"), std::string::npos);
  const std::string peers = run("list columns --for peers").out;
  EXPECT_NE(peers.find("\naccuracy number "), std::string::npos) << peers;
  EXPECT_EQ(peers.find("\npst_mean_ps "), std::string::npos) << peers;
  EXPECT_NE(run("list columns makespan_ps").out.find(" (of trace, jobs)\n"), std::string::npos);
  const std::string list = run("list job_columns --markdown").out;
  EXPECT_EQ(list.rfind("- `job` (integer): number of the job, counted from 1 in the order of the arrivals\n", 0), 0u)
      << list;
  EXPECT_NE(list.find("\n- `words_retransmitted` (integer, words): words of these transfers\n"), std::string::npos);
  EXPECT_NE(list.find("\n- `blocked_max_ps` (integer, ps; all kinds: of whole jobs; or null): largest of these\n"),
            std::string::npos);
  std::istringstream lines(run("list columns --markdown").out);
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), 100u) << line;
    EXPECT_TRUE(line.starts_with("- `") || line.starts_with("  ")) << line;
  }
}

TEST_F(Cli, SuggestsWhatIsMostAlike) {
  EXPECT_EQ(refused("list polcies"),
            "unknown list \"polcies\" (did you mean \"policies\"?); known: devices, policies, schedulers, placers, "
            "allocations, workloads, sync, collectives, selections, switches, kinds, keys, columns, job_columns\n");
  EXPECT_EQ(refused("regs modle").rfind("unknown device \"modle\" (did you mean \"model\"?); known: model, ", 0), 0u);
  EXPECT_EQ(refused("chek x.toml").rfind("unknown command \"chek\" (did you mean \"check\"?); known: run, list, ", 0),
            0u);
  const std::string policy = refused("check " + tiny + " --set policy=sunflo");
  EXPECT_NE(policy.find("; did you mean \"sunflow\"?"), std::string::npos) << policy;
}

TEST_F(Cli, PointsToTheHelpOfTheSubcommand) {
  EXPECT_EQ(refused("plan"), "EXPERIMENT is required; see `lightloop plan --help`\n");
  EXPECT_EQ(refused("rtl build"), "PORTS is required; see `lightloop rtl build --help`\n");
  EXPECT_EQ(refused(""), "A subcommand is required; see `lightloop --help`\n");
  EXPECT_EQ(run("node --help").out.find("--memory"), std::string::npos) << "only a coordinator gives it";
}

TEST_F(Cli, HelpsAndTellsItsVersion) {
  EXPECT_EQ(run("--version").out.substr(0, 12), "lightloop 0.");
  for (const char* command : {"", "run", "list", "check", "plan", "rerun", "node"}) {
    const Outcome outcome = run(std::string(command) + " --help");
    EXPECT_EQ(outcome.code, 0);
    EXPECT_NE(outcome.out.find("Usage: lightloop"), std::string::npos) << outcome.out;
  }
}

TEST_F(Cli, HelpHasLinesOfAtMost100Columns) {
  for (const char* command :
       {"",          "run",    "list",       "check",   "plan",         "rerun", "compare-runs", "gantt",
        "why",       "report", "node",       "regs",    "characterize", "serve", "reconcile",    "rtl",
        "rtl build", "manual", "completion", "regress", "trend",        "sweep", "merge",        "bisect"}) {
    std::istringstream lines(run(std::string(command) + " --help").out);
    for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 100U) << command << ": " << line;
  }
}

TEST_F(Cli, HelpSaysTheDefaultOfEachOption) {
  for (const char* command : {"run", "check", "plan"}) {
    const std::string help = run(std::string(command) + " --help").out;
    std::istringstream lines(help.substr(help.find("\nOptions:")));
    std::string option;
    const auto check = [&] {  // a flag has none: without it, nothing happens
      const bool has_value = option.find(" FILE") != std::string::npos || option.find(" NUMBER") != std::string::npos ||
                             option.find(" N:") != std::string::npos || option.find("K/N") != std::string::npos;
      EXPECT_TRUE(!has_value || option.find("default: ") != std::string::npos) << command << ": " << option;
    };
    for (std::string line; std::getline(lines, line);) {
      if (line.starts_with("  -")) {
        check();
        option.clear();
      }
      if (line.starts_with("  ")) option += line + " ";
    }
    check();
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
  refused("run " + tiny + " --set fabric.device=verilated --set fabric.ports=257");
  refused("run");
  refused("walk " + tiny);
  refused("");
  refused("list everything");
  refused("run " + tiny + " --set");
  refused("run " + tiny + " --unknown");
}

TEST_F(Cli, ASwitchWithADelayForEachPairGivesEqualHashesOnEveryDevice) {
  ASSERT_EQ(run("characterize model --ports 4 --switch polatis --save twin.toml --quiet").code, 0);
  std::ofstream(path("x.toml"))
      << "policy = ['psscheduler', 'sunflow']\n[fabric]\nports = 4\nswitch = 'file:twin.toml'\n"
         "[job]\nworkload = 'alexnet'\nworkers = 3\nservers = 1\npayload = 'none'\n";
  const Json first = rows("x.toml --set fabric.device=model");
  ASSERT_EQ(first.size(), 2u);
  for (const Json& row : first) {
    EXPECT_EQ(row.at("switch"), "file:twin.toml");
    EXPECT_EQ(row.at("words_lost"), 0);
  }
  for (const std::string device : {"verilated", "verilated_counter"}) {
    const Json again = rows("x.toml --set fabric.device=" + device);
    for (std::size_t k = 0; k < first.size(); ++k) {
      EXPECT_EQ(again[k].at("event_log_hash"), first[k].at("event_log_hash")) << device;
      EXPECT_EQ(again[k].at("pst_mean_ps"), first[k].at("pst_mean_ps")) << device;
    }
  }
  // The same delays from the preset itself: what was measured and saved is what was set.
  const Json preset = rows("x.toml --set fabric.switch=polatis --set fabric.device=model");
  for (std::size_t k = 0; k < first.size(); ++k)
    EXPECT_EQ(preset[k].at("event_log_hash"), first[k].at("event_log_hash"));
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
  for (const std::string& command : {std::string("list keys"), std::string("--help"), "check" + experiment,
                                     "run" + experiment, "plan" + experiment + " --json -"}) {
    const std::string line = "cd '" + folder() + "' && '" + ocs::test::built("lightloop") + "' " + command +
                             " </dev/null >/dev/full 2>'" + path("err") + "'";
    const int status = std::system(line.c_str());
    ASSERT_TRUE(WIFEXITED(status)) << command << " was ended by signal " << WTERMSIG(status);
    EXPECT_EQ(WEXITSTATUS(status), 1) << command << ": " << read(path("err"));
    EXPECT_NE(read(path("err")).find("lightloop: "), std::string::npos) << command;
  }
}

// The last text crosses the end of a block of stdout's buffer, and the file may not take this block: what is left of the
// text is dropped with it, so that no write fails after that.
TEST_F(Cli, SaysWhenTheLastBlockOfStandardOutputDoesNotFit) {
  constexpr std::size_t block = 4096, blocks_of_ulimit = 512;
  const auto command = [](std::size_t slashes) { return "check '" + std::string(slashes, '/') + tiny + "'"; };
  const std::string text = run(command(1)).out;
  const std::size_t each = run(command(2)).out.size() - text.size();  // the name of the file stands there several times
  const std::size_t last = text.size() - (text.rfind('\n', text.size() - 2) + 1);
  ASSERT_GT(each, 0U);
  ASSERT_LT(each, last) << "some number of slashes makes the last line cross a block's end";
  std::size_t slashes = 1, size = text.size();
  for (; size < block || size % block == 0 || size % block >= last; size += each) ++slashes;
  const std::size_t most = size / block * block / blocks_of_ulimit - 1;
  const Outcome outcome = run(command(slashes), "ulimit -f " + std::to_string(most) + "; ");
  EXPECT_EQ(outcome.code, 1) << slashes << " slashes";
  EXPECT_EQ(outcome.err, "lightloop: standard output can't be written\n");
}

}  // namespace
}  // namespace ocs::test
