// Suites: cases of a matrix, seeds, and mistakes with their lines.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/regress/suite.hpp"

#include <gtest/gtest.h>

#include "host/core/error.hpp"

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
      "devices, ports, seeds, drawn, steps, fifo_depth, unwarped");
  EXPECT_EQ(mistake("[[case]]\nname = \"x\"\nkind = \"rtl\"\n"),
            "/suites/s.toml:3: unknown kind \"rtl\"; known: programs, random_programs, experiment, command");
  EXPECT_EQ(mistake(random_table + "ports = 4\nseeds = \"9..1\"\n"),
            "/suites/s.toml:6: seeds must be a list, or a range \"1..1000\" of at most 10000000 seeds");
  EXPECT_EQ(mistake(random_table + "ports = 1\nseeds = [1]\n"),
            "/suites/s.toml:5: ports must be a whole number from 2 to 256");
  EXPECT_EQ(mistake(random_table + "ports = 4\n"), "/suites/s.toml:1: random programs must have seeds or drawn");
  EXPECT_NE(mistake("[[case]]\nname = \"r\"\nkind = \"programs\"\nfolder = \"f\"\ndevices = [\"vrilated\"]\n")
                .find("/suites/s.toml:5: unknown device \"vrilated\""),
            std::string::npos);
  EXPECT_EQ(
      mistake("[[case]]\nname = \"e\"\nkind = \"experiment\"\nexperiment = \"e.toml\"\nexpect = \"words_losd < 1\"\n"),
      "/suites/s.toml:5: expect is \"words_losd < 1\", but must name a column of docs/results.md; the most similar one "
      "is \"words_lost\"");
  EXPECT_EQ(mistake("name = \"only\"\n"), "/suites/s.toml: must have tables [[case]]");
}

}  // namespace
}  // namespace ocs::regress
