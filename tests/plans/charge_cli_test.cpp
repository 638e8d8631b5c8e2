// charge_planning in runs: a plan that begins later, measured time that a database replays.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs {
namespace {

using namespace test;

class ChargeCli : public Cli {};

const std::string job = tiny + " --set job.compute='5120 ns' --set policy=[psscheduler,hlf] ";

TEST_F(ChargeCli, ExecutedIsPlannedWithATimeChargedToo) {
  for (const std::string more :
       {"", "--set fabric.device=verilated", "--set control.mode=timetable",
        "--set fabric.fibre='50 ns' --set control.lead='1 us'", "--set nodes.control_latency='51200 ps'"}) {
    const std::string once = job + "--set job.iterations=1 " + more;
    const std::string later = once + " --set charge_planning='5120 ns'";
    const Json plain = rows(once), charged = rows(later);
    const Json planned = Json::parse(run("plan " + later + " --json -").out).at("plans");
    for (std::size_t k = 0; k < 2; ++k) {
      EXPECT_EQ(charged[k]["pst_mean_ps"].get<std::int64_t>(),
                plain[k]["pst_mean_ps"].get<std::int64_t>() + 2 * 5'120'000)
          << more;
      EXPECT_EQ(charged[k]["pst_mean_ps"], planned[k]["pst_ps"]) << more;
      EXPECT_EQ(charged[k]["bound_ps"], plain[k]["bound_ps"]);
      EXPECT_EQ(charged[k]["planning_ps"], 2 * 5'120'000);
      EXPECT_EQ(charged[k]["planning_charges"], "5120000*2");
      EXPECT_EQ(charged[k]["charge_planning"], "5120 ns");
      EXPECT_EQ(charged[k]["reproducible"], 1);
      EXPECT_EQ(plain[k]["planning_ps"], 0);
      EXPECT_TRUE(plain[k]["planning_charges"].is_null());
    }
  }
}

TEST_F(ChargeCli, MeasuredTimeIsReplayedFromTheDatabase) {
  ASSERT_EQ(run("run " + job + "--set charge_planning=measured --db r.db --events --json m.json --quiet").code, 0);
  const Json measured = Json::parse(read(path("m.json"))).at("rows");
  for (const Json& row : measured) {
    EXPECT_EQ(row["reproducible"], 0);
    EXPECT_GT(row["planning_ps"], 0);
  }
  const Outcome again =
      run("run " + job + "--set policy=hlf --set charge_planning=row:2 --db r.db --json a.json --quiet");
  ASSERT_EQ(again.code, 0) << again.err;
  const Json replayed = Json::parse(read(path("a.json"))).at("rows")[0];
  EXPECT_EQ(replayed["event_log_hash"], measured[1]["event_log_hash"]);
  EXPECT_EQ(replayed["planning_charges"], measured[1]["planning_charges"]);
  EXPECT_EQ(replayed["pst_mean_ps"], measured[1]["pst_mean_ps"]);
  EXPECT_EQ(replayed["reproducible"], 1);
  EXPECT_NE(run("rerun r.db 2").out.find("the same, event by event"), std::string::npos);
  EXPECT_NE(run("check " + job + "--set charge_planning=row:2 --db r.db").out.find("as in row 2, which had 4"),
            std::string::npos);
}

TEST_F(ChargeCli, RefusesRowsThatWereChargedNothing) {
  ASSERT_EQ(run("run " + job + "--db r.db --quiet").code, 0);
  EXPECT_NE(refused("run " + job + "--set charge_planning=row:1 --db r.db").find("was charged nothing"),
            std::string::npos);
  EXPECT_NE(refused("run " + job + "--set charge_planning=row:9 --db r.db").find("row 9 does not exist in"),
            std::string::npos);
  EXPECT_NE(refused("run " + job + "--set charge_planning=row:1").find("must come with --db FILE"), std::string::npos);
  ASSERT_EQ(run("run " + job + "--set job.iterations=1 --set charge_planning='1 us' --db r.db --quiet").code, 0);
  EXPECT_NE(refused("run " + job + "--set charge_planning=row:3 --db r.db --quiet", 1).find("that row had 2 plans"),
            std::string::npos);
}

TEST_F(ChargeCli, APlanOfAFileHasItsTimesAlready) {
  const std::string charged = job + "--set job.iterations=1 --set charge_planning='5120 ns' ";
  const Outcome planned = run("plan " + charged + "--json p.json");
  ASSERT_EQ(planned.code, 0) << planned.err;
  const Outcome executed = run("plan " + charged + "--execute p.json --json - --quiet");
  ASSERT_EQ(executed.code, 0) << executed.err;
  const Json plans = Json::parse(read(path("p.json"))).at("plans");
  EXPECT_EQ(Json::parse(executed.out)["rows"][1]["pst_mean_ps"], plans[1]["pst_ps"]);
}

}  // namespace
}  // namespace ocs
