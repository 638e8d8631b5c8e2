// lightloop plan --json, --check and --execute, as a user types them.
// SPDX-License-Identifier: Apache-2.0
#include <pty.h>
#include <sys/ioctl.h>

#include <algorithm>
#include <map>

#include "testbed/results/text/human.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs {
namespace {

using namespace test;

class PlanCli : public Cli {
 protected:
  Json plans(const std::string& arguments) const {
    const Outcome outcome = run("plan " + arguments + " --json -");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    return Json::parse(outcome.out);
  }
  void write(const std::string& name, const Json& json) const { std::ofstream(path(name)) << json; }
};

TEST_F(PlanCli, WritesDemandAndPlanAndFindsThatTheyKeepAllRules) {
  for (const std::string more :
       {"", " --set fabric.all_stop=true --set policy=[solstice_allstop,rotor]",
        " --set fabric.fibre='50 ns' --set control.lead='1 us'", " --set nodes.extra_fibre='0 ns, 300 ns, 70 ns'",
        " --set control.mode=timetable --set control.guard='20 ns'",
        " --set job.colocated=true --set fabric.switch=mordia --set fabric.ports=24"}) {
    const Json json = plans(tiny + more);
    write("p.json", json);
    const Outcome outcome = run("plan " + tiny + more + " --check p.json");
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(static_cast<std::size_t>(std::count(outcome.out.begin(), outcome.out.end(), '\n')),
              json.at("plans").size());
    EXPECT_NE(outcome.out.find("p.json#1: keeps all rules, push of "), std::string::npos) << outcome.out;
  }
}

/// Mirrors that are programmed in turn wait as the model does, not as a plan says.
TEST_F(PlanCli, PrintsOnPaperWhatIsProgrammedInTurn) {
  const std::string job = tiny + " --set job.iterations=1 --set fabric.program_time='3 us'";
  const Json json = plans(job), ran = rows(job);
  ASSERT_EQ(json.at("plans").size(), ran.size());
  for (std::size_t k = 0; k < ran.size(); ++k) EXPECT_EQ(json["plans"][k]["words"], ran[k]["words_passed"]);
  write("p.json", json);
  const Outcome outcome = run("plan " + job + " --check p.json");
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("p.json#1: keeps all rules, an iteration of "), std::string::npos) << outcome.out;
  const Outcome executed = run("plan " + job + " --execute p.json --json - --quiet");
  ASSERT_EQ(executed.code, 0) << executed.err;
  EXPECT_EQ(Json::parse(executed.out).at("rows")[0]["words_passed"], ran[0]["words_passed"]);
  EXPECT_NE(run("plan " + job).out.find("on paper, one iteration: "), std::string::npos);
}

TEST_F(PlanCli, NamesTheRuleThatAPlanBreaks) {
  const std::string one = tiny + " --set policy=sunflow";
  const Json good = plans(one);
  const auto broken = [&](const std::function<void(Json&)>& change) {
    Json json = good;
    change(json.at("plans")[0]);
    write("bad.json", json);
    const std::string check = refused("plan " + one + " --check bad.json");
    const std::string execute = refused("plan " + one + " --execute bad.json --quiet");
    EXPECT_EQ(execute, check);
    const std::size_t begin = check.find("breaks the rule \"");
    return begin == std::string::npos ? check : check.substr(begin + 17, check.find('"', begin + 17) - begin - 17);
  };
  EXPECT_EQ(broken([](Json& p) { p["push"]["reservations"].erase(0); }), "missing");
  EXPECT_EQ(broken([](Json& p) {
              p["pull"]["reservations"][0]["start"] = 1 + p["pull"]["reservations"][0]["start"].get<int>();
            }),
            "settle");
  EXPECT_EQ(broken([](Json& p) { p["push"]["problem"]["flows"][0]["length"] = 1; }), "demand");
  EXPECT_EQ(broken([](Json& p) { p["blocks"][0]["server"] = 4; }), "placement");
  EXPECT_EQ(broken([](Json& p) { p["blocks"][0]["bytes"] = 8; }), "placement");
  EXPECT_EQ(broken([](Json& p) { p["blocks"][0]["block"] = 99; }), "placement");
  EXPECT_EQ(broken([](Json& p) { p["blocks"].erase(0); }), "placement");
}

