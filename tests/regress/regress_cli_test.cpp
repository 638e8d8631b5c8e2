// lightloop regress and trend as a user starts them.
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <thread>

#include "testbed/regress/history.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Regress : public Cli {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }
  std::string last_line_but_one(const std::string& out) const {
    const std::size_t end = out.rfind('\n', out.size() - 2), from = out.rfind('\n', end - 1);
    return out.substr(from + 1, end - from - 1);
  }
  /// The sentence with which it refuses.
  std::string sentence_of(const std::string& arguments) const {
    const std::string line = refused(arguments);
    return line.substr(0, line.find('\n'));
  }
  /// How often a case wrote its line to the file "ran".
  std::size_t times_run(const std::string& line) const {
    std::ifstream in(path("ran"));
    std::size_t count = 0;
    for (std::string each; std::getline(in, each);) count += each == line ? 1 : 0;
    return count;
  }
};

/// A program of the contract with another expectation.
std::string with_bug(const std::string& name, const std::function<void(Json&)>& bug) {
  Json program = Json::parse(read(source + "/tests/goldens/switch/" + name + ".json"));
  bug(program.is_array() ? program.front() : program);
  return program.dump();
}

TEST_F(Regress, ThreeBugsAreThreeBucketsAndEachReproductionFails) {
  std::filesystem::create_directory(path("programs"));
  const auto late = [](Json& program) { program["expect"]["events"][0][0] = 1'000'000; };
  write("programs/a.json", with_bug("all-stop-holds-nobody", late));
  write("programs/b.json", with_bug("advance-to-interrupt", late));
  write("programs/good.json", read(source + "/tests/goldens/switch/all-stop-holds-nobody.json"));
  write("programs/c.json",
        with_bug("all-stop-holds-nobody", [](Json& program) { program["expect"]["counters"]["COMMITS"] = 99; }));
  write(
      "s.toml",
      "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"programs\"\ndevices = [\"model\"]\n[[case]]\nname = "
      "\"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"exit {n}\"]\nmatrix = { n = [\"0\", \"3\", \"4\"] }\n");
  const Outcome night = run("regress s.toml -j 2 --out n");
  EXPECT_EQ(night.code, 1) << night.err;
  EXPECT_EQ(last_line_but_one(night.out), "night 1: 7 cases, 2 passed, 5 failed, 0 flaky");
  std::size_t buckets = 0;
  std::istringstream lines(night.out);
  for (std::string line; std::getline(lines, line);) {
    const std::string program = "  " + ocs::test::built("lightloop") + " ";  // as it was called
    if (!line.starts_with(program)) continue;
    ++buckets;
    const Outcome again = run(line.substr(program.size()));
    EXPECT_EQ(again.code, 1) << line << again.out << again.err;
  }
  EXPECT_EQ(buckets, 3u) << night.out;  // commits that are late; a counter; exit codes
  EXPECT_NE(night.out.find("; expected cycle 1000000"), std::string::npos) << night.out;
  EXPECT_NE(read(path("n/last/junit.xml")).find("tests=\"7\" failures=\"5\""), std::string::npos);
  EXPECT_NE(read(path("n/last/index.html")).find("; expected cycle 1000000"), std::string::npos);
  const std::string line = ocs::test::built("lightloop") + " regress --reproduce n/night-0001/f001";
  EXPECT_NE(read(path("n/last/index.html")).find("<code>" + line + "</code>"), std::string::npos);
  EXPECT_NE(read(path("n/last/f001/failure.txt")).find("\n" + line + "\n"), std::string::npos);
  EXPECT_NE(read(path("n/index.html")).find("night-0001/index.html"), std::string::npos);
}

TEST_F(Regress, RunsNothingTwiceAfterKill) {
  write(
      "s.toml",
      "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"test {n} -lt 4 || sleep 0.3; echo {n} "
      ">> ran\"]\nmatrix = { n = [\"1\", \"2\", \"3\", \"4\", \"5\", \"6\"] }\n");
  Child runner(path(""), {"regress", "s.toml", "--out", "n"});
  while (times_run("3") == 0) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  while (times_run("4") == 0) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  std::this_thread::sleep_for(std::chrono::milliseconds{100});  // its result is kept, and case 5 sleeps
  runner.send(SIGKILL);
  runner.wait();
  EXPECT_EQ(times_run("5"), 0u);
  const Outcome rest = run("regress s.toml --out n --resume");
  EXPECT_EQ(rest.code, 0) << rest.err;
  EXPECT_EQ(last_line_but_one(rest.out), "night 1: 6 cases, 6 passed, 0 failed, 0 flaky; 4 were finished before");
  for (const std::string n : {"1", "2", "3", "4", "5", "6"}) EXPECT_EQ(times_run(n), 1u) << n;
  EXPECT_EQ(sentence_of("regress s.toml --out n --resume"), "\"n\" has no night to resume: the last one is finished");
}

