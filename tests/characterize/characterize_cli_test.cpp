// lightloop characterize as a user starts it: every preset, twins, bounds, logs, every output, wrong input.
// SPDX-License-Identifier: Apache-2.0
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

using Characterize = Cli;

Json set_ups(const Json& report) {
  Json all = Json::array();
  for (const Json& each : report.at("set_ups"))
    all.push_back({each.at("output"), each.at("input"), each.at("from"), each.at("tuning_ps"), each.at("locking_ps"),
                   each.at("up"), each.at("power_dbm")});
  return all;
}

TEST_F(Characterize, FindsEveryPresetWithinItsOwnBounds) {
  for (const std::string name : {"mordia", "sirius", "opera", "palomar", "calient", "polatis", "phase_caching"})
    EXPECT_EQ(run("characterize model --ports 8 --switch " + name + " --against " + name).code, 0) << name;
}

TEST_F(Characterize, MeasuresATwinAsItsOriginalOnEveryDevice) {
  std::ofstream(path("levels.toml")) << "ports = 4\n[tuning]\nall = \"1.024 us\"\n[locking]\nall = \"51.2 ns\"\n"
                                        "[optics]\nlight = \"0 dBm, lost below -300 dBm\"\n"
                                        "laser = [-3.05, 327.67, -29e1, 0]\nloss = [0.75, 2, 0.5, 1.25]\n";
  for (const std::string original : {"polatis", "palomar", "file:levels.toml"}) {
    const Outcome first =
        run("characterize model --ports 4 --switch " + original + " --json - --save twin.toml --quiet");
    ASSERT_EQ(first.code, 0) << first.err;
    const Json found = set_ups(Json::parse(first.out));
    EXPECT_EQ(found.size(), 32u);
    const std::string a = read(path("twin.toml"));
    EXPECT_EQ(a.find("[optics]") == std::string::npos, original == "polatis") << a;
    for (const std::string device : {"model", "verilated_counter", "verilated"}) {
      const Outcome twin =
          run("characterize " + device + " --ports 4 --switch file:twin.toml --json - --save again.toml --quiet");
      ASSERT_EQ(twin.code, 0) << twin.err;
      EXPECT_EQ(set_ups(Json::parse(twin.out)), found) << original << " on " << device;
      const std::string b = read(path("again.toml"));
      EXPECT_EQ(a.substr(a.find("ports =")), b.substr(b.find("ports =")));
    }
  }
}

TEST_F(Characterize, SaysThePowerOfASwitchWhoseLevelsDifferByPort) {
  std::ofstream(path("levels.toml")) << "ports = 4\n[tuning]\nall = \"1.024 us\"\n[locking]\nall = \"51.2 ns\"\n"
                                        "[optics]\nlaser = [-3, -2.5, -4, -2]\nloss = [0.75, 2, 0.5, 1.25]\n";
  for (const std::string device : {"model", "verilated"}) {
    const Outcome outcome = run("characterize " + device + " --ports 4 --switch file:levels.toml --save twin.toml");
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_NE(outcome.out.find("power: min -6 dBm, median -4 dBm, max -2.5 dBm\n"
                               "weakest: output 1 from input 2, -6 dBm\n\ntogether\n"),
              std::string::npos)
        << outcome.out;
    EXPECT_EQ(outcome.out.find("a profile has no"), std::string::npos);
    const std::string twin = read(path("twin.toml"));
    EXPECT_NE(twin.find("\nlaser = [-3.5, -3, -4.5, -2.5]\nloss = [0.25, 1.5, 0, 0.75]\n"), std::string::npos) << twin;
  }
  EXPECT_EQ(run("characterize model --ports 4 --switch mordia").out.find("dBm"), std::string::npos);
}

constexpr const char* with_receivers =
    "summary = \"made up\"\nsource = \"a test\"\nports = 8\n[tuning]\nall = \"204.8 ns\"\n"
    "[locking]\npicoseconds = [5120, 10240, 15360, 20480, 25600, 30720, 35840, 40960]\n"
    "receivers = \"warm for 20.48 us: 0 ps, 51.2 ns; cold: 1.024 us, 2.048 us, 4.096 us, 9.216 us\"\n";

