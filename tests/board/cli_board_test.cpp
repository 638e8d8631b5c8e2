// Experiments on a switch served by another process, in virtual time and with a clock of its own.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

class CliBoard : public Cli {
 protected:
  /// `lightloop serve model --ports 5 --registers FILE` with more options, until the end of the test.
  void serve(const std::string& options, const std::string& file = "w") {
    std::vector<std::string> arguments{"serve", "model", "--ports", "5", "--registers", file};
    std::istringstream more(options);
    for (std::string word; more >> word;) arguments.push_back(word);
    served_.push_back({std::make_unique<Pipe>()});
    Served& one = served_.back();
    one.server = std::make_unique<Child>(path("."), arguments, one.pipe->writer());
    ASSERT_TRUE(has(one.pipe->read_until("\n"), "drives them"));
  }
  std::string run_tiny(const std::string& device, const std::string& more) {
    const Outcome outcome =
        run("run " + tiny + " --set 'fabric.device=" + device + "' " + more + " --db r.db --events --quiet");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return outcome.out;
  }

  struct Served {
    std::unique_ptr<Pipe> pipe;
    std::unique_ptr<Child> server{};
  };
  std::vector<Served> served_;
};

TEST_F(CliBoard, InVirtualTimeEveryRowHasTheHashThatItHasWithoutTheFile) {
  serve("--virtual-time");
  const Json there = rows(tiny + " --set fabric.device=mapped:w"), here = rows(tiny);
  ASSERT_EQ(there.size(), 4u);
  for (std::size_t k = 0; k < there.size(); ++k) {
    EXPECT_EQ(there[k].at("event_log_hash"), here[k].at("event_log_hash"));
    EXPECT_EQ(there[k].at("pst_mean_ps"), here[k].at("pst_mean_ps"));
    EXPECT_TRUE(there[k].at("commands").is_null());
  }
  served_[0].server->send(SIGINT);
  EXPECT_EQ(served_[0].server->wait(), 0);
  EXPECT_FALSE(std::filesystem::exists(path("w")));
}

TEST_F(CliBoard, EachPlaneIsASwitchOfItsOwn) {
  serve("--virtual-time", "w0");
  serve("--virtual-time", "w1");
  const std::string two = tiny + " --set fabric.planes=2";
  const Json there = rows(two + " --set fabric.device=mapped:w%d"), here = rows(two);
  ASSERT_EQ(there.size(), 4u);
  for (std::size_t k = 0; k < there.size(); ++k) EXPECT_EQ(there[k].at("event_log_hash"), here[k].at("event_log_hash"));
}

TEST_F(CliBoard, PlanesWithClocksOfTheirOwnCarryEverything) {
  serve("--slower 100000", "w0");
  serve("--slower 100000", "w1");
  const std::string more = " --set fabric.planes=2 --set policy=hlf --set 'control.lead=\"0.4 us\"'";
  const Json row = rows(tiny + " --set fabric.device=mapped:w%d" + more)[0], twin = rows(tiny + more)[0];
  EXPECT_EQ(row.at("words_passed"), twin.at("words_passed"));
  EXPECT_EQ(row.at("words_lost"), 0);
  EXPECT_EQ(row.at("crc_errors"), 0);
  EXPECT_EQ(row.at("reproducible"), 0);
  EXPECT_GT(row.at("commands"), 0);
}

TEST_F(CliBoard, WithAClockOfItsOwnARunIsThatOfItsTwinOrSaysHowManyCommandsWereLate) {
  serve("--slower 100000");                                                     // half a millisecond a cycle
  const std::string lead = "--set policy=hlf --set 'control.lead=\"0.4 us\"'";  // 40 ms of wall time
  run_tiny("model", lead);
  run_tiny("mapped:w", lead);
  const Json row = rows(tiny + " --set fabric.device=mapped:w " + lead)[0];
  EXPECT_EQ(row.at("words_lost"), 0);
  EXPECT_EQ(row.at("crc_errors"), 0);
  EXPECT_TRUE(row.at("event_log_hash").is_null());
  EXPECT_EQ(row.at("reproducible"), 0);
  EXPECT_GT(row.at("commands"), 0);
  EXPECT_TRUE(has(row.at("command_histogram"), "<= "));
  const Outcome comparison = run("compare-runs r.db 1 2");
  EXPECT_EQ(comparison.code, 0) << comparison.err;
  const bool in_time = !has(comparison.out, "commands_late") ||
                       has(comparison.out, "commands_late           -                       0 ");
  EXPECT_EQ(in_time, has(comparison.out, "the event logs are the same, event by event")) << comparison.out;
}