TEST_F(Regress, RefusesASecondRunner) {
  write("s.toml",
        "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo go >> ran; sleep 60\"]\n");
  const Child runner(path(""), {"regress", "s.toml", "--out", "n"});
  while (times_run("go") == 0) std::this_thread::sleep_for(std::chrono::milliseconds{5});
  EXPECT_EQ(sentence_of("regress s.toml --out n"),
            "another `lightloop regress` works in \"n\"; wait for its end, or name another folder");
}

TEST_F(Regress, TellsFlakyFromFailingAndBeginsWithWhatFailed) {
  write("s.toml",
        "retries = 1\n[[case]]\nname = \"good\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo good >> ran\"]\n"
        "[[case]]\nname = \"flaky\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo flaky >> ran; test -e seen "
        "|| { "
        "touch seen; exit 1; }\"]\n[[case]]\nname = \"bad\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"echo bad "
        ">> "
        "ran; exit 1\"]\n");
  const Outcome first = run("regress s.toml --out n");
  EXPECT_EQ(first.code, 1);
  EXPECT_EQ(last_line_but_one(first.out), "night 1: 3 cases, 1 passed, 1 failed, 1 flaky");
  EXPECT_EQ(times_run("bad"), 2u);
  std::filesystem::remove(path("ran"));
  run("regress s.toml --out n");
  EXPECT_EQ(read(path("ran")), "flaky\nbad\nbad\ngood\n");
}

TEST_F(Regress, HoldsExperimentsToExpectationsHashesAndGoldenRows) {
  const std::string experiment = "kind = \"experiment\"\nexperiment = \"" + tiny + "\"\nset = \"policy=hlf\"\n";
  ASSERT_EQ(run("run " + tiny + " --set policy=hlf --quiet --json golden.json").code, 0);
  Json other = Json::parse(read(path("golden.json")));
  other["rows"][0]["cycles"] = 1;
  write("other.json", other.dump());
  write("s.toml",
        "[[case]]\nname = \"good\"\n" + experiment +
            "golden = \"golden.json\"\nequal_hashes = true\ndevices = [\"model\", \"sysc\"]\nexpect = \"pst_mean < "
            "1 ms\"\n[[case]]\nname = \"other\"\n" +
            experiment + "golden = \"other.json\"\n[[case]]\nname = \"slow\"\n" + experiment +
            "expect = \"pst_mean < 2 us\"\n[[case]]\nname = \"lacks\"\n" + experiment +
            "expect = \"makespan < 2 us\"\n[[case]]\nname = \"unknown\"\n" + experiment +
            "matrix = { \"job.workers\" = [\"many\"] }\n[[case]]\nname = \"measured\"\nkind = "
            "\"experiment\"\nexperiment = "
            "\"" +
            tiny +
            "\"\nset = [\"policy=hlf\", \"charge_planning=measured\"]\ndevices = [\"model\", \"sysc\"]\nequal_hashes = "
            "true\n");
  const Outcome night = run("regress s.toml -j 2 --out n");
  EXPECT_EQ(last_line_but_one(night.out), "night 1: 6 cases, 1 passed, 5 failed (1 broken), 0 flaky") << night.out;
  for (const std::string sentence :
       {"row 1: cycles is ", "row 1: expected pst_mean < 2 us, got ",
        "row 1: expected makespan < 2 us, but rows of this kind of job have no makespan_ps",
        "job.workers is \"many\", but must be ", "sysc: row 1: the hash of the event log is "})
    EXPECT_NE(night.out.find(sentence), std::string::npos) << sentence << "\n" << night.out;
  const Outcome trend = run("trend n --metric pst_mean_ps --case good");
  EXPECT_EQ(trend.code, 0) << trend.err;
  EXPECT_NE(trend.out.find("\n    1  "), std::string::npos) << trend.out;
  EXPECT_EQ(
      sentence_of("trend n --metric pst_maen_ps"),
      "--metric is \"pst_maen_ps\", but must be a column of docs/results.md that holds numbers, seconds, or one of "
      "coverage_line, coverage_toggle, coverage_named; the most similar one is \"pst_mean_ps\"");
  EXPECT_EQ(sentence_of("trend . --metric seconds"),
            "\".\" is not a folder of `lightloop regress`: it has no history.db");
}