TEST_F(PlanCli, RefusesAFileWithoutAPlanForEachRow) {
  write("p.json", plans(tiny));
  EXPECT_EQ(refused("plan " + tiny + " --set policy=hlf --check p.json"),
            "\"p.json\" has 4 plans, but must have 1, one for each row of the experiment; --set chooses rows\n");
  EXPECT_NE(refused("plan " + tiny + " --check nothing.json").find("can't be read"), std::string::npos);
  EXPECT_NE(refused("plan " + tiny + " --check p.json --execute p.json").find("excludes"), std::string::npos);
  EXPECT_NE(refused("plan " + tiny + " --events").find("--execute"), std::string::npos);
}

TEST_F(PlanCli, ExecutesAPlanToTheCycle) {
  for (const std::string device : {"model", "verilated_counter"}) {
    const std::string job = tiny + " --set job.iterations=1 --set job.compute='5120 ns' --set fabric.device=" + device;
    const Json planned = plans(job);
    write("p.json", planned);
    const Outcome outcome = run("plan " + job + " --execute p.json --json - --quiet");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const Json executed = Json::parse(outcome.out).at("rows"), ran = rows(job);
    ASSERT_EQ(executed.size(), 4u);
    for (std::size_t k = 0; k < 4; ++k) {
      EXPECT_EQ(executed[k]["pst_mean_ps"], planned["plans"][k]["pst_ps"]);
      EXPECT_EQ(executed[k]["event_log_hash"], ran[k]["event_log_hash"]);
      EXPECT_EQ(executed[k]["scheduler"], "plan:" + path("p.json") + "#" + std::to_string(k + 1));
    }
    std::filesystem::remove(path("p.json"));
  }
}

TEST_F(PlanCli, ExecutesAPlanThatIsAnotherOne) {
  const std::string job = tiny + " --set job.iterations=1 --set job.compute='5120 ns' --set policy=sunflow";
  const Json best = plans(tiny + " --set job.iterations=1 --set job.compute='5120 ns' --set policy=psscheduler");
  write("p.json", best);
  const Outcome outcome = run("plan " + job + " --execute p.json --json - --quiet");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  const Json row = Json::parse(outcome.out).at("rows")[0];
  EXPECT_EQ(row["pst_mean_ps"], best["plans"][0]["pst_ps"]) << "with its placement";
  EXPECT_EQ(row["crc_errors"], 0);
  EXPECT_EQ(row["sum_errors"], 0);
  EXPECT_GE(row["pst_mean_ps"], row["lp_bound_ps"]);
}

TEST_F(PlanCli, KeepsAnExecutedPlanInADatabaseThatCanBeRerun) {
  write("p.json", plans(tiny + " --set policy=[hlf,sunflow]"));
  const Outcome outcome =
      run("plan " + tiny + " --set policy=[hlf,sunflow] --execute p.json --db r.db --events --quiet");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(run("rerun r.db 2").out.find("the same, event by event"), std::string::npos);
  std::ofstream(path("p.json"), std::ios::app) << " ";
  EXPECT_NE(refused("rerun r.db 2").find("was run with another"), std::string::npos);
}

TEST_F(PlanCli, DrawsPlansAndWhatBecameOfThem) {
  const std::string job = tiny + " --set policy=sunflow --set job.iterations=1";
  const Outcome plan = run("plan " + job + " --gantt --svg plan.svg", "COLUMNS=70");
  EXPECT_EQ(plan.code, 0) << plan.err;
  EXPECT_EQ(plan.out.substr(0, 33), "sunflow, as sunflow plans it\nout ");
  EXPECT_EQ(plan.out.find('\x1b'), std::string::npos) << "colour only on a terminal";
  EXPECT_EQ(read(path("plan.svg")).substr(0, 4), "<svg");
  EXPECT_NE(refused("plan " + job + " --svg plan.svg").find("name a new file"), std::string::npos);
  write("p.json", plans(job));
  const Outcome done = run("plan " + job + " --execute p.json --gantt --svg done.svg --quiet", "COLUMNS=70");
  EXPECT_EQ(done.code, 0) << done.err;
  EXPECT_EQ(done.out.substr(0, 24), "sunflow, as model did it");
  EXPECT_NE(read(path("done.svg")).find("input 2 to output 0: data"), std::string::npos);
  EXPECT_NE(refused("plan " + job + " --check p.json --gantt").find("excludes"), std::string::npos);
}

