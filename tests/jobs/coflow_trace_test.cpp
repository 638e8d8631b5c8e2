// What is a coflow trace, what isn't and in which words; how its megabytes become flows.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/workloads/coflow_trace.hpp"

#include <gtest/gtest.h>

#include <array>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

CoflowTrace parse(const std::string& text) { return parse_coflow_trace(text, "coflow:t.txt", "t.txt"); }

std::string refusal(const std::string& text) {
  try {
    parse(text);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    return error.what();
  }
  return "accepted";
}

using Flows = std::vector<std::array<std::int64_t, 3>>;

/// Source, destination, MB.
Flows flows(const std::string& line) {
  Flows list;
  for (const TraceFlow& flow : flows_of(parse("9 1\n" + line + "\n").coflows.front()))
    list.push_back({flow.from, flow.to, flow.bytes.n / 1'000'000});
  return list;
}

TEST(CoflowTrace, IsReadFieldByField) {
  const CoflowTrace trace = parse("150 2\n1 0 1 2 1 65:1.0\n2 10833 2 104 132 1 140:48.25\r\n");
  EXPECT_EQ(trace.ports, 150);
  ASSERT_EQ(trace.coflows.size(), 2u);
  const TraceCoflow& second = trace.coflows[1];
  EXPECT_EQ(second.id, 2);
  EXPECT_EQ(second.arrival.n, 10'833'000'000'000);
  EXPECT_EQ(second.mappers, (std::vector<std::uint16_t>{104, 132}));
  EXPECT_EQ(second.reducers, (std::vector<TraceCoflow::Reducer>{{140, Bytes{48'250'000}}}));
}

TEST(CoflowTrace, RefusesWhatIsWrongAndSaysWhere) {
  EXPECT_EQ(refusal(""), "t.txt:1: the trace is empty, but must begin with the numbers of ports and coflows");
  EXPECT_EQ(refusal("257 1\n"), "t.txt:1: the number of ports is \"257\", but must be a whole number from 1 to 256");
  EXPECT_EQ(refusal("4\n"), "t.txt:1: the line ends where it must have the number of coflows");
  EXPECT_EQ(refusal("4 1 1\n1 0 1 0 1 1:1\n"),
            "t.txt:1: the line goes on with \"1\", but must end after its last reducer");
  EXPECT_EQ(refusal("4 1\n1 x 1 0 1 1:1\n"),
            "t.txt:2: the arrival in ms is \"x\", but must be a whole number from 0 to 4000000000");
  EXPECT_EQ(refusal("4 1\n1 0 0 1 1:1\n"),
            "t.txt:2: the number of mappers is \"0\", but must be a whole number from 1 to 4");
  EXPECT_EQ(refusal("4 1\n1 0 1 4 1 1:1\n"),
            "t.txt:2: a mapper's port is \"4\", but must be a whole number from 0 to 3");
  EXPECT_EQ(refusal("4 1\n1 0 2 3 3 1 1:1\n"),
            "t.txt:2: a mapper's port is \"3\" a second time, but each port may be named once");
  EXPECT_EQ(refusal("4 1\n1 0 1 3 1 1\n"), "t.txt:2: a reducer is \"1\", but must be PORT:MB, such as 140:48");
  for (const char* size : {"1.", ".5", "1.0000001", "1,5", "-1", "", "1e3", "1.-5"})
    EXPECT_NE(refusal("4 1\n1 0 1 3 1 1:" + std::string(size) + "\n").find("t.txt:2: a reducer's MB is"),
              std::string::npos)
        << size;
  EXPECT_EQ(refusal("4 1\n1 0 1 3 2 1:1\n"), "t.txt:2: the line ends where it must have a reducer");
  EXPECT_EQ(refusal("4 1\n1 0 1 3 1 1:1 \n"),
            "t.txt:2: the line goes on with \"\", but must end after its last reducer");
  EXPECT_EQ(refusal("4 1\n1  0 1 3 1 1:1\n"),
            "t.txt:2: there must be one space between fields, but the arrival in ms is empty");
  EXPECT_EQ(refusal("4 2\n1 0 1 3 1 1:1\n"), "t.txt:3: the trace ends after 1 of the 2 coflows that line 1 says");
  EXPECT_EQ(refusal("4 1\n1 0 1 3 1 1:1\n2 0 1 3 1 1:1\n"), "t.txt:3: this is a coflow beyond the 1 that line 1 says");
  EXPECT_EQ(refusal("4 2\n1 0 1 3 1 1:1\n1 0 1 3 1 1:1\n"),
            "t.txt:3: the coflow's number is 1 a second time, but each must be listed once");
  EXPECT_EQ(refusal("4 2\n1 5 1 3 1 1:1\n2 4 1 3 1 1:1\n"),
            "t.txt:3: the coflow arrives before the one on the line above, but they must be in the order of arrival");
}

TEST(CoflowTrace, RefusesMoreFlowsThanMemoryHolds) {
  std::string wide = " 256", text = "256 400\n";
  for (int port = 0; port < 256; ++port) wide += " " + std::to_string(port);
  std::string reducers = " 256";
  for (int port = 0; port < 256; ++port) reducers += " " + std::to_string(port) + ":1";
  for (int n = 0; n < 400; ++n) text += std::to_string(n) + " 0" + wide + reducers + "\n";
  EXPECT_EQ(refusal(text), "t.txt:307: the coflows up to here have more than 20000000 flows, the most allowed");
}

TEST(TraceFlows, ShareAReducersMegabytesRoundedUpAndTheLastMapperTakesTheRest) {
  EXPECT_EQ(flows("1 0 3 0 1 2 1 5:10"), (Flows{{0, 5, 4}, {1, 5, 4}, {2, 5, 2}}));
  EXPECT_EQ(flows("1 0 3 0 1 2 1 5:9"), (Flows{{0, 5, 3}, {1, 5, 3}, {2, 5, 3}}));
  EXPECT_EQ(flows("1 0 1 0 1 5:2.000001"), (Flows{{0, 5, 3}}));
}

TEST(TraceFlows, HaveAtLeastOneMegabyte) {
  EXPECT_EQ(flows("1 0 3 0 1 2 1 5:1"), (Flows{{0, 5, 1}, {1, 5, 1}, {2, 5, 1}}));
  EXPECT_EQ(flows("1 0 4 0 1 2 3 1 5:5"), (Flows{{0, 5, 2}, {1, 5, 2}, {2, 5, 2}, {3, 5, 1}}));
  EXPECT_EQ(flows("1 0 1 0 1 5:0"), (Flows{{0, 5, 1}}));
}

TEST(TraceFlows, LeaveOutWhatStaysOnItsPort) {
  EXPECT_EQ(flows("1 0 2 0 5 2 5:4 0:4"), (Flows{{0, 5, 2}, {5, 0, 2}}));
  EXPECT_EQ(flows("1 0 1 5 1 5:4"), Flows{});
}

}  // namespace
}  // namespace ocs