TEST_F(CliBoard, WithAClockOfItsOwnEveryKindOfJobRuns) {
  serve("--slower 100000");
  for (const char* kind :
       {"job.collective=all_reduce --set policy=sunflow", "job.peers=random --set peers.p=1 --set policy=multicast",
        "\"jobs='[{workers = 2, servers = 1, count = 2}]'\" --set policy=sunflow_inter --set job.payload=none"}) {
    const std::string more = " --set 'control.lead=\"0.4 us\"' --set " + std::string(kind);
    const Json row = rows(tiny + " --set fabric.device=mapped:w" + more)[0], twin = rows(tiny + more)[0];
    EXPECT_EQ(row.at("words_passed"), twin.at("words_passed")) << kind;
    EXPECT_EQ(row.at("words_lost"), 0) << kind;
    EXPECT_EQ(row.at("crc_errors"), 0) << kind;
    EXPECT_EQ(row.at("reproducible"), 0) << kind;
    EXPECT_TRUE(row.at("event_log_hash").is_null()) << kind;
    EXPECT_GT(row.at("commands"), 0) << kind;
  }
}

TEST_F(CliBoard, TakesItsRateFromTheDeviceIfWanted) {
  serve("--virtual-time --rate 12.8Gbit/s --word 32B");
  const std::string here = " --set fabric.device=mapped:w --set fabric.rate=device";
  const Json row = rows(tiny + here)[0];
  EXPECT_EQ(row.at("rate_bps"), 12'800'000'000);
  EXPECT_EQ(row.at("word_bytes"), 32);
  EXPECT_TRUE(has(run("check " + tiny + here).out, "12.8 Gbit/s as it says, word 32 B"));
  const Outcome model = run("check " + tiny + " --set fabric.rate=device");
  EXPECT_EQ(model.code, 2);
  EXPECT_TRUE(has(model.err, "device \"model\" reports no rate; only hardware does")) << model.err;
}

TEST_F(CliBoard, RunsComparedWithAToleranceFailBeyondIt) {
  run_tiny("model", "--set policy=[hlf,sunflow]");
  run_tiny("model", "--set policy=hlf --set 'fabric.tuning=\"2 us\"'");
  EXPECT_EQ(run("compare-runs r.db 1 1 --tolerance 0ns").code, 0);
  const Outcome slower = run("compare-runs r.db 1 3 --tolerance 1us");
  EXPECT_EQ(slower.code, 1);
  EXPECT_TRUE(has(slower.err, "events are shifted by up to")) << slower.err;
  EXPECT_TRUE(has(slower.out, "first difference in time:")) << slower.out;
  EXPECT_TRUE(has(slower.out, "tuning_ps")) << slower.out;
  EXPECT_EQ(run("compare-runs r.db 1 3").code, 0);
  EXPECT_EQ(run("compare-runs r.db 1 9").code, 2);
  EXPECT_TRUE(has(run("compare-runs r.db 1 3 --tolerance soon").err, "--tolerance is \"soon\""));
}

TEST_F(CliBoard, WhatIsWrongIsOneSentence) {
  const auto refused = [&](const std::string& set) {
    const Outcome outcome = run("run " + tiny + " --quiet " + set);
    EXPECT_EQ(outcome.code, 2) << outcome.out << outcome.err;
    return outcome.err;
  };
  EXPECT_TRUE(has(refused("--set fabric.device=mapped"), "must have a path, as in \"mapped:/dev/...\""));
  EXPECT_TRUE(has(refused("--set fabric.device=model:here"), "must be \"model\", without a colon"));
  EXPECT_TRUE(has(refused("--set fabric.device=mapped:none"), "can't be opened: No such file"));
  EXPECT_TRUE(has(refused("--set fabric.device=uart:/dev/none"), "can't be opened"));
  EXPECT_TRUE(has(refused("--set fabric.device=mapped:none --set fabric.planes=2"), "which is one switch"));
  serve("--slower 1000");
  EXPECT_TRUE(
      has(refused("--set fabric.device=mapped:w --set control.mode=timetable"), "control.mode must be \"confirmed\""));
  EXPECT_TRUE(has(refused("--set fabric.device=mapped:w --set fabric.ports=8"), "ports must be 5"));
  EXPECT_TRUE(has(run("serve model --ports 5 --registers w").err, "is served by another program already"));
  EXPECT_TRUE(has(run("serve model --virtual-time").err, "are for --registers"));
  EXPECT_TRUE(has(run("serve model --registers v --slower 3").err, "must divide 1,000,000"));
}

TEST_F(CliBoard, AServerThatEndsEndsTheRunWithASentence) {
  const auto code_after = [&](useconds_t wait) {
    serve("--slower 100000");
    Pipe said;
    Child runs(path("."), {"run", tiny, "--set", "fabric.device=mapped:w", "--quiet"}, -1, said.writer());
    usleep(wait);
    served_.back().server->send(SIGKILL);
    served_.back().server->wait();
    EXPECT_TRUE(has(said.read_until("has ended"), "its server has ended"));
    return runs.wait();
  };
  int code = 2;
  for (const useconds_t wait : {300'000U, 1'000'000U, 4'000'000U})
    if (code == 2) code = code_after(wait);  // the run had not begun when its server ended
  EXPECT_EQ(code, 1);
  serve("--virtual-time");  // over the file that was left
  EXPECT_EQ(run("regs mapped:w --ports 5 -c 'read ID'").code, 0);
}

}  // namespace
}  // namespace ocs::test