TEST_F(Regress, ShowsNumbersOfNightsInWhichExpectationsFail) {
  const std::string table = "[[case]]\nname = \"pst\"\nkind = \"experiment\"\nexperiment = \"" + tiny + "\"\n";
  const std::string none = "set = \"job.workers=many\"\n";
  for (const std::string& rest :
       {std::string("expect = \"pst_mean < 1 s\"\n"), std::string("expect = \"pst_mean < 13 us\"\n"), none}) {
    write("s.toml", table + rest);
    const Outcome night = run("regress s.toml --out n");
    if (rest != none) {  // what was measured, also where all is well
      const std::string page = read(path("n/last/index.html"));
      EXPECT_NE(page.find("</td><td class=n>11.53216 us</td><td class=n>20.89152 us</td></tr>"), std::string::npos)
          << page;
    }
    // tiny has four policies: the row is named by its own.
    if (rest.find("13 us") != std::string::npos) {
      EXPECT_NE(night.out.find("row 2 (policy=psscheduler_dedicated): expected pst_mean < 13 us, got "),
                std::string::npos)
          << night.out;
    }
  }
  const Outcome trend = run("trend n --metric pst_mean");  // its unit left out
  EXPECT_EQ(trend.code, 0) << trend.err;
  std::istringstream lines(trend.out);
  std::string head, good, bad, broken;
  std::getline(lines, head);
  std::getline(lines, good);
  std::getline(lines, bad);
  std::getline(lines, broken);
  EXPECT_TRUE(head.ends_with(" pst_mean_ps")) << head;
  EXPECT_TRUE(good.starts_with("    1  ") && good.ends_with(" us")) << trend.out;
  EXPECT_TRUE(bad.starts_with("    2  ") && bad.ends_with(" us  1 case did not pass")) << trend.out;
  EXPECT_EQ(good.substr(good.rfind("Z  ")), bad.substr(bad.rfind("Z  "), bad.rfind(" us") + 3 - bad.rfind("Z  ")));
  EXPECT_TRUE(broken.starts_with("    3  ") && broken.ends_with("  -  1 case did not pass, and none has this number"))
      << trend.out;
  EXPECT_EQ(sentence_of("trend n --metric pst_mean --case psst"),
            "--case is \"psst\", but no night has such a table; did you mean \"pst\"?");
  EXPECT_NE(sentence_of("trend n --metric pst_maen").find("the most similar one is \"pst_mean\""), std::string::npos);
}

TEST_F(Regress, EndsAndOrdersNightsWhateverTheClockOnTheWallShows) {
  write("s.toml",
        "[[case]]\nname = \"short\"\nkind = \"command\"\ncommand = [\"sleep\", \"0.2\"]\ntimeout = \"20 s\"\n"
        "[[case]]\nname = \"hangs\"\nkind = \"command\"\ncommand = [\"sleep\", \"60\"]\ntimeout = \"1 s\"\n");
  const std::string jumping =
      "LD_PRELOAD=" + ocs::test::build_dir() + "/lib/libjumping_clock.so ASAN_OPTIONS=verify_asan_link_order=0";
  ASSERT_EQ(
      std::system(("cd " + path("") + " && " + jumping +
                   " python3 -c 'import time; a, b = time.time(), time.time(); print(abs(a - b) > 80000)' > jumps")
                      .c_str()),
      0);
  ASSERT_EQ(read(path("jumps")), "True\n");
  const auto begun = std::chrono::steady_clock::now();
  for (const std::string number : {"1", "2"}) {
    const Outcome night = run("regress s.toml --out n", jumping);
    EXPECT_EQ(night.code, 1) << night.err;
    EXPECT_EQ(last_line_but_one(night.out), "night " + number + ": 2 cases, 1 passed, 1 failed (1 timed out), 0 flaky")
        << night.out;
    EXPECT_NE(night.out.find("it did not end within 1 s\n  timed out: 1 case, hangs\n"), std::string::npos)
        << night.out;
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begun, std::chrono::seconds{40});
  std::istringstream trend(run("trend n --metric seconds", jumping).out);
  std::string line;
  std::getline(trend, line);
  for (const int number : {1, 2}) {  // the case that passed, by a clock that nobody sets
    std::string night, when;
    double seconds = 0;
    trend >> night >> when >> seconds;
    EXPECT_EQ(night, std::to_string(number));
    EXPECT_GT(seconds, 0.15);
    EXPECT_LT(seconds, 15);
  }
}

