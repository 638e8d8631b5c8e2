// `scheduler = "exec:..."` in experiments: the example, programs that aren't there, and ones that misbehave.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs {
namespace {

using namespace test;

class ExecCli : public Cli {
 protected:
  void program(const std::string& name, const std::string& text) const {
    std::ofstream(path(name)) << text;
    std::filesystem::permissions(path(name), std::filesystem::perms::owner_all);
  }
};

const std::string exact = tiny + " --set job.compute='5120 ns' --set policy=[psscheduler,sunflow] ";
const std::string mine = "--set 'scheduler=\"exec:" + source + "/testbed/examples/mine.py\"' ";

TEST_F(ExecCli, TheExampleIsRunAndCarriedOutAsItPlans) {
  for (const std::string more :
       {"", "--set control.mode=timetable", "--set fabric.switch=mordia --set fabric.ports=24"}) {
    const std::string job = exact + mine + "--set job.iterations=1 " + more;
    const Json ran = rows(job);
    const Json planned = Json::parse(run("plan " + job + " --json -").out).at("plans");
    ASSERT_EQ(ran.size(), 2u);
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(ran[k]["scheduler"], "exec:" + source + "/testbed/examples/mine.py");
      EXPECT_EQ(ran[k]["pst_mean_ps"], planned[k]["pst_ps"]) << more;
      EXPECT_GE(ran[k]["pst_mean_ps"], ran[k]["bound_ps"]);
      EXPECT_LE(ran[k]["pst_mean_ps"].get<double>(), 2 * ran[k]["bound_ps"].get<double>());
      EXPECT_TRUE(ran[k]["pst_pipelined_ps"].is_null());
      EXPECT_EQ(ran[k]["words_lost"], 0);
    }
  }
}

TEST_F(ExecCli, AProgramRunsOnceForEachPlacement) {
  std::ofstream(path("x.toml")) << "[fabric]\ndevice = 'model'\n[job]\nworkload = 'file:" << source
                                << "/testbed/experiments/tiny.csv'\n";
  EXPECT_EQ(rows("x.toml " + mine).size(), 1u);
  const Outcome outcome = run("run " + tiny + " --quiet --json - " + mine);
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json ran = Json::parse(outcome.out).at("rows");
  ASSERT_EQ(ran.size(), 2u);
  EXPECT_EQ(ran[0]["policy"], "psscheduler");
  EXPECT_EQ(ran[1]["policy"], "psscheduler_dedicated");
  for (const char* policy : {"sunflow", "hlf"})
    EXPECT_NE(outcome.err.find(std::string("policy \"") + policy +
                               "\" makes no rows of its own: it places as \"psscheduler_dedicated\", and scheduler"),
              std::string::npos)
        << outcome.err;
}

TEST_F(ExecCli, TheExampleDoesTheMainJobOnTwoIterations) {
  const Json ran = rows(main_job + " --set fabric.device=model --set job.payload=none --set policy=sunflow " + mine);
  EXPECT_LE(ran[0]["pst_over_bound"].get<double>(), 1.5);
}

TEST_F(ExecCli, RowOfAProgramCanBeRerunUntilTheProgramChanges) {
  std::filesystem::copy(source + "/testbed/examples/mine.py", path("mine.py"));
  std::ofstream(path("x.toml")) << "policy = 'hlf'\nscheduler = 'exec:./mine.py'\n[fabric]\ndevice = 'model'\n"
                                   "[job]\nworkload = 'file:"
                                << source << "/testbed/experiments/tiny.csv'\n";
  const Outcome outcome = run("run x.toml --db r.db --events --quiet");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(run("rerun r.db 1 --allow-exec").out.find("the same, event by event"), std::string::npos);
  EXPECT_NE(run("run x.toml --db r.db --resume --quiet").err.find("1 row is there already"), std::string::npos);
  std::ofstream(path("mine.py"), std::ios::app) << "# changed\n";
  EXPECT_NE(run("rerun r.db 1 --allow-exec").err.find("was run with another"), std::string::npos);
}

TEST_F(ExecCli, ProgramThatADatabaseNamesIsExecutedOnlyIfAsked) {
  program("mine", "#!/bin/sh\necho ran >>" + path("ran") + "\nexec python3 " + source + "/testbed/examples/mine.py\n");
  const std::string job = tiny + " --set policy=hlf --db r.db --quiet ";
  const std::string planned = job + "--set 'scheduler=\"exec:" + path("mine") + " --fast\"' ";
  ASSERT_EQ(run("run " + planned).code, 0);
  std::filesystem::remove(path("ran"));
  const std::string sentence = refused("rerun r.db 1");
  ASSERT_EQ(std::system(("sha256sum " + path("mine") + " >" + path("sum")).c_str()), 0);
  EXPECT_NE(sentence.find(read(path("sum")).substr(0, 64)), std::string::npos) << sentence;
  ASSERT_EQ(std::system(("printf -- '--fast\\0' | sha256sum >" + path("sum")).c_str()), 0);
  EXPECT_NE(sentence.find("with the arguments \"--fast\" (SHA-256 " + read(path("sum")).substr(0, 64)),
            std::string::npos)
      << sentence;
  EXPECT_NE(sentence.find("only with --allow-exec"), std::string::npos);
  EXPECT_NE(run("run " + job + "--resume").err.find("0 rows are there"), std::string::npos);
  EXPECT_NE(run("run " + planned + "--resume").err.find("1 row is there already"), std::string::npos);
  EXPECT_FALSE(std::filesystem::exists(path("ran")));
  const Outcome allowed = run("rerun r.db 1 --allow-exec --quiet");
  EXPECT_EQ(allowed.code, 0) << allowed.err;
  EXPECT_NE(allowed.err.find("executes the program \"" + path("mine")), std::string::npos) << allowed.err;
  EXPECT_TRUE(std::filesystem::exists(path("ran")));
}

