// Suites: cases of a matrix, seeds, and mistakes with their lines.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/suite.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "host/core/error.hpp"
#include "tests/common/places.hpp"

namespace ocs::regress {
namespace {

std::vector<std::string> names(const std::string& text, const std::vector<std::uint64_t>& drawn = {}) {
  std::vector<std::string> out;
  for (const Case& each : expand(parse_suite(text, "/suites/s.toml"), drawn)) out.push_back(each.name);
  return out;
}

std::string mistake(const std::string& text) {
  try {
    names(text);
  } catch (const Error& failure) {
    return failure.what();
  }
  return "";
}

const std::string random_table =
    "[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", \"verilated\"]\n";

TEST(Suite, MakesACaseOfEachSeedAndSize) {
  EXPECT_EQ(names(random_table + "ports = [4, 8]\nseeds = \"6..7\"\ndrawn = 1\n", {99}),
            (std::vector<std::string>{"r ports=4 seed=6", "r ports=4 seed=7", "r ports=4 seed=99", "r ports=8 seed=6",
                                      "r ports=8 seed=7", "r ports=8 seed=99"}));
}

TEST(Suite, MakesACaseOfEachCombination) {
  EXPECT_EQ(names("[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = \"true\"\nmatrix = { a = [\"1\", \"2\"], b = "
                  "[\"x\", \"y\"] }\n"),
            (std::vector<std::string>{"c a=1 b=x", "c a=1 b=y", "c a=2 b=x", "c a=2 b=y"}));
}

TEST(Suite, GivesTablesWhatStandsAboveThem) {
  const Suite suite = parse_suite(
      "timeout = \"3 s\"\nretries = 2\n[[case]]\nname = \"a\"\nkind = \"command\"\ncommand = \"true\"\n[[case]]\nname "
      "= "
      "\"b\"\nkind = \"command\"\ncommand = \"true\"\ntimeout = \"40 ms\"\n",
      "/suites/s.toml");
  EXPECT_EQ(suite.tables[0].timeout, std::chrono::seconds{3});
  EXPECT_EQ(suite.tables[0].retries, 2);
  EXPECT_EQ(suite.tables[1].timeout, std::chrono::milliseconds{40});
}

TEST(Suite, NamesTheLineOfAMistake) {
  EXPECT_EQ(
      mistake(random_table + "ports = 4\nseeds = [1]\nsede = 3\n"),
      "/suites/s.toml:7: unknown key \"sede\" of kind random_programs; known: name, kind, timeout, retries, memory, "
      "rtl, devices, ports, seeds, drawn, steps, fifo_depth, unwarped, coverage");
  EXPECT_EQ(mistake("[[case]]\nname = \"x\"\nkind = \"rtl\"\n"),
            "/suites/s.toml:3: unknown kind \"rtl\"; known: programs, random_programs, experiment, command");
  EXPECT_EQ(mistake(random_table + "ports = 4\nseeds = \"9..1\"\n"),
            "/suites/s.toml:6: seeds is \"9..1\", which goes down; a range is from the least one to the greatest one");
  EXPECT_EQ(mistake(random_table + "ports = 4\nseeds = \"1\"\n"),
            "/suites/s.toml:6: seeds must be a list, or a range \"1..1000\" of at most 10000000 seeds");
  EXPECT_EQ(mistake(random_table + "ports = 4\nseeds = [1]\ndrawn = 0\n"), "");
  EXPECT_EQ(mistake(random_table + "ports = 4\ndrawn = 0\n"),
            "/suites/s.toml:1: random programs must have seeds or drawn");
  EXPECT_EQ(mistake(random_table + "ports = 4\nseeds = [1]\ntimeout = 120\n"),
            "/suites/s.toml:7: timeout must be text with a unit, such as \"120 s\"");
  EXPECT_EQ(mistake(random_table + "ports = 1\nseeds = [1]\n"),
            "/suites/s.toml:5: ports must be a whole number from 2 to 256");
  EXPECT_EQ(mistake(random_table + "ports = []\nseeds = [1]\n"),
            "/suites/s.toml:5: ports must be a whole number from 2 to 256, or a list of them");
  EXPECT_EQ(mistake(random_table + "ports = 4\n"), "/suites/s.toml:1: random programs must have seeds or drawn");
  EXPECT_NE(mistake("[[case]]\nname = \"r\"\nkind = \"programs\"\nfolder = \"f\"\ndevices = [\"vrilated\"]\n")
                .find("/suites/s.toml:5: unknown device \"vrilated\""),
            std::string::npos);
  EXPECT_NE(mistake("[[case]]\nname = \"r\"\nkind = \"programs\"\nfolder = \"f\"\ndevices = [\"v\\rilated\"]\n")
                .find("/suites/s.toml:5: unknown device \"v?ilated\""),
            std::string::npos)
      << "what isn't printable would be obeyed by a terminal";
  EXPECT_EQ(
      mistake("[[case]]\nname = \"e\"\nkind = \"experiment\"\nexperiment = \"e.toml\"\nexpect = \"words_losd < 1\"\n"),
      "/suites/s.toml:5: expect is \"words_losd < 1\", but must name a column of docs/results.md; the most similar one "
      "is \"words_lost\"");
  EXPECT_EQ(mistake("name = \"only\"\n"), "/suites/s.toml: must have tables [[case]]");
}

TEST(Suite, CountsCoverageOnlyWhereADeviceHasCounters) {
  const std::string programs = "[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"f\"\n";
  EXPECT_TRUE(parse_suite(random_table + "ports = 4\nseeds = [1]\ncoverage = true\n", "/s.toml").tables[0].coverage);
  EXPECT_FALSE(parse_suite(random_table + "ports = 4\nseeds = [1]\ncoverage = false\n", "/s.toml").tables[0].coverage);
  EXPECT_EQ(mistake(programs + "devices = [\"model\", \"sysc-rtl\"]\ncoverage = true\n"),
            "/suites/s.toml:6: coverage counts what devices \"verilated\" and \"verilated_counter\" reach of the RTL; "
            "no other "
            "device has counts, and this case names neither");
  EXPECT_EQ(mistake(programs + "devices = [\"verilated\"]\ncoverage = 1\n"),
            "/suites/s.toml:6: coverage must be true or false");
  EXPECT_NE(mistake("[[case]]\nname = \"c\"\nkind = \"command\"\ncommand = \"true\"\ncoverage = true\n")
                .find("unknown key \"coverage\" of kind command"),
            std::string::npos);
  EXPECT_EQ(mistake("coverage_exclusions = \"e.txt\"\n" + programs + "devices = [\"verilated\"]\n"),
            "/suites/s.toml:1: coverage_exclusions leaves points out of the coverage, but no case has coverage = true");
}

TEST(Suite, TakesRtlOfTheUsersOwn) {
  const std::string rtl = test::source_dir() + "/rtl";
  const std::string programs = "kind = \"programs\"\nfolder = \"f\"\n";
  const auto suite = parse_suite(
      "[[case]]\nname = \"p\"\n" + programs + "devices = [\"sysc-rtl\"]\nrtl = \"" + rtl + "\"\n", "/suites/s.toml");
  EXPECT_EQ(suite.tables[0].rtl, rtl);
  EXPECT_EQ(mistake("[[case]]\nname = \"p\"\n" + programs + "devices = [\"verilated\"]\nrtl = \"mine\"\n"),
            "/suites/s.toml:6: rtl is \"/suites/mine\", which must be a folder like rtl/, but has no file ocs.f");
  EXPECT_EQ(mistake("[[case]]\nname = \"p\"\n" + programs + "devices = [\"model\"]\nrtl = \"" + rtl + "\"\n"),
            "/suites/s.toml:6: rtl names the RTL that devices run, but no device of this case runs any");
  EXPECT_EQ(mistake("[[case]]\nname = \"p\"\n" + programs + "devices = [\"verilated\"]\ncoverage = true\n" +
                    "[[case]]\nname = \"q\"\n" + programs + "devices = [\"verilated\"]\ncoverage = true\nrtl = \"" +
                    rtl + "\"\n"),
            "/suites/s.toml:7: coverage of other RTL than that of case \"p\" can't be merged with it; use two suites");
}

TEST(Suite, LeavesOutProgramsOfOtherSizes) {
  const auto cases = [](const std::string& ports) {
    return names("[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"" + test::source_dir() +
                 "/tests/goldens/switch\"\ndevices = [\"model\"]\nports = " + ports + "\n");
  };
  EXPECT_EQ(cases("256"), (std::vector<std::string>{"p the-largest-switch.json device=model"}));
  EXPECT_EQ(cases("[64, 256]").size(), 3u);
  EXPECT_NE(mistake("[[case]]\nname = \"p\"\nkind = \"programs\"\nfolder = \"" + test::source_dir() +
                    "/tests/goldens/switch\"\ndevices = [\"model\"]\nports = 7\n")
                .find("holds no register program for the sizes of the case"),
            std::string::npos);
}

/// A folder with the suite s.toml, which is read as a user's is.
class SuiteFile : public ::testing::Test {
 protected:
  SuiteFile() {
    std::string name = ::testing::TempDir() + "suite_XXXXXX";
    folder_ = mkdtemp(name.data());
  }
  ~SuiteFile() override { std::filesystem::remove_all(folder_); }
  void write(const std::string& name, const std::string& text) const { std::ofstream(folder_ + "/" + name) << text; }
  /// What is wrong with a suite of this one table, without the name of its folder.
  std::string mistake_in(const std::string& kind, const std::string& keys) const {
    write("s.toml", "[[case]]\nname = \"c\"\nkind = \"" + kind + "\"\n" + keys);
    try {
      read_suite(folder_ + "/s.toml");
    } catch (const Error& failure) {
      const std::string said = failure.what();
      EXPECT_EQ(said.rfind(folder_ + "/", 0), 0u) << said;
      return said.substr(std::min(said.size(), folder_.size() + 1));
    }
    return "";
  }
  const std::string& folder() const { return folder_; }