TEST_F(Regress, ComparesDevicesOnRandomProgramsAndStoresTheSeed) {
  write("s.toml",
        "[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", \"sysc\"]\nports = [3, 4]\nseeds = "
        "\"1..5\"\n"
        "drawn = 3\nunwarped = true\n");
  const Outcome night = run("regress s.toml --out n --seed 41");
  EXPECT_EQ(night.code, 0) << night.out << night.err;
  EXPECT_EQ(last_line_but_one(night.out), "night 1: 16 cases, 16 passed, 0 failed, 0 flaky");
  EXPECT_NE(night.out.find("\nseed 41; report: n/night-0001/index.html\n"), std::string::npos);
}

TEST_F(Regress, RunsRtlOfTheUsersOwn) {
  std::filesystem::create_directory(path("programs"));
  write("programs/a.json", read(source + "/tests/goldens/switch/index-2-of-2-ports.json"));
  std::filesystem::copy(source + "/rtl", path("mine"), std::filesystem::copy_options::recursive);
  write("s.toml",
        "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"programs\"\ndevices = [\"verilated\"]\nrtl = "
        "\"mine\"\n");
  // The same RTL has the same hash, so the switch that was built ahead is found, and no tool is needed.
  const std::string no_tools = "VERILATOR=false XDG_CACHE_HOME=" + path("cache");
  const Outcome same = run("regress s.toml --out n", no_tools);
  EXPECT_EQ(same.code, 0) << same.out << same.err;
  EXPECT_NE(same.err.find("the RTL is that of \"" + path("mine") + "\""), std::string::npos) << same.err;
  std::ofstream(path("mine/ocs_core.sv"), std::ios::app) << "// changed\n";
  const Outcome changed = run("regress s.toml --out n", no_tools);
  EXPECT_EQ(changed.code, 1) << changed.out;
  EXPECT_NE(changed.err.find("Verilator is missing"), std::string::npos) << changed.err;
  EXPECT_NE(run("rtl build 2", no_tools + " LIGHTLOOP_RTL=nowhere")
                .err.find("LIGHTLOOP_RTL is \"nowhere\", which must be a folder like rtl/, but has no file ocs.f"),
            std::string::npos);
}

TEST_F(Regress, RunsProgramsOnASwitchThatIsServed) {
  std::filesystem::create_directory(path("programs"));
  for (const auto& entry : std::filesystem::directory_iterator(source + "/tests/goldens/switch"))
    if (const std::string name = entry.path().filename(); name.starts_with("sequencer-") || name == "overflow.json")
      std::filesystem::copy(entry.path(), path("programs/" + name));
  Pipe out;
  const Child server(path(""), {"serve", "model", "--ports", "4", "--registers", "w", "--virtual-time"}, out.writer());
  ASSERT_NE(out.read_until("\n").find("registers in "), std::string::npos);
  const std::string table =
      "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"programs\"\ndevices = [\"mapped:w\"]\nports = 4\n";
  write("s.toml", table + "fifo_depth = 64\n");
  const Outcome night = run("regress s.toml --out n");
  EXPECT_EQ(night.code, 0) << night.out << night.err;
  write("s.toml", table);  // overflow.json is for a FIFO of 4 records
  const Outcome other = run("regress s.toml --out n");
  EXPECT_NE(other.out.find(" 1 failed"), std::string::npos) << other.out;
}

TEST_F(Regress, NamesTheDeviceThatHangsAndKeepsTheProgram) {
  Pipe out;
  const Child server(path(""), {"serve", "model", "--ports", "4", "--registers", "w", "--virtual-time"}, out.writer());
  ASSERT_NE(out.read_until("\n").find("registers in "), std::string::npos);
  server.send(SIGSTOP);
  write("s.toml",
        "[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", \"mapped:w\"]\nports = 4\nseeds = "
        "[3]\ntimeout = \"2 s\"\n");
  const Outcome night = run("regress s.toml --out n");
  EXPECT_EQ(night.code, 1) << night.out << night.err;
  EXPECT_TRUE(night.out.starts_with("mapped:w, warped: a program of ")) << night.out;
  EXPECT_NE(night.out.find(" did not end within 2 s\n  timed out: 1 case, r ports=4 seed=3\n"), std::string::npos)
      << night.out;
  const Json program = Json::parse(read(path("n/last/f001/program.json")));
  EXPECT_EQ((program.is_array() ? program.front() : program)["ports"], 4);
}