/// No two reservations have a port of a plane at one time.
void expect_ports_apart(const Json& reservations) {
  std::map<std::string, std::vector<std::pair<std::int64_t, std::int64_t>>> taken;
  for (const Json& r : reservations) {
    const std::pair<std::int64_t, std::int64_t> time{r.at("start"), r.at("end")};
    taken[r.at("plane").dump() + " in " + r.at("in").dump()].push_back(time);
    for (const Json& out : r.contains("outs") ? r.at("outs") : Json::array({r.at("out")}))
      taken[r.at("plane").dump() + " out " + out.dump()].push_back(time);
  }
  for (auto& [port, times] : taken) {
    std::sort(times.begin(), times.end());
    for (std::size_t k = 1; k < times.size(); ++k) EXPECT_LE(times[k - 1].second, times[k].first) << port;
  }
}

TEST_F(PlanCli, PutsJobsWithoutPhasesOnPaper) {
  for (const std::string kind : {"job.sync=asp", "job.collective=all_reduce", "job.peers=selmcast --set peers.layer=L7",
                                 "job.peers=selmcast --set policy=multicast", "fabric.planes=2"}) {
    const std::string job = tiny + " --set policy=sunflow --set " + kind;
    const std::string faults = kind.starts_with("fabric") ? " --set fabric.outages='0: 1 us - 9 us'" : "";
    const Json paper = plans(job + " --set job.iterations=3" + faults).at("plans")[0];
    EXPECT_EQ(paper, plans(job + " --set job.iterations=1").at("plans")[0]) << kind << ": no faults on paper";
    const Json row = rows(job + " --set job.iterations=1 --set fabric.device=verilated")[0];
    const Json& reservations = paper.at("reservations");
    std::int64_t words = 0, end = 0;
    for (const Json& r : reservations) {
      words +=
          r.at("words").get<std::int64_t>() * static_cast<std::int64_t>(r.contains("outs") ? r.at("outs").size() : 1);
      end = std::max(end, r.at("end").get<std::int64_t>());
    }
    EXPECT_EQ(words, row.at("words_passed")) << kind;
    EXPECT_EQ(paper.at("end_ps"), end * paper.at("cycle_ps").get<std::int64_t>()) << kind;
    EXPECT_GT(reservations.size(), 2u) << kind;
    expect_ports_apart(reservations);
    EXPECT_NE(run("plan " + job).out.find("on paper, one iteration: " + std::to_string(reservations.size()) + " "),
              std::string::npos)
        << kind;
    if (kind.starts_with("fabric")) continue;
    EXPECT_NE(run("plan " + job + " --gantt", "COLUMNS=70").out.find(", on paper\nout "), std::string::npos) << kind;
  }
}

/// The order that the file says is kept, on the RTL too; the other way round it is another run.
TEST_F(PlanCli, ExecutesTheOrderOfJobsWithoutPhases) {
  for (const std::string kind :
       {"job.sync=asp", "job.sync=bsp --set job.overlap=wait_free_backprop", "job.collective=all_reduce",
        "job.peers=selmcast --set peers.layer=L7", "job.peers=selmcast --set policy=multicast", "fabric.planes=2"}) {
    SCOPED_TRACE(kind);
    const std::string job =
        tiny + " --set policy=sunflow --set job.iterations=3 --set job.payload=digest --set " + kind;
    Json plan = plans(job);
    write("p.json", plan);
    EXPECT_NE(run("plan " + job + " --check p.json").out.find("p.json#1: keeps all rules, an iteration of "),
              std::string::npos);
    const auto executed = [&](const char* device) {
      const Outcome outcome =
          run("plan " + job + " --set fabric.device=" + device + " --execute p.json --json - --quiet");
      EXPECT_EQ(outcome.code, 0) << outcome.err;
      return Json::parse(outcome.out).at("rows")[0];
    };
    const Json row = executed("model");
    EXPECT_EQ(row.at("scheduler"), "plan:" + path("p.json") + "#1");
    EXPECT_EQ(row.at("crc_errors").get<int>() + row.at("sum_errors").get<int>(), 0);
    EXPECT_EQ(row.at("event_log_hash"), executed("verilated").at("event_log_hash"));
    for (Json& r : plan.at("plans")[0].at("reservations")) r["start"] = 1'000'000'000 - r["start"].get<std::int64_t>();
    write("p.json", plan);
    const Json other = executed("model");
    EXPECT_EQ(other.at("words_passed"), row.at("words_passed"));
    if (kind.find("all_reduce") == std::string::npos) {  // no two steps of a ring wait for one port
      EXPECT_NE(other.at("event_log_hash"), row.at("event_log_hash"));
    }
  }
}

/// A column of the tables, and the gap before it.
std::string right(const std::string& text) { return std::string(13 - text.size(), ' ') + text; }

