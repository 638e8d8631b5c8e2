// The parser of golden files takes the three forms of a file and names what is wrong with any other.
// SPDX-License-Identifier: Apache-2.0
#include "tests/schedulers/golden_case.hpp"

#include <gtest/gtest.h>

#include "host/core/error.hpp"

namespace ocs::golden {
namespace {

constexpr std::string_view whole =
    R"({"name": "n", "algorithm": "sunflow", "ports": 4, "delta": 10, "order": "random:7",
  "up": [[1, 2]], "flows": [[0, 2, 5], [1, 3, 6]],
  "expect": {"makespan": 16, "sum_fct": 31, "port_bound": 16, "circuits": [[0, 2, 0, 10, 15], [1, 3, 0, 10, 16]]}})";

std::string with(std::string_view from, std::string_view to) {
  std::string text(whole);
  return text.replace(text.find(from), from.size(), to);
}

void golden_case_expect_refused(const std::string& text, const std::string& words) {
  try {
    parse_cases(text, "dir/x.json");
    ADD_FAILURE() << "not refused: " << text;
  } catch (const Error& error) {
    const std::string sentence = error.what();
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(sentence.find("dir/x.json"), std::string::npos) << sentence;
    EXPECT_NE(sentence.find(words), std::string::npos) << "expected \"" << words << "\" in: " << sentence;
  }
}

TEST(GoldenFile, IsACaseAListOrAnObjectWithCases) {
  const std::string one(whole);
  EXPECT_EQ(parse_cases(one, "x").size(), 1u);
  EXPECT_EQ(parse_cases("[" + one + "," + one + "]", "x").size(), 2u);
  EXPECT_EQ(parse_cases("{\"note\": \"\", \"cases\": [" + one + "]}", "x").size(), 1u);
}

TEST(GoldenFile, MayNameTheAlgorithmOfItsCasesOnce) {
  const std::string moment =
      R"({"input": {"points": [[1, 2], [2]], "objective": "range"}, "expect": {"at": 2, "quota": [2, 1]}})";
  EXPECT_EQ(parse_cases(R"({"algorithm": "sync/zipline", "cases": [)" + moment + "]}", "x").size(), 1u);
  golden_case_expect_refused("[" + moment + "]", "field \"algorithm\" is missing");
  golden_case_expect_refused(R"({"algorithm": "sync/zipper", "cases": [)" + moment + "]}",
                             "unknown algorithm \"sync/zipper\"");
  golden_case_expect_refused(R"({"algorithm": 7, "cases": [)" + moment + "]}", "field \"algorithm\" must be a string");
}

TEST(GoldenFile, OfSynchronisationNamesAFieldThatIsWrong) {
  const std::string run = R"({"algorithm": "sync/parameter_server", "scheme": "asp", "input": {"workers": 1,
    "compute_ns": [[5]], "net": {"kind": "const", "push_ns": 0, "pull_ns": 0}, "parameters": {}}, "expect": {}})";
  const auto changed = [&](std::string_view from, std::string_view to) {
    std::string text = run;
    return text.replace(text.find(from), from.size(), to);
  };
  EXPECT_EQ(parse_cases(run, "x").size(), 1u);
  golden_case_expect_refused(changed("asp", "csp"), "unknown scheme \"csp\"");
  golden_case_expect_refused(changed("[[5]]", "[[]]"), "field \"compute_ns\" must hold a time for each worker");
  golden_case_expect_refused(changed("[[5]]", "[[5], [5]]"), "field \"compute_ns\" must hold a list for each worker");
  golden_case_expect_refused(changed("const", "tree"), "known: const, circuit");
  golden_case_expect_refused(changed("\"parameters\": {}", "\"parameters\": {\"q\": 1}"), "field \"q\" is unknown");
  golden_case_expect_refused(changed("\"parameters\": {}", "\"parameters\": {\"strict\": 1}"), "must be true or false");
  golden_case_expect_refused(changed("asp", "predict"), "field \"horizon_ns\" is missing");
}