TEST_F(Regress, SaysWhatIsWrongWithItsArguments) {
  EXPECT_EQ(sentence_of("regress"), "a suite is missing; see `lightloop regress --help`");
  EXPECT_EQ(sentence_of("regress --reproduce nowhere").rfind("kept failure ", 0), 0u);
  write("s.toml", "[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = \"true\"\nmemory = \"4 GB\"\n");
  EXPECT_EQ(sentence_of("regress s.toml --memory 4"),
            "--memory is \"4\", but must be a size with a unit, such as \"25 MB\"; units: B, kB, MB, GB, TB, KiB, MiB, "
            "GiB, TiB");
  const std::string needs = sentence_of("regress s.toml --memory '1 GB' --out n");
  EXPECT_NE(needs.find("case \"c\" needs more memory than --memory allows"), std::string::npos) << needs;
}

/// With switches that have counters, or other RTL: to compile them takes minutes, so these are tests of the night.
class RegressAtNight : public Regress {
 protected:
  /// Random programs 1 to `last` with 4 ports, counted.
  void write_counted(const std::string& last) const {
    write("s.toml", "coverage_exclusions = \"" + source +
                        "/tests/rtl/unreachable.txt\"\n[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = "
                        "[\"model\", \"verilated\", \"verilated_counter\"]\nports = 4\nseeds = \"1.." +
                        last + "\"\ncoverage = true\n");
  }
  /// A copy of the RTL in which one text of a file is another.
  void copy_rtl_with(const std::string& folder, const std::string& file, const std::string& right,
                     const std::string& wrong) const {
    std::filesystem::copy(source + "/rtl", path(folder), std::filesystem::copy_options::recursive);
    std::string text = read(path(folder + "/" + file));
    const std::size_t at = text.find(right);
    ASSERT_NE(at, std::string::npos) << file;
    write(folder + "/" + file, text.replace(at, right.size(), wrong));
  }
};

TEST_F(RegressAtNight, MergesTheSameCoverageWhetherItWasResumedOrNot) {
  write_counted("6");
  const Outcome night = run("regress s.toml --out n");
  ASSERT_EQ(night.code, 0) << night.out << night.err;
  EXPECT_NE(night.out.find("\ncoverage: "), std::string::npos) << night.out;
  {
    const Child runner(path(""), {"regress", "s.toml", "--out", "m"});
    const auto cases_done = [&] {
      const std::string log = read(path("m/history.db-wal"));
      return log.find("r ports=4 seed=3") != std::string::npos;
    };
    while (!cases_done()) std::this_thread::sleep_for(std::chrono::milliseconds{5});
    runner.send(SIGKILL);
  }
  const Outcome rest = run("regress s.toml --out m --resume");
  ASSERT_EQ(rest.code, 0) << rest.out << rest.err;
  EXPECT_NE(rest.out.find(" were finished before"), std::string::npos) << rest.out;
  EXPECT_EQ(read(path("m/last/coverage.info")), read(path("n/last/coverage.info")));
  EXPECT_NE(read(path("n/last/coverage.info")).find("/rtl/ocs_outputs.sv\n"), std::string::npos);
  const std::string page = read(path("n/last/index.html"));
  EXPECT_NE(page.find("By rule of the contract"), std::string::npos);
  EXPECT_NE(page.find("<td>ocs_outputs.sv</td>"), std::string::npos);
  EXPECT_NE(page.find("<td>outputs.svh</td>"), std::string::npos) << "the fast core";
  EXPECT_EQ(page.find("no rule"), std::string::npos) << "a named point without a rule";
  write_counted("2");
  const Outcome fewer = run("regress s.toml --out n");
  EXPECT_NE(fewer.out.find("; holes since night 1: "), std::string::npos) << fewer.out;
  EXPECT_NE(read(path("n/last/index.html")).find("Holes opened since night 1"), std::string::npos);
  std::istringstream trend(run("trend n --metric coverage_line").out);
  std::string line;
  std::getline(trend, line);
  std::vector<double> percents;
  for (std::string number, when; trend >> number >> when;) trend >> percents.emplace_back();
  ASSERT_EQ(percents.size(), 2u);
  EXPECT_GT(percents[0], percents[1]);
  EXPECT_EQ(sentence_of("trend n --metric coverage_line --case r"),
            "--metric coverage_line is of a whole night; leave --case out");
}

