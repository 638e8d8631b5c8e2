// What isn't a register program is refused with its place; what is can be written and read again.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <string>
#include <utility>

#include "host/conformance/program.hpp"
#include "host/core/error.hpp"

namespace ocs::conformance {
namespace {

/// A case with 2 ports, with these operations and this beginning of "reads".
std::string text(const std::string& ops, const std::string& reads = "") {
  return R"({"name": "n", "rule": "r", "ports": 2, "fifo_depth": 64, "program": [)" + ops +
         R"(], "expect": {"time": 0, "events": [], "reads": [)" + reads +
         R"(], "counters": {"PASSED": [0, 0], "LOST": [0, 0], "DARK": [0, 0], "TUNINGS": [0, 0], "RESTARTS": [0, 0],
             "SENT": [0, 0], "UNROUTED": [0, 0], "COMMITS": 0, "REFUSED": 0, "LATE": 0, "DROPPED": 0}}})";
}

std::string without(std::string whole, const std::string& part, const std::string& instead = "") {
  return whole.replace(whole.find(part), part.size(), instead);
}

std::string complaint(const std::string& bad) {
  try {
    parse_cases(bad, "f.json");
  } catch (const Error& e) {
    EXPECT_EQ(e.kind(), ErrorKind::input);
    return e.what();
  }
  return "none";
}

TEST(Parser, NamesThePlaceAndWhatWouldBeRight) {
  const std::pair<std::string, std::string> table[] = {
      {"", "f.json: not JSON"},
      {"{\"name\": ", "f.json: not JSON"},
      {"[]", "f.json: expected a case or a list of cases, found an empty list"},
      {"7", "f.json: expected an object, found 7"},
      {"[" + text("") + ", 8]", "f.json[1]: expected an object, found 8"},
      {without(text(""), "\"rule\": \"r\", "), "f.json: \"rule\" is missing"},
      {without(text(""), "\"rule\": \"r\"", "\"rule\": \"\""), "f.json.rule: expected a text, found \"\""},
      {without(text(""), "\"ports\"", "\"portz\""), "f.json: unknown key \"portz\""},
      {without(text(""), "\"ports\": 2", "\"ports\": 1"), "f.json.ports: 1 isn't from 2 to 256"},
      {without(text(""), "\"ports\": 2", "\"ports\": 2.5"), "f.json.ports: expected a whole number"},
      {without(text(""), "\"ports\": 2", "\"ports\": 3"),
       "f.json.expect.counters.PASSED: expected 3 numbers, found [0,0]"},
      {without(text(""), "\"LATE\": 0, "), "f.json.expect.counters: \"LATE\" is missing"},
      {without(text(""), "\"events\": []", "\"events\": [[1, 0, 0]]"),
       "f.json.expect.events[0]: expected [stamp, class, port, kind], or these and a commit's tag, found [1,0,0]"},
      {without(text(""), "\"events\": []", "\"events\": [[1, 0, 0, 0, 64]]"),
       "f.json.expect.events[0][4]: 64 isn't from 0 to 63"},
      {text("3"), "f.json.program[0]: expected a list, found 3"},
      {text("[]"), "f.json.program[0]: expected an operation"},
      {text(R"(["jump", 3])"),
       "f.json.program[0]: unknown operation \"jump\"; known: write, write_bytes, read, advance"},
      {text(R"(["pop"], ["read", "TEMPERATURE", []])"), "f.json.program[1][1]: unknown register \"TEMPERATURE\""},
      {text(R"(["read", "EVENT", []])"), "unknown register \"EVENT\""},
      {text(R"(["read", "TIME", [], "middle"])"),
       "f.json.program[0][3]: must be \"low\" or \"high\", found \"middle\""},
      {text(R"(["write", "SEED", [], 1, "low"])"), "f.json.program[0][4]: SEED has no word of its own that is \"low\""},
      {text(R"(["read", "TIME", [], "low", 1])"), "f.json.program[0]: expected [\"read\", NAME"},
      {text(R"(["write_bytes", "LEN", [0], 5])"),
       "expected [\"write_bytes\", NAME, [index...], value, strobes], found"},
      {text(R"(["write_bytes", "LEN", [0], 5, 15])"), "f.json.program[0][4]: 15 isn't from 0 to 14"},
      {text(R"(["write_bytes", "LEN", [0], 5, 1, "low"])"), "f.json.program[0][5]: LEN has no word of its own"},
      {text(R"(["write_bytes", "EVENT", [], 5, 1])"), "unknown register \"EVENT\""},
      {text(R"(["read", "STATE", []])"), "f.json.program[0][2]: STATE takes 1 indices, found []"},
      {text(R"(["read", "PAIR", [1]])"), "PAIR takes 2 indices, found [1]"},
      {text(R"(["read", "STATE", [256]])"), "f.json.program[0][2][0]: 256 isn't from 0 to 255"},
      {text(R"(["read", "STATE", [-1]])"), "expected a whole number from 0 to 255, found -1"},
      {text(R"(["read", "STATE"])"), "expected [\"read\", NAME, [index...]]"},
      {text(R"(["write", "LEN", [0]])"), "expected [\"write\", NAME, [index...], value]"},
      {text(R"(["write", "LEN", [0], 4294967296])"), "f.json.program[0][3]: 4294967296 isn't from 0 to 4294967295"},
      {text(R"(["write", "LOS", [0], 2])"), "2 isn't from 0 to 1"},
      {text(R"(["write", "SHADOW", [0], 1])"), "f.json.program[0][3]: expected an object, found 1"},
      {text(R"(["write", "SHADOW", [0], {"input": 512}])"), "f.json.program[0][3].input: 512 isn't from 0 to 511"},
      {text(R"(["advance"])"), "expected [\"advance\", n]"},
      {text(R"(["advance", 1e3])"), "expected a whole number"},
      {text(R"(["advance", 9007199254740993])"), "isn't from 0 to 9007199254740992"},
      {text(R"(["drain", 1])"), "expected [\"drain\"]"},
      {text("", "\"busy\""), "f.json.expect.reads[0]: expected an object, found \"busy\""},
      {text("", "{\"input\": 1, \"tag\": 2}"), "f.json.expect.reads[0]: \"first\" is missing"},
  };
  for (const auto& [bad, sentence] : table)
    EXPECT_NE(complaint(bad).find(sentence), std::string::npos) << bad << "\n" << complaint(bad);
}