TEST_F(Characterize, MeasuresReceiversThatRemember) {
  std::ofstream(path("r.toml")) << with_receivers;
  for (const std::string device : {"model", "verilated"}) {
    const Outcome first =
        run("characterize " + device + " --ports 8 --switch file:r.toml --save twin.toml --against file:r.toml");
    ASSERT_EQ(first.code, 0) << first.err;
    const std::string said = "warm for 20.48 us: 0 ps, 51.2 ns; cold: 1.024 us, 2.048 us, 4.096 us, 9.216 us";
    EXPECT_NE(first.out.find(said), std::string::npos) << first.out;
    const std::string twin = read(path("twin.toml"));
    EXPECT_NE(twin.find("picoseconds = [5120, 10240, 15360, 20480, 25600, 30720, 35840, 40960]\nreceivers = \"" + said),
              std::string::npos)
        << twin;
    ASSERT_EQ(run("characterize " + device + " --ports 8 --switch file:twin.toml --save again.toml --quiet").code, 0);
    const std::string again = read(path("again.toml"));
    EXPECT_EQ(again.substr(again.find("ports =")), twin.substr(twin.find("ports =")));
  }
}

TEST_F(Characterize, SaysWhereReceiversArentMeasured) {
  std::ofstream(path("r.toml")) << with_receivers;
  const Outcome outcome = run("characterize model --ports 8 --switch file:r.toml --every-cycle --quiet");
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err,
            "lightloop: warning: an output locks in different times, but what receivers add was not measured: that "
            "needs virtual time, without --every-cycle\n");
  EXPECT_EQ(run("characterize model --ports 8 --switch mordia --every-cycle --quiet").err, "");
  std::string seldom =
      "summary = \"made up\"\nsource = \"a test\"\nports = 2\n[tuning]\nall = \"1 us\"\n[locking]\n"
      "all = \"0 ps\"\nreceivers = \"cold: 0 ps";
  for (int k = 0; k < 14; ++k) seldom += ", 1 us";
  std::ofstream(path("s.toml")) << seldom + ", 9 us\"\n";
  const Outcome slow = run("characterize model --ports 2 --switch file:s.toml --limit '5 us' --quiet");
  EXPECT_EQ(slow.code, 0) << "none of these eight circuits is slow";
  EXPECT_EQ(slow.err,
            "lightloop: warning: an output locks in different times, but what receivers add was not measured: a "
            "circuit was not up within 5 us\n");
}

TEST_F(Characterize, MeasuresWhomMirrorsDisturb) {
  std::ofstream(path("n.toml"))
      << "summary = \"made up\"\nsource = \"a test\"\nports = 8\n[tuning]\nall = \"1.024 us\"\n"
         "neighbours = \"disturb at 1, 4 for 2.048 us\"\n[locking]\nall = \"51.2 ns\"\n";
  for (const std::string device : {"model", "verilated"}) {
    const Outcome first = run("characterize " + device + " --ports 8 --switch file:n.toml --save twin.toml");
    ASSERT_EQ(first.code, 0) << first.err;
    const std::string said = "disturb at 1, 4 for 2.048 us";
    EXPECT_NE(first.out.find("mirrors that move: " + said + "\n"), std::string::npos) << first.out;
    EXPECT_NE(read(path("twin.toml")).find("]\nneighbours = \"" + said + "\"\n\n[locking]"), std::string::npos);
    ASSERT_EQ(run("characterize " + device + " --ports 8 --switch file:twin.toml --save again.toml --quiet").code, 0);
    const std::string twin = read(path("twin.toml")), again = read(path("again.toml"));
    EXPECT_EQ(again.substr(again.find("ports =")), twin.substr(twin.find("ports =")));
  }
  EXPECT_EQ(run("characterize model --ports 2 --every-cycle").err,
            "lightloop: whether mirrors that move disturb others was not measured: that needs virtual time, without "
            "--every-cycle\n");
}

