// Nights as a user starts them: memory, disks, terminals, seeds, reports, tasks of a batch system.
// SPDX-License-Identifier: Apache-2.0
#include <pty.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <thread>

#include "testbed/regress/history.hpp"
#include "tests/experiment/cli_support.hpp"

namespace ocs::test {
namespace {

class Nights : public Cli {
 protected:
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  /// A table of commands of the shell, one for each value of {n}.
  static std::string commands(const std::string& name, const std::string& script, const std::string& values) {
    return "[[case]]\nname = \"" + name + "\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"" + script +
           "\"]\nmatrix = { n = [" + values + "] }\n";
  }
  std::set<std::string> names_of(const std::string& folder, std::int64_t night) const {
    std::set<std::string> names;
    regress::History history(path(folder + "/history.db"));
    for (const regress::Result& each : history.results(night)) names.insert(each.name);
    return names;
  }
};

TEST_F(Nights, FailACaseForATestInItsJunitFile) {
  write("s.toml",
        "[[case]]\nname = \"u\"\nkind = \"command\"\ncommand = [\"sh\", \"-c\", \"cp {n}.xml '{out}/r.xml'\"]\n"
        "junit = \"{out}/r.xml\"\nmatrix = { n = [\"good\", \"bad\", \"none\"] }\n");
  const std::string test = "<testsuite name=\"s\"><testcase classname=\"Circuit\" name=\"Holds\">";
  write("good.xml", test + "</testcase></testsuite>");
  write("bad.xml", test + "<failure message=\"it fell at 3 us\"/></testcase><testcase name=\"b\"/></testsuite>");
  const Outcome night = run("regress s.toml --out n");
  EXPECT_EQ(night.code, 1);
  EXPECT_NE(night.out.find("night 1: 3 cases, 1 passed, 2 failed, 0 flaky\n"), std::string::npos) << night.out;
  EXPECT_NE(night.out.find("1 of 2 tests failed; the first: Circuit.Holds: it fell at 3 us\n"), std::string::npos)
      << night.out;
}

TEST_F(Nights, KeepTheSeedOfWhatWasDrawnAndRepeatIt) {
  write("s.toml",
        "[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", \"sysc\"]\nports = 3\nseeds = [5]\n"
        "drawn = 3\n");
  for (const char* seed : {" --seed 41", "", ""}) ASSERT_EQ(run(std::string("regress s.toml --out n") + seed).code, 0);
  const std::uint64_t stored = regress::History(path("n/history.db")).nights().at(1).seed;
  ASSERT_EQ(run("regress s.toml --out n --seed " + std::to_string(stored)).code, 0);
  EXPECT_EQ(names_of("n", 1).size(), 4u);
  EXPECT_TRUE(names_of("n", 1).contains("r ports=3 seed=5"));
  EXPECT_NE(names_of("n", 1), names_of("n", 2));
  EXPECT_NE(names_of("n", 2), names_of("n", 3));  // each night draws others
  EXPECT_EQ(names_of("n", 2), names_of("n", 4));
}

TEST_F(Nights, RunNoMoreAtATimeThanMemoryAllows) {
  // A case fails that finds another one at work.
  write("s.toml", commands("c", "mkdir works && sleep 0.2 && rmdir works", "\"1\", \"2\", \"3\", \"4\"") +
                      "memory = \"600 MB\"\n");
  const Outcome alone = run("regress s.toml -j 4 --memory '1 GB' --out a");
  EXPECT_EQ(alone.code, 0) << alone.out;
  const Outcome together = run("regress s.toml -j 4 --memory '4 GB' --out b");
  EXPECT_EQ(together.code, 1) << together.out;
}

TEST_F(Nights, ShowOneLineOnATerminal) {
  write("s.toml", commands("c", "sleep 0.3; test {n} != 2", "\"1\", \"2\", \"3\""));
  int reader = -1, terminal = -1;
  winsize size{.ws_row = 24, .ws_col = 200, .ws_xpixel = 0, .ws_ypixel = 0};
  ASSERT_EQ(openpty(&reader, &terminal, nullptr, nullptr, &size), 0);
  Child night(path(""), {"regress", "s.toml", "--out", "n", "-j", "1"}, -1, terminal);
  close(terminal);
  std::string seen;
  std::array<char, 256> chunk{};
  for (ssize_t got = 0; (got = ::read(reader, chunk.data(), chunk.size())) > 0;)
    seen.append(chunk.data(), static_cast<std::size_t>(got));
  close(reader);
  EXPECT_EQ(night.wait(), 1);
  EXPECT_NE(seen.find("\r1 of 3 cases, 0 failed, 1 running"), std::string::npos) << seen;
  EXPECT_NE(seen.find("\r2 of 3 cases, 1 failed, 1 running"), std::string::npos) << seen;
  EXPECT_EQ(seen.find('\n'), std::string::npos) << seen;
  EXPECT_TRUE(seen.ends_with("\r\033[K")) << seen;  // nothing of it stays
}

TEST_F(Nights, ReportPassRatesFlakyCasesAndCauses) {
  write("s.toml", "name = \"mine\"\nretries = 1\n" + commands("steady", "true", "\"1\", \"2\", \"3\"") +
                      commands("other", "test {n} = 1 || test -e seen{n} || { touch seen{n}; exit {n}; }",
                               "\"1\", \"2\", \"3\", \"4\"") +
                      commands("bad", "exit 7", "\"1\""));
  EXPECT_EQ(run("regress s.toml --out n").code, 1);
  const std::string page = read(path("n/last/index.html"));
  const auto row = [&](const std::string& table) {
    const std::size_t at = page.find("<tr><td>" + table + "</td>");
    return at == std::string::npos ? "none" : page.substr(at, page.find("</tr>", at) - at);
  };
  const auto cells = [](const std::string& numbers) { return "<td class=n>" + numbers + "</td>"; };
  EXPECT_NE(row("steady").find(cells("3") + cells("3") + cells("0") + cells("0") + cells("100.00 %")),
            std::string::npos)
      << page;
  EXPECT_NE(row("other").find(cells("4") + cells("1") + cells("0") + cells("3") + cells("25.00 %")), std::string::npos)
      << page;
  EXPECT_NE(row("bad").find(cells("1") + cells("0") + cells("1") + cells("0") + cells("0.00 %")), std::string::npos)
      << page;
  EXPECT_NE(page.find("<td>flaky</td><td>other n=3</td>"), std::string::npos) << page;
  EXPECT_NE(page.find("/failure.txt\">"), std::string::npos);
  const std::string index = read(path("n/index.html"));
  EXPECT_NE(index.find("<td>mine</td>"), std::string::npos) << index;
  EXPECT_NE(index.find(cells("8") + cells("4") + cells("1") + cells("3") + cells("50.00 %")), std::string::npos)
      << index;
}

/// In a mount namespace of its own, as in tests/experiment.
TEST_F(Nights, LoseNothingOnADiskThatIsFullAndGoOnWhenThereIsSpace) {
  write("s.toml", commands("c", "echo {n} >> ran; head -c 60000 /dev/zero; exit 1",
                           "\"1\", \"2\", \"3\", \"4\", \"5\", \"6\", \"7\", \"8\""));
  write("script", "mkdir -p disk && mount -t tmpfs -o size=400k none disk || exit 99\nL='" +
                      ocs::test::built("lightloop") +
                      "'\n$L regress s.toml --out disk/n; echo first $?; cp ran ran.first; mount -o remount,size=16m "
                      "disk\n$L regress s.toml --out disk/n --resume; echo second $?; cp -a disk/n kept\n");
  const std::string user = geteuid() == 0 ? "" : "-Ur ";
  ASSERT_EQ(std::system(("cd '" + folder() + "' && unshare -m " + user + "sh script >.out 2>.err </dev/null").c_str()),
            0)
      << read(path(".err"));
  const std::string out = read(path(".out")), err = read(path(".err"));
  EXPECT_NE(out.find("first 1\n"), std::string::npos) << out << err;
  EXPECT_NE(err.find("can't be written"), std::string::npos) << err;
  EXPECT_NE(out.find("second 1\n"), std::string::npos) << out << err;
  EXPECT_NE(out.find("night 1: 8 cases, 0 passed, 8 failed, 0 flaky; "), std::string::npos) << out;
  EXPECT_EQ(names_of("kept", 1).size(), 8u);
  const std::string first = read(path("ran.first")), all = read(path("ran"));
  const auto begun = std::count(first.begin(), first.end(), '\n');
  EXPECT_GE(begun, 2);
  EXPECT_LT(begun, 8);
  EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 9) << all;  // only the case whose result did not fit ran twice
}

TEST_F(Nights, RunTheCasesThatAreNamedAndNoOthers) {
  write("s.toml", commands("c", "exit {n}", "\"0\", \"3\", \"4\""));
  const auto night = [&](const std::string& names) {
    write("cases", names);
    return run("regress s.toml --out n" + std::to_string(names.size()) + " --cases cases");
  };
  const Outcome one = night("c n=3\n\n");
  EXPECT_EQ(one.code, 0) << one.err;  // it has done its work
  EXPECT_NE(one.out.find("c n=3: the command ended with exit code 3\n  failed: 1 case, c n=3\n"), std::string::npos)
      << one.out;
  EXPECT_NE(one.out.find("\nnight 1: 1 case, 0 passed, 1 failed, 0 flaky\n"), std::string::npos) << one.out;
  const Outcome unknown = night("c n=0\nc m=4\n");
  EXPECT_EQ(unknown.code, 2) << unknown.out;
  EXPECT_EQ(unknown.err,
            "lightloop: --cases names \"c m=4\", which is no case of the suite; did you mean \"c n=4\"?\n");
  EXPECT_EQ(night("\n").err, "lightloop: --cases names no case\n");
}

TEST_F(Nights, ListFailuresWhenTheyAreInterrupted) {
  write("s.toml", commands("c", "echo {n} >> ran; test {n} = 2 && sleep 60; exit 7", "\"1\", \"2\""));
  const int out = open(path("out").c_str(), O_WRONLY | O_CREAT, 0600);
  const int err = open(path("err").c_str(), O_WRONLY | O_CREAT, 0600);
  Child runner(path(""), {"regress", "s.toml", "--out", "n"}, out, err);
  while (read(path("ran")) != "1\n2\n") std::this_thread::sleep_for(std::chrono::milliseconds{5});
  runner.send(SIGINT);
  EXPECT_EQ(runner.wait(), 130);
  close(out);
  close(err);
  EXPECT_NE(read(path("out")).find("c n=1: the command ended with exit code 7\n  failed: 1 case, c n=1\n"),
            std::string::npos)
      << read(path("out"));
  EXPECT_NE(read(path("out")).find("--reproduce n/night-0001/f001\n"), std::string::npos) << read(path("out"));
  EXPECT_EQ(read(path("err")), "lightloop: interrupted; 1 case is finished in night 1, and --resume runs the others\n");
}

/// By programs in place of Slurm's: no task works, but what they would do is there.
TEST_F(Nights, DivideCasesByTheTimeThatTheyTookLast) {
  write("s.toml", commands("c", "test {n} != 3 || test -e quick || sleep 2", "\"1\", \"2\", \"3\", \"4\", \"5\""));
  ASSERT_EQ(run("regress s.toml --out n").code, 0);
  std::filesystem::create_directory(path("bin"));
  write("bin/sbatch", "#!/bin/sh\necho \"$*\" >'" + path("sbatch.arguments") + "'\necho 7\n");
  write("bin/squeue", "#!/bin/sh\nprintf '1|COMPLETED|None|n1\\n2|COMPLETED|None|n1\\n'\n");
  for (const char* program : {"bin/sbatch", "bin/squeue"})
    std::filesystem::permissions(path(program), std::filesystem::perms::owner_all);
  const Outcome night =
      run("regress s.toml --out n --slurm --tasks 2 --poll 1 --slurm-args='--partition=long --mem=4G'",
          "PATH='" + path("bin") + "':$PATH");
  EXPECT_EQ(night.code, 1);
  EXPECT_NE(night.err.find("5 of 5 cases have no result; --resume runs them"), std::string::npos) << night.err;
  EXPECT_EQ(read(path("n/last/tasks/1/cases")), "c n=3\n");
  EXPECT_EQ(read(path("n/last/tasks/2/cases")), "c n=1\nc n=2\nc n=4\nc n=5\n");
  const std::string arguments = read(path("sbatch.arguments"));
  EXPECT_NE(arguments.find(" --requeue "), std::string::npos) << arguments;
  EXPECT_NE(arguments.find(" --array=1-2 "), std::string::npos) << arguments;
  EXPECT_NE(arguments.find(" --partition=long --mem=4G "), std::string::npos) << arguments;
}

TEST_F(Nights, NeedSlurmForTasksAndGoOnWithoutIt) {
  write("s.toml", commands("c", "true", "\"1\", \"2\""));
  std::filesystem::create_directory(path("bin"));  // the program of the cases and nothing else
  std::filesystem::create_symlink("/bin/sh", path("bin/sh"));
  const Outcome none = run("regress s.toml --out n --slurm", "PATH='" + path("bin") + "'");
  EXPECT_EQ(none.code, 2);
  EXPECT_EQ(
      none.err,
      "lightloop: --slurm needs sbatch and squeue, which are not in PATH: Debian's package slurm-client has them, "
      "and the cluster needs slurmctld, slurmd and munge\n");
  const Outcome here = run("regress s.toml --out n --resume");
  EXPECT_EQ(here.code, 0) << here.err;
  EXPECT_NE(here.out.find("night 1: 2 cases, 2 passed, 0 failed, 0 flaky\n"), std::string::npos) << here.out;
}

TEST_F(Nights, MarkWhereTheLevelOfAColumnChanges) {
  {
    regress::History history(path("history.db"));
    for (int k = 1; k <= 16; ++k) {
      const std::string version = "0.1." + std::to_string(k);
      const std::int64_t night = history.begin({.number = 0,
                                                .started = "2026-01-01T00:00:00Z",
                                                .finished = "",
                                                .suite = "s",
                                                .suite_hash = "h",
                                                .version = version,
                                                .seed = 1});
      regress::Result result{.name = "c", .table = "c", .outcome = {}, .folder = ""};
      result.outcome.measures = {{1, "realtime_ratio", k <= 9 ? 2.0 + 0.01 * (k % 3) : 3.0 + 0.01 * (k % 3)}};
      history.add(night, result);
      history.finish(night, "2026-01-01T01:00:00Z");
    }
  }
  const Outcome trend = run("trend . --metric realtime_ratio");
  EXPECT_EQ(trend.code, 0) << trend.err;
  std::istringstream lines(trend.out);
  std::vector<std::string> changes;
  for (std::string line; std::getline(lines, line);)
    if (line.find("changed from") != std::string::npos) changes.push_back(line);
  ASSERT_EQ(changes.size(), 1u) << trend.out;
  EXPECT_EQ(changes[0].rfind("   10  2026-01-01T00:00:00Z  3.01  changed from 2.01 to 3.01", 0), 0u) << changes[0];
  EXPECT_TRUE(changes[0].ends_with(", lightloop 0.1.10")) << changes[0];
}

/// A finished night in which cases of two tables ran as fast as this; a table of speed -1 has no case.
void add_speeds(regress::History& history, double fast, double counter) {
  const std::int64_t night = history.begin({.number = 0,
                                            .started = "2026-01-01T00:00:00Z",
                                            .finished = "",
                                            .suite = "s",
                                            .suite_hash = "h",
                                            .version = "0.1",
                                            .seed = 1});
  for (const auto& [table, speed] : {std::pair{"fast", fast}, {"counter", counter}}) {
    if (speed < 0) continue;
    regress::Result result{.name = table, .table = table, .outcome = {}, .folder = ""};
    result.outcome.measures = {{1, "realtime_ratio", speed}};
    history.add(night, result);
  }
  history.finish(night, "2026-01-01T01:00:00Z");
}

TEST_F(Nights, CompareSpeedsWithinEachNight) {
  {
    regress::History history(path("history.db"));
    // From the seventh night on the machine is half as fast; from the thirteenth on the fast core is slower.
    for (int k = 1; k <= 24; ++k) {
      const double machine = k < 7 ? 2 : 1, core = k < 13 ? 8 : 6;
      add_speeds(history, machine * (core + 0.01 * (k % 3)), machine);
    }
    add_speeds(history, 5, -1);
  }
  const Outcome trend = run("trend . --metric realtime_ratio --case fast --over counter");
  EXPECT_EQ(trend.code, 0);
  EXPECT_EQ(trend.err, "");
  std::istringstream lines(trend.out);
  std::string line;
  std::getline(lines, line);
  EXPECT_EQ(line, "night  begun                 realtime_ratio over that of counter");
  std::vector<std::string> nights;
  while (std::getline(lines, line)) nights.push_back(line);
  ASSERT_EQ(nights.size(), 24u) << trend.out;
  EXPECT_EQ(nights[6], "    7  2026-01-01T00:00:00Z  8.01");
  EXPECT_EQ(nights[12].rfind("   13  2026-01-01T00:00:00Z  6.01  changed from 8.01 to 6.01", 0), 0u) << nights[12];
  EXPECT_EQ(std::count_if(nights.begin(), nights.end(),
                          [](const std::string& each) { return each.find("changed") != std::string::npos; }),
            1);
}

TEST_F(Nights, WarnOfSpeedsOfSeveralNightsAndRefuseWhatTheyDoNotHave) {
  {
    regress::History history(path("history.db"));
    add_speeds(history, 4, -1);
    add_speeds(history, -1, 0);
  }
  EXPECT_EQ(run("trend . --metric realtime_ratio").err,
            "warning: realtime_ratio measures the machine, which changes from night to night; --over NAME compares "
            "within each night\n");
  EXPECT_EQ(run("trend . --metric realtime_ratio --case fast --over counter").err,
            "lightloop: no finished night has both cases of --case and --over\n");
  EXPECT_EQ(run("trend . --metric realtime_ratio --over counter").err,
            "lightloop: --over \"counter\" has the realtime_ratio 0 in night 2\n");
  EXPECT_EQ(run("trend . --metric realtime_ratio --over contuer").err,
            "lightloop: --over is \"contuer\", but no night has such a table; did you mean \"counter\"?\n");
  EXPECT_EQ(run("trend . --metric coverage_line --over counter").err,
            "lightloop: --metric coverage_line is of a whole night; leave --over out\n");
}

}  // namespace
}  // namespace ocs::test