TEST_F(RegressAtNight, KeepsCountsOfATaskForTheNightThatTakesThemOver) {
  write_counted("2");
  write("cases", "r ports=4 seed=2\n");
  ASSERT_EQ(run("regress s.toml --out task --cases cases --seed 1").code, 0);
  regress::History task(path("task/history.db"));
  EXPECT_GT(task.counts(1, "r ports=4 seed=2").size(), 1000u);
  EXPECT_TRUE(task.counts(1).empty());
}

TEST_F(RegressAtNight, ThreeBugsInTheRtlAreThreeBucketsAndEachReproductionFails) {
  struct Bug {
    std::string file, right, wrong, seeds;  ///< of random programs that meet it
  };
  const std::vector<Bug> bugs{
      {"ocs_access.sv", "(core_i & core_error)", "(core_i & core_error & ~mask)", "1, 6"},
      {"ocs_counters.sv", "tunings_q[p] + 64'd1", "tunings_q[p] + 64'd2", "1, 2"},
      {"ocs_next.sv", "end else if (locking != 0) begin", "end else if (locking != 0 & o != 1) begin", "24"}};
  std::string suite;
  for (std::size_t k = 0; k < bugs.size(); ++k) {
    const std::string name = "bug" + std::to_string(k);
    copy_rtl_with(name, bugs[k].file, bugs[k].right, bugs[k].wrong);
    suite.append("[[case]]\nname = \"").append(name).append("\"\nkind = \"random_programs\"\nports = 2\nseeds = [");
    suite.append(bugs[k].seeds).append("]\ndevices = [\"model\", \"verilated\"]\nrtl = \"").append(name + "\"\n");
  }
  write("s.toml", suite +
                      "[[case]]\nname = \"good\"\nkind = \"random_programs\"\nports = 2\nseeds = [1, 2, 6, "
                      "24]\ndevices = [\"model\", \"verilated\"]\n");
  const std::string cache = "XDG_CACHE_HOME=" + path("cache");
  const Outcome night = run("regress s.toml --out n", cache);
  EXPECT_EQ(last_line_but_one(night.out), "night 1: 9 cases, 4 passed, 5 failed, 0 flaky") << night.out << night.err;
  std::size_t buckets = 0;
  std::istringstream lines(night.out);
  for (std::string line, sentence; std::getline(lines, line);) {
    if (line.starts_with("verilated: ")) sentence = line;
    const std::string mark = "  " + ocs::test::built("lightloop") + " regress --reproduce ";
    if (!line.starts_with(mark)) continue;
    ++buckets;
    const std::string failure = line.substr(mark.size());
    EXPECT_TRUE(std::filesystem::exists(path(failure + "/program.json"))) << failure;  // what is left of it
    const Outcome again = run("regress --reproduce " + failure, cache);
    EXPECT_EQ(again.code, 1) << again.out << again.err;
    EXPECT_NE(again.out.find(": failed\n" + sentence + "\n"), std::string::npos) << again.out << sentence;
    EXPECT_TRUE(std::filesystem::exists(path(failure + "/verilated.fst"))) << again.err;
  }
  EXPECT_EQ(buckets, 3u) << night.out;
  EXPECT_NE(night.out.find(" output 1 went from IDLE to UP at cycle 1; expected LOCKING"), std::string::npos)
      << night.out;
}

TEST_F(RegressAtNight, FindsABugInRtlOfTheUsersOwn) {
  std::filesystem::create_directory(path("programs"));
  write("programs/a.json", read(source + "/tests/goldens/switch/index-2-of-2-ports.json"));
  copy_rtl_with("mine", "ocs_access.sv", "(core_i & core_error)", "(core_i & core_error & ~mask)");
  write("s.toml",
        "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"programs\"\ndevices = [\"verilated\", "
        "\"model\"]\nrtl = \"mine\"\n");
  const Outcome night = run("regress s.toml --out n", "XDG_CACHE_HOME=" + path("cache"));
  EXPECT_EQ(night.code, 1) << night.err;
  EXPECT_EQ(last_line_but_one(night.out), "night 1: 2 cases, 1 passed, 1 failed, 0 flaky") << night.out;
  EXPECT_EQ(night.out.rfind("verilated: ", 0), 0u) << night.out;
}

}  // namespace
}  // namespace ocs::test