TEST_F(Characterize, GivesTheSamePairsToSmallerAndLargerSwitches) {
  const auto pair = [&](const std::string& ports) {
    const Outcome outcome = run("characterize model --switch polatis --json - --quiet --ports " + ports);
    const Json all = Json::parse(outcome.out);
    for (const Json& each : all.at("set_ups"))
      if (each.at("output") == 3 && each.at("input") == 2) return each.at("tuning_ps");
    return Json();
  };
  EXPECT_EQ(pair("4"), pair("20"));
}

TEST_F(Characterize, NamesTheWorstPairOutOfBounds) {
  const Outcome outcome = run("characterize model --ports 4 --switch palomar --against mordia --junit j.xml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_EQ(outcome.err.rfind("lightloop: 32 of 32 set-ups are out of the bounds of \"mordia\"; the worst: output ", 0),
            0u)
      << outcome.err;
  EXPECT_NE(outcome.out.find("slowest: output "), std::string::npos);
  EXPECT_NE(read(path("j.xml")).find("tests=\"32\" failures=\"32\""), std::string::npos);
  EXPECT_EQ(run("characterize model --ports 4 --switch palomar --against mordia --tolerance '1 s'").code, 0);
}

TEST_F(Characterize, SaysSoWhenAPairNeverComesUp) {
  const Outcome outcome = run("characterize model --ports 4 --tuning '1 ms' --limit '1 us' --save p.toml");
  EXPECT_EQ(outcome.code, 1);
  EXPECT_NE(outcome.err.find("output 0 never came up from input 0"), std::string::npos) << outcome.err;
  EXPECT_EQ(run("characterize model --ports 4 --tuning '1 ms' --limit '1 us'").err,
            "lightloop: 32 of 32 set-ups never came up within 1 us\n");
}

TEST_F(Characterize, WritesEveryReport) {
  const Outcome outcome =
      run("characterize model --ports 4 --switch mordia --json r.json --csv r.csv --junit r.xml --svg r.svg --save "
          "r.toml --repeat 2");
  ASSERT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_NE(outcome.out.find("together     11.50 us   11.50 us   11.50 us   11.50 us\n"), std::string::npos)
      << outcome.out;
  EXPECT_EQ(Json::parse(read(path("r.json"))).at("set_ups").size(), 64u);
  EXPECT_EQ(read(path("r.csv")).substr(0, 12), "output,input");
  EXPECT_NE(read(path("r.xml")).find("failures=\"0\""), std::string::npos);
  EXPECT_EQ(read(path("r.svg")).substr(0, 4), "<svg");
  EXPECT_NE(read(path("r.toml")).find("picoseconds = [8704000, 8704000, 8704000, 8704000]"), std::string::npos);
}

