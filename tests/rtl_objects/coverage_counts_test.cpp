// Files of counts: which point a record counts, sums, exclusions, LCOV; damaged files are refused.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/coverage_counts.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "host/core/error.hpp"

namespace ocs::rtl {
namespace {

const std::string head = "# SystemC::Coverage-3\n";

/// A record as Verilator writes it.
std::string record(const std::string& type, const std::string& file, int line, int column, const std::string& what,
                   const std::string& instance, const std::string& count) {
  const auto field = [](const std::string& key, const std::string& value) { return "\1" + key + "\2" + value; };
  return "C '" + field("f", file) + field("l", std::to_string(line)) + field("n", std::to_string(column)) +
         field("page", type + "/module__N4") + field("o", what) + field("h", "TOP." + instance) + "' " + count + "\n";
}

const std::string a_file = head + record("v_branch", "/x/rtl/ocs_core.sv", 98, 20, "if", "a", "3") +
                           record("v_branch", "/x/rtl/ocs_core.sv", 98, 21, "else", "a", "0") +
                           record("v_branch", "/x/rtl/ocs_core.sv", 98, 20, "if", "b", "4") +
                           record("v_line", "/x/rtl/ocs_core.sv", 7, 3, "block", "a", "5") +
                           record("v_toggle", "rtl/ocs_core.sv", 5, 1, "time_q[3]", "a", "0") +
                           record("v_user", "/x/rtl/checks/ocs_core_checks.sv", 9, 5, "see_range", "a", "2") +
                           record("v_line", "/x/rtl/checks/ocs_core_checks.sv", 9, 5, "block", "a", "100") +
                           record("v_toggle", "/x/tests/rtl/top/bench.sv", 9, 5, "clk", "a", "100") +
                           record("v_toggle", "/x/elsewhere/a.sv", 9, 5, "clk", "a", "100");
const CoverPoint branch_if{PointKind::line, "ocs_core.sv", "98:20 if"};
const CoverPoint branch_else{PointKind::line, "ocs_core.sv", "98:21 else"};
const CoverPoint block{PointKind::line, "ocs_core.sv", "7:3 block"};
const CoverPoint toggle{PointKind::toggle, "ocs_core.sv", "time_q[3]"};
const CoverPoint named{PointKind::named, "ocs_core_checks.sv", "see_range"};

CoverCounts counts_in(const std::string& text) {
  CoverCounts counts;
  add_counts(text, "file", counts);
  return counts;
}

std::string refusal(const std::string& text) {
  CoverCounts counts{{named, 1}};
  try {
    add_counts(text, "file", counts);
  } catch (const Error& failure) {
    EXPECT_EQ(counts, (CoverCounts{{named, 1}})) << "a part of a damaged file was counted";
    EXPECT_EQ(failure.exit_code(), 2);
    return failure.what();
  }
  return "";
}

TEST(CoverageCounts, AreOfThePointInAllInstances) {
  EXPECT_EQ(counts_in(a_file), (CoverCounts{{branch_if, 7}, {branch_else, 0}, {block, 5}, {toggle, 0}, {named, 2}}));
  EXPECT_EQ(counts_in(a_file + "# end\n"), counts_in(a_file));
  CoverCounts counts;
  EXPECT_EQ(add_counts(a_file, "file", counts), 314u);
}

TEST(CoverageCounts, AddUpOverFilesWithoutOverflow) {
  const std::string most = std::to_string(std::numeric_limits<std::uint64_t>::max());
  CoverCounts sum = counts_in(a_file);
  add_counts(head + record("v_user", "/x/rtl/checks/ocs_core_checks.sv", 9, 5, "see_range", "a", most), "b", sum);
  EXPECT_EQ(sum[named], std::numeric_limits<std::uint64_t>::max());
  add_counts(counts_in(a_file), sum);
  EXPECT_EQ(sum[named], std::numeric_limits<std::uint64_t>::max());
  EXPECT_EQ(sum[branch_if], 14u);
}

TEST(CoverageCounts, RefuseADamagedFileInOneSentence) {
  EXPECT_EQ(refusal(""), "file: is not a file of counts: it must begin with # SystemC::Coverage-3");
  EXPECT_EQ(refusal(a_file.substr(0, a_file.size() - 1)),
            "file: is a damaged file of counts: its last line has no end");
  const std::string damaged = "file:2: is damaged: it must be a count of coverage";
  for (const std::string& line :
       {std::string("C ''\n"), std::string("C '\1page\2v_user' 1\n"), std::string("\n"), std::string("C ' 1\n"),
        record("v_user", "a.sv", 1, 1, "see", "a", "-1"), record("v_user", "a.sv", 1, 1, "see", "a", "1x"),
        record("v_other", "a.sv", 1, 1, "see", "a", "1"), record("v_line", "rtl/a.sv", -1, 1, "if", "a", "1"),
        record("v_user", "a.sv", 1, 1, "s\te", "a", "1")})
    EXPECT_EQ(refusal(head + line), damaged) << line;
}

TEST(CoverageCounts, AreSummarisedWithoutWhatIsExcluded) {
  const auto exclusions = parse_exclusions(
      "# a comment\n\nline ocs_core.sv 98:21_else # never\ntoggle ocs_core.sv time_q[*] # all\nline ocs_core.sv 7:3_* "
      "# x\n"
      "line ocs_core.sv 98:20_if # wrong\nnamed ocs_core_checks.sv see_nothing # gone\n",
      "list");
  const CoverSummary summary = summary_of(counts_in(a_file), exclusions);
  EXPECT_EQ(summary.of(PointKind::line).points, 3u);
  EXPECT_EQ(summary.of(PointKind::line).excluded, 3u);
  EXPECT_EQ(summary.of(PointKind::toggle).counted(), 0u);
  EXPECT_EQ(summary.of(PointKind::named).reached, 1u);
  EXPECT_EQ(summary.of(PointKind::named).percent(), 100);
  EXPECT_EQ(summary.wrong,
            (std::vector<std::string>{"excluded, but reached: line ocs_core.sv 98:20 if",
                                      "exclusion \"named ocs_core_checks.sv see_nothing\" meets no point"}));
  EXPECT_EQ(summary.counted, (CoverCounts{{named, 2}}));
  EXPECT_EQ(summary_of(counts_in(a_file), {}).of(PointKind::line).percent(), 200.0 / 3);
}

TEST(CoverageCounts, TakeBracketsOfAnExclusionLiterally) {
  const auto exclusions = parse_exclusions("toggle a.sv x[1] # r\ntoggle a.sv y? # r\n", "list");
  EXPECT_TRUE(exclusions[0].holds({PointKind::toggle, "a.sv", "x[1]"}));
  EXPECT_FALSE(exclusions[0].holds({PointKind::toggle, "a.sv", "x1"}));
  EXPECT_FALSE(exclusions[1].holds({PointKind::toggle, "a.sv", "yy"}));
  EXPECT_FALSE(exclusions[0].holds({PointKind::line, "a.sv", "x[1]"}));
  for (const std::string line : {"line a.sv 1:1_if", "line a.sv # r", "lines a.sv 1:1_if # r", "line a.sv 1:1_if # "})
    EXPECT_THROW(parse_exclusions("# one\n" + line + "\n", "list"), Error) << line;
}

TEST(CoverageCounts, AreLcov) {
  EXPECT_EQ(
      lcov_text(counts_in(a_file), "/nowhere"),
      "TN:\nSF:ocs_core.sv\nBRDA:98,0,0,7\nBRDA:98,0,1,0\nBRF:2\nBRH:1\nDA:7,5\nDA:98,7\nLF:2\nLH:2\nend_of_record\n");
}

}  // namespace
}  // namespace ocs::rtl