TEST_F(PlanCli, NamesTheAxesOfEachRowAndShowsTimesBesideCycles) {
  const std::string job = tiny + " --set policy=sunflow --set 'fabric.tuning=[\"1 us\", \"2 us\"]'";
  const Json json = plans(job);
  const std::string text = run("plan " + job).out;
  EXPECT_EQ(text.find("row 1: fabric.tuning 1 us\nsunflow: placer "), 0U) << text;
  EXPECT_NE(text.find("\nrow 2: fabric.tuning 2 us\nsunflow: placer "), std::string::npos) << text;
  for (const Json& plan : json.at("plans"))
    for (const char* phase : {"push", "pull"})
      for (const Json& r : plan.at(phase).at("reservations")) {
        const auto time = [&](const char* at) {
          return right(human_time(Picos{r.at(at).get<std::int64_t>() * plan.at("cycle_ps").get<std::int64_t>()}));
        };
        const std::string line = right(r.at("end").dump()) + time("start") + time("end") + "\n";
        EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
      }
  EXPECT_EQ(run("plan " + tiny + " --set policy=sunflow").out.find("sunflow: placer "), 0U) << "nothing varies";
  EXPECT_NE(run("plan " + job + " --gantt").out.find("plans it, fabric.tuning 2 us\n"), std::string::npos);
}

TEST_F(PlanCli, ShowsTimesOfPoliciesBesideCycles) {
  for (const std::string planes :
       {" --set collective.reconfigure=optimal", " --set collective.reconfigure=together --set fabric.planes=2"}) {
    const std::string job = tiny + " --set policy=sunflow --set job.collective=all_reduce" + planes;
    const Json plan = plans(job).at("plans")[0];
    const std::string text = run("plan " + job).out;
    const Json& lines = plan.at(plan.contains("rules") ? "rules" : "policies");
    EXPECT_GE(lines.size(), 2U);
    for (const Json& one : lines) {
      const Json& cycles = one.at("cycles");
      const std::string line =
          " " + (cycles.is_null() ? "-" + right("-") : cycles.dump() + right(human_time(Picos{one.at("time_ps")})));
      EXPECT_NE(text.find(line), std::string::npos) << line << " in\n" << text;
    }
    EXPECT_NE(text.find(" cycles = "), std::string::npos) << "delta and alpha\n" << text;
  }
}

TEST_F(PlanCli, RefusesSeveralPlanes) {
  EXPECT_NE(refused("plan " + tiny + " --set fabric.planes=2 --gantt").find("fabric.planes is 2, but must be 1"),
            std::string::npos);
}

TEST_F(PlanCli, DrawsInColourOnATerminal) {
  int terminal = -1, program = -1;
  winsize size{};
  size.ws_col = 60;
  size.ws_row = 20;
  ASSERT_EQ(openpty(&terminal, &program, nullptr, nullptr, &size), 0);
  Child child(folder(), {"plan", tiny, "--set", "policy=sunflow", "--gantt"}, program);
  close(program);
  std::string text;
  char chunk[4096];
  for (ssize_t got = 0; (got = ::read(terminal, chunk, sizeof chunk)) > 0;)
    text.append(chunk, static_cast<std::size_t>(got));
  close(terminal);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_NE(text.find("\x1b[33m~"), std::string::npos) << text;
}

TEST_F(PlanCli, TakesSchedulersOfTheCatalogueAndPlansAsAKey) {
  write("p.json", plans(tiny + " --set policy=[hlf,sunflow]"));
  const Json hlf = rows(tiny + " --set policy=sunflow --set scheduler=hlf");
  EXPECT_EQ(hlf[0]["scheduler"], "hlf");
  const Json planned =
      rows(tiny + " --set policy=hlf --set job.iterations=1 --set job.compute='5120 ns' --set 'scheduler=\"plan:" +
           path("p.json") + "#2\"'");
  EXPECT_EQ(planned[0]["scheduler"], "plan:" + path("p.json") + "#2");
  EXPECT_NE(refused("check " + tiny + " --set 'scheduler=\"plan:" + path("p.json") + "\"'").find("has 2 plans"),
            std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set 'scheduler=\"plan:" + path("p.json") + "#3\"'").find("no plan 3"),
            std::string::npos);
  EXPECT_NE(refused("check " + tiny + " --set scheduler=hlv").find("did you mean \"hlf\"?"), std::string::npos);
}

}  // namespace
}  // namespace ocs