 private:
  std::string folder_;
};

TEST_F(SuiteFile, NamesExperimentsThatCanBeRead) {
  write("e.toml", "policy = \"hlf\"\n[job]\nworkers = 3\n[[only]]\npolicy = \"hlf\"\n");
  EXPECT_EQ(mistake_in("experiment", "experiment = \"e.toml\"\nset = \"job.workers=2\"\n"), "");
  // The name is seen whole, as it was written.
  const std::string far = "a-folder-with-a-name-that-is-longer-than-what-other-messages-show/tiny-one.toml";
  EXPECT_EQ(mistake_in("experiment", "experiment = \"" + far + "\"\n"),
            "s.toml:4: experiment is \"" + far + "\", which is no file that can be read");
  EXPECT_EQ(mistake_in("experiment", "experiment = \"e.toml\"\ngolden = \"../g.json\"\n"),
            "s.toml:5: golden is \"../g.json\", which is no file that can be read");
  write("wrong.toml", "[job]\nworkesr = 3\n");
  EXPECT_EQ(mistake_in("experiment", "experiment = \"wrong.toml\"\n"),
            "s.toml:4: wrong.toml:2: unknown key \"job.workesr\"; did you mean \"job.workers\"?");
}

TEST_F(SuiteFile, SetsKeysThatExperimentsHave) {
  write("e.toml", "policy = \"hlf\"\n");
  const std::string experiment = "experiment = \"e.toml\"\n";
  EXPECT_EQ(mistake_in("experiment", experiment + "set = [\"job.workers=2\", \"job.wrkers=2\"]\n"),
            "s.toml:5: set is \"job.wrkers=2\", but unknown key \"job.wrkers\"; did you mean \"job.workers\"?");
  EXPECT_EQ(mistake_in("experiment", experiment + "set = \"job.workers\"\n"),
            "s.toml:5: --set job.workers: must be key=value, such as fabric.ports=8");
  EXPECT_EQ(mistake_in("experiment", experiment + "matrix = { \"fabric.tunign\" = [\"1 us\"] }\n"),
            "s.toml:5: matrix: unknown key \"fabric.tunign\"; did you mean \"fabric.tuning\"?");
}

TEST_F(SuiteFile, GivesAValueToEachMarkOfACommand) {
  const auto mistake = [&](const std::string& keys) { return mistake_in("command", keys); };
  EXPECT_EQ(mistake("command = [\"true\", \"{out}/{n}\"]\nmatrix = { n = [\"1\"] }\n"), "");
  EXPECT_EQ(mistake("command = [\"sh\", \"-c\", \"echo ${HOME} { touch a; } {1,2} { print } > {out}/a\"]\n"), "");
  EXPECT_EQ(mistake("command = [\"cp\", \"a\", \"{outt}/a\"]\nmatrix = { n = [\"1\"] }\n"),
            "s.toml:4: command has the mark {outt}, which has no value; known: {n}, {out}. Braces that are meant as "
            "they stand have a blank within");
  EXPECT_EQ(mistake("command = \"true\"\njunit = \"{uot}/r.xml\"\n"),
            "s.toml:5: junit has the mark {uot}, which has no value; known: {out}. Braces that are meant as they stand "
            "have a blank within");
}

TEST_F(SuiteFile, NamesProgramsThatCanBeStarted) {
  const auto mistake = [&](const std::string& keys) { return mistake_in("command", keys); };
  write("here", "#!/bin/sh\n");
  EXPECT_EQ(mistake("command = \"./here\"\n"),
            "s.toml:4: command begins with \"./here\", which is no program that "
            "can be started");
  std::filesystem::permissions(folder() + "/here", std::filesystem::perms::owner_all);
  EXPECT_EQ(mistake("command = \"./here\"\n"), "");
  EXPECT_EQ(mistake("command = \"{out}/made\"\n"), "");  // nobody can know
  EXPECT_EQ(
      mistake("command = [\"lightlop\", \"run\"]\n"),
      "s.toml:4: command begins with \"lightlop\", which is no program that can be started: no folder of PATH has "
      "it");
  EXPECT_EQ(mistake("command = \"./{p}\"\nmatrix = { p = [\"here\", \"there\"] }\n"),
            "s.toml:4: command begins with \"./there\", which is no program that can be started");
}

TEST_F(SuiteFile, ExistsAndNamesItsExclusions) {
  EXPECT_THROW(read_suite("/nowhere/s.toml"), Error);
  write("s.toml",
        "coverage_exclusions = \"none.txt\"\n[[case]]\nname = \"r\"\nkind = \"random_programs\"\ndevices = [\"model\", "
        "\"verilated\"]\nports = 4\nseeds = [1]\ncoverage = true\n");
  try {
    read_suite(folder() + "/s.toml");
    ADD_FAILURE() << "it was read";
  } catch (const Error& failure) {
    EXPECT_EQ(failure.what(), folder() + "/s.toml: coverage_exclusions is \"" + folder() +
                                  "/none.txt\", which is no file that can be read");
  }
}

}  // namespace
}  // namespace ocs::regress