TEST_F(ExecCli, ChargesOfARowExecuteNothing) {
  program("mine", "#!/bin/sh\necho ran >>" + path("ran") + "\nexec python3 " + source + "/testbed/examples/mine.py\n");
  const std::string job = tiny + " --set policy=hlf --db r.db --quiet ";
  ASSERT_EQ(run("run " + job + "--set charge_planning='1 us' --set scheduler=exec:" + path("mine")).code, 0);
  std::filesystem::remove(path("ran"));
  const Outcome outcome = run("run " + job + "--set charge_planning=row:1");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("ran")));
}

TEST_F(ExecCli, SandboxKeepsAProgramAwayFromFilesAndNetwork) {
  ASSERT_EQ(std::system("bwrap --unshare-all --ro-bind / / true"), 0)
      << "the package bubblewrap is needed, and user namespaces";
  program("mine", "#!/bin/sh\necho x >" + path("written") + "\n(ls /home /root; grep -c : /proc/net/dev) >&2\n" +
                      "echo secret $SECRET >&2\nexec python3 mine.py\n");
  std::filesystem::copy(source + "/testbed/examples/mine.py", path("mine.py"));
  const std::string job = tiny + " --set policy=hlf --set scheduler=exec:" + path("mine");
  const Outcome outcome = run("run " + job + " --quiet --sandbox", "SECRET=key");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_FALSE(std::filesystem::exists(path("written")));
  EXPECT_NE(outcome.err.find("\n1\n"), std::string::npos) << "no network but lo: " << outcome.err;
  EXPECT_EQ(outcome.err.find("key"), std::string::npos);
  EXPECT_NE(run("run " + tiny + " --set policy=hlf --quiet --sandbox").err.find("no effect"), std::string::npos);
  EXPECT_NE(run("check " + job + " --sandbox", "PATH=/nowhere").err.find("needs bubblewrap"), std::string::npos);
}

TEST_F(ExecCli, NothingOfAProgramOutlivesAKilledLightloop) {
  program("mine",
          "#!/bin/sh\nsetsid sh -c 'echo $$ >" + path("id") + "; echo started >&2; exec sleep 600' &\nsleep 600\n");
  Pipe err;
  Child child(folder(), {"run", tiny, "--set", "scheduler=exec:" + path("mine"), "--quiet"}, -1, err.writer());
  err.read_until("started");
  child.send(SIGKILL);
  EXPECT_EQ(child.wait(), -SIGKILL);
  const int id = std::stoi(read(path("id")));
  for (int k = 0; k < 250 && kill(id, 0) == 0; ++k) usleep(20'000);
  EXPECT_NE(kill(id, 0), 0) << "a process of the program is left";
}

TEST_F(ExecCli, RefusesAProgramThatIsNotThere) {
  std::ofstream(path("text.py")) << "print(1)";
  EXPECT_NE(refused("check " + tiny + " --set scheduler=exec:./nothing").find("does not exist"), std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set scheduler=exec:" + path("text.py")).find("chmod +x"), std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set scheduler=exec:no_such_program_anywhere").find("in PATH"),
            std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set scheduler=exec:").find("must name a program"), std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set scheduler=plan:").find("must name a file"), std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set planning_timeout='1 us'").find("must be from 1 ms to"),
            std::string::npos);
  EXPECT_NE(run("check " + tiny + " --set planning_timeout='1 s'").out.find("planning_timeout has no effect"),
            std::string::npos);
}

TEST_F(ExecCli, SaysWhatAProgramDoesWrongAndEnds) {
  const auto said = [&](const std::string& text) {
    program("bad", text);
    const std::string job =
        tiny + " --set policy=hlf --set planning_timeout='300 ms' --set scheduler=exec:" + path("bad");
    const std::string planned = refused("plan " + job, 1);
    EXPECT_NE(refused("run " + job + " --quiet", 1).find(planned.substr(planned.find("bad"), 30)), std::string::npos);
    return planned;
  };
  EXPECT_NE(said("#!/bin/sh\nexit 7\n").find("bad ended with exit code 7"), std::string::npos);
  EXPECT_NE(said("#!/bin/sh\nsleep 60\n").find("hasn't answered within 300 ms"), std::string::npos);
  EXPECT_NE(said("#!/bin/sh\nread -r a; echo '{\"reservations\": []}'; cat >/dev/null\n").find("\"missing\""),
            std::string::npos);
  EXPECT_NE(said("#!/nowhere/python\n").find("couldn't be started"), std::string::npos);
}

TEST_F(ExecCli, CtrlCEndsARunThatWaitsForAProgram) {
  program("slow", "#!/bin/sh\necho started >&2\nsleep 600\n");
  Pipe err;
  Child child(folder(), {"run", tiny, "--set", "scheduler=exec:" + path("slow"), "--quiet"}, -1, err.writer());
  err.read_until("started");
  child.send(SIGINT);
  EXPECT_EQ(child.wait(), 130);
}

}  // namespace
}  // namespace ocs