TEST(Parser, ReadsWhatItWrites) {
  const auto cases = parse_cases(
      "[" +
          text(R"(["write", "SHADOW", [1], {"input": 0}], ["write", "SHADOW", [0], null],
      ["write", "SEQ_BASE", [], 18446744073709551615], ["read", "PAIR", [0, 1]], ["advance", 5], ["advance_irq", 9], ["pop"], ["drain"],
      ["write", "SEQ_BASE", [], 4294967296, "high"], ["read", "TIME", [], "low"],
      ["write_bytes", "SHADOW", [1], null, 8], ["write_bytes", "SEQ_BASE", [], 258, 0, "low"], ["write_bytes", "COMMIT", [], 1, 14])",
               R"(5, null, "refused", {"input": 3}, [1, 0, 0, 0], {"input": 1, "tag": 2, "first": 3, "count": 4})") +
          "]",
      "f.json");
  ASSERT_EQ(cases.size(), 1u);
  const auto again = parse_cases(to_text(cases[0]), "again");
  ASSERT_EQ(again.size(), 1u);
  EXPECT_EQ(again[0].program, cases[0].program);
  EXPECT_EQ(again[0].expect.reads, cases[0].expect.reads);
  EXPECT_EQ(again[0].expect.counters, cases[0].expect.counters);
  EXPECT_EQ(cases[0].program.size(), 13u);
  EXPECT_EQ(cases[0].program[12].strobes, 14);
}

class Folder : public testing::Test {
 protected:
  Folder() { std::filesystem::create_directories(path_); }
  ~Folder() override { std::filesystem::remove_all(path_); }
  void put(const std::string& name, const std::string& content) {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name) << content;
  }
  const std::filesystem::path path_ =
      std::filesystem::path(testing::TempDir()) /
      ("programs_" + std::string(testing::UnitTest::GetInstance()->current_test_info()->name()));
};

TEST_F(Folder, WithoutAProgramIsAProblem) {
  put("notes.txt", "nothing");
  const auto files = load_programs(path_);
  ASSERT_EQ(files.size(), 1u);
  EXPECT_NE(files[0].problem.find("holds no program (*.json)"), std::string::npos);
}

TEST_F(Folder, ThatIsNotThereIsAProblem) {
  const auto files = load_programs(path_ / "elsewhere");
  ASSERT_EQ(files.size(), 1u);
  EXPECT_NE(files[0].problem.find("elsewhere: No such file or directory"), std::string::npos);
}

TEST_F(Folder, IsReadWithAllThatIsBelowItSortedAndPastBadFiles) {
  put("b.json", text(""));
  put("a/deep/c.json", "[" + text("") + "," + text("") + "]");
  put("bad.json", "{");
  const auto files = load_programs(path_);
  ASSERT_EQ(files.size(), 3u);
  EXPECT_EQ(files[0].name, "a/deep/c.json");
  EXPECT_EQ(files[0].cases.size(), 2u);
  EXPECT_EQ(files[1].cases.size(), 1u);
  EXPECT_NE(files[2].problem.find("bad.json: not JSON"), std::string::npos);
}

}  // namespace
}  // namespace ocs::conformance