TEST_F(Characterize, JudgesALog) {
  std::ofstream(path("l.csv")) << "time_us,port,light\n0,7,1\n100,7,0\n1300,7,1\n5000,7,0\n8500,7,1\n";
  EXPECT_EQ(run("characterize --capture l.csv --against polatis").code, 0);
  const Outcome late = run("characterize --capture l.csv --against palomar --svg l.svg");
  EXPECT_EQ(late.code, 1);
  EXPECT_EQ(late.err,
            "lightloop: 1 of 2 set-ups are out of the bounds of \"palomar\"; the worst: output 7, 3.5 ms, but must be "
            "at most 3 ms "
            "(dark from 5 ms on)\n");
  EXPECT_EQ(read(path("l.svg")).find("red:"), std::string::npos);
  std::ofstream(path("l.vcd"))
      << "$timescale 1 us $end $var wire 1 ! light[7] $end $enddefinitions $end\n#0 1! #100 0! #1300 1!\n";
  EXPECT_EQ(Json::parse(run("characterize --capture l.vcd --json - --quiet").out).at("together").at("max_ps"),
            1'200'000'000);
  EXPECT_NE(refused("characterize --capture l.vcd --save p.toml --quiet").find("a profile needs every pair"),
            std::string::npos);
}

TEST_F(Characterize, JudgesWhatAnOscilloscopeWrote) {
  std::ofstream(path("scope.csv")) << "x-axis,1\nsecond,Volt\n0,1.0\n1E-3,0.1\n2.5E-3,0.9\n";
  const Outcome judged =
      run("characterize --capture scope.csv --threshold '0.5 V' --hysteresis '0.2 V' --json - --quiet");
  EXPECT_EQ(Json::parse(judged.out).at("together").at("max_ps"), 1'500'000'000) << judged.err;
  EXPECT_NE(refused("characterize --capture scope.csv").find("--threshold reads other values"), std::string::npos);
  EXPECT_EQ(refused("characterize model --threshold '1 V'"),
            "--threshold reads a log, so it needs --capture FILE.csv or FILE.vcd\n");
  EXPECT_EQ(refused("characterize --capture scope.csv --hysteresis '1 V'"), "--hysteresis needs --threshold\n");
}

TEST_F(Characterize, RefusesWrongInput) {
  const std::string both = "characterize must have a device, or a log: --capture FILE.csv or FILE.vcd, and not both\n";
  EXPECT_EQ(refused("characterize"), both);
  EXPECT_EQ(refused("characterize model --capture l.csv"), both);
  EXPECT_NE(refused("characterize model --against palomat").find("did you mean \"palomar\"?"), std::string::npos);
  EXPECT_NE(refused("characterize model --limit '0 ns'").find("--limit is \"0 ns\", but must be at least a cycle"),
            std::string::npos);
  EXPECT_NE(refused("characterize model --tolerance x").find("--tolerance is \"x\", but must be a time"),
            std::string::npos);
  EXPECT_NE(refused("characterize model --repeat 0").find("--repeat"), std::string::npos);
  EXPECT_NE(refused("characterize --capture l.txt").find("must end in .csv or .vcd"), std::string::npos);
  EXPECT_NE(
      refused("characterize model --ports 4 --quiet --csv /nowhere/x").find("--csv \"/nowhere/x\" can't be written"),
      std::string::npos);
  std::ofstream(path("p.toml")) << "ports = 4\n[tuning]\nall = 3\n";
  EXPECT_EQ(refused("characterize model --switch file:p.toml"),
            "p.toml:3: \"tuning.all\" must be a time in quotes, such as \"11.5 us\"\n");
}

TEST_F(Cli, CharacterizeWarnsOnceOfOptionsWithoutEffect) {
  const Outcome plain = run("characterize model --ports 3 --tolerance '1 us' --quiet");
  EXPECT_EQ(plain.code, 0);
  EXPECT_EQ(plain.err, "lightloop: warning: --tolerance has no effect: there are no bounds without --against\n");
  std::ofstream(path("log.csv")) << "time,port,light\n";
  const Outcome capture = run("characterize --capture log.csv --repeat 3 --ports 4 --tuning '1 us' --quiet");
  for (const char* option : {"--repeat", "--ports", "--tuning"})
    EXPECT_NE(capture.err.find(std::string("lightloop: warning: ") + option +
                               " has no effect: --capture judges a log: there is no device\n"),
              std::string::npos)
        << capture.err;
  EXPECT_EQ(run("characterize model --ports 3 --against polatis --tolerance '1 s' --quiet").err, "");
}

TEST_F(Cli, ServeWarnsOnceOfOptionsWithoutEffect) {
  Pipe err(1 << 16), out;
  Child child(folder(), {"serve", "model", "--ports", "4", "--registers", "w.bin", "--http", "off", "--idle", "3 s"},
              out.writer(), err.writer());
  out.read_until("registers in ");
  child.send(SIGTERM);
  EXPECT_EQ(child.wait(), 0);
  EXPECT_EQ(err.read_all(),
            "lightloop: warning: --http has no effect: --registers serves the switch's registers, and no dialect\n"
            "lightloop: warning: --idle has no effect: --registers serves the switch's registers, and no dialect\n");
}

}  // namespace
}  // namespace ocs::test