TEST(GoldenFile, IsReadInFull) {
  const Case parsed = parse_cases(whole, "x").front();
  EXPECT_EQ(parsed.name, "n");
  const auto& c = std::get<CircuitCase>(parsed.content);
  EXPECT_EQ(c.rule, CircuitRule::sunflow);
  EXPECT_EQ(c.order, FlowOrder::random);
  EXPECT_EQ(c.problem.seed, 7u);
  EXPECT_EQ(c.problem.delta, Ticks{10});
  ASSERT_EQ(c.problem.flows.size(), 2u);
  EXPECT_EQ(c.problem.flows[1].length, Ticks{6});
  ASSERT_EQ(c.problem.up.size(), 1u);
  EXPECT_TRUE(c.problem.up[0].outs.test(2));
  EXPECT_EQ(c.sum_fct, 31);
  ASSERT_TRUE(c.circuits);
  EXPECT_EQ(c.circuits->at(1)[4], 16);
}

TEST(GoldenFile, NamesAnUnknownAlgorithm) {
  golden_case_expect_refused(with("\"sunflow\"", "\"magic\""), "unknown algorithm \"magic\"");
  golden_case_expect_refused("[" + std::string(whole) + ", {\"name\": \"b\", \"algorithm\": \"bvn\"}]", "case 1: b");
}

TEST(GoldenFile, NamesAFieldThatIsMissing) {
  for (const char* field :
       {"algorithm", "ports", "delta", "order", "flows", "expect", "makespan", "sum_fct", "port_bound"}) {
    const std::string quoted = "\"" + std::string(field) + "\"";
    golden_case_expect_refused(with(quoted, "\"renamed\""), "field ");
  }
  golden_case_expect_refused(with("\"ports\"", "\"prots\""), "n: field \"ports\" is missing");
  golden_case_expect_refused(with("\"makespan\"", "\"note\""), "n: expect: field \"note\" is unknown");
}

TEST(GoldenFile, NamesAFieldThatIsWrong) {
  golden_case_expect_refused(with("\"ports\": 4", "\"ports\": 4.5"), "field \"ports\" holds 4.5");
  golden_case_expect_refused(with("\"ports\": 4", "\"ports\": 257"),
                             "field \"ports\" holds 257; an integer from 1 to 256");
  golden_case_expect_refused(with("\"delta\": 10", "\"delta\": -1"), "field \"delta\" holds -1");
  golden_case_expect_refused(with("\"delta\": 10", "\"delta\": 18446744073709551615"),
                             "field \"delta\" holds 18446744073709551615");
  golden_case_expect_refused(with("[0, 2, 5]", "[0, 4, 5]"), "field \"flows\" names port 4 of 4 ports");
  golden_case_expect_refused(with("[0, 2, 5]", "[0, 2]"), "field \"flows\" must hold rows of 3 integers");
  golden_case_expect_refused(with("[[1, 2]]", "[1, 2]"), "field \"up\" must be an array");
  golden_case_expect_refused(with("random:7", "random:7x"), "a seed is a number");
  golden_case_expect_refused(with("random:7", "shortest"), "known: given, src_dst, longest, random:SEED");
  golden_case_expect_refused(with("\"sum_fct\": 31", "\"sum_fct\": 31, \"extra\": 1"), "field \"extra\" is unknown");
}

TEST(GoldenFile, IsJsonWithCases) {
  golden_case_expect_refused("", "no JSON");
  golden_case_expect_refused("{\"cases\": 3}", "\"cases\" must be an array");
  golden_case_expect_refused("[]", "holds no case");
  golden_case_expect_refused("7", "an object is needed");
  golden_case_expect_refused(std::string(100'000, '['), "no JSON");
}

}  // namespace
}  // namespace ocs::golden
