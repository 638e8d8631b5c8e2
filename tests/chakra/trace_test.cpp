// Reading traces, and joining those of all ranks.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/chakra/chakra_graph.hpp"
#include "tests/chakra/traces.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {
namespace {

ChakraTrace read(const std::vector<TestNode>& nodes) { return parse_chakra_trace(trace_bytes(nodes), "t.0.et"); }

ChakraGraph join(const std::vector<std::vector<TestNode>>& ranks, const ChakraGroups& groups = {}) {
  std::vector<ChakraTrace> traces;
  for (const auto& nodes : ranks) traces.push_back(read(nodes));
  return make_chakra_graph(traces, groups);
}

std::string complaint(const std::vector<std::vector<TestNode>>& ranks, const ChakraGroups& groups = {}) {
  return refusal([&] { join(ranks, groups); });
}

TEST(ChakraTrace, HasItsNodesWithTheirAttributes) {
  const ChakraTrace trace = read({compute_node(3, 17), collective_node(9, 6, 4096, {3}, "g")});
  ASSERT_EQ(trace.nodes.size(), 2u);
  EXPECT_EQ(trace.nodes[0].duration_us, 17);
  EXPECT_EQ(trace.nodes[1].waits_for, std::vector<std::uint64_t>{3});
  EXPECT_EQ(trace.nodes[1].comm_type, 6);
  EXPECT_EQ(trace.nodes[1].bytes, 4096);
  EXPECT_EQ(trace.nodes[1].group, "g");
  EXPECT_EQ(trace.nodes[1].name, "n9");
}

TEST(ChakraTrace, RefusesWhatIsNoTrace) {
  const auto refused = [](const std::string& bytes) { return refusal([&] { parse_chakra_trace(bytes, "t.0.et"); }); };
  EXPECT_EQ(refused(""), "Chakra trace \"t.0.et\" doesn't begin with a message of metadata behind its length");
  EXPECT_EQ(refused(std::string("\x1f\x8b") + "x"), "Chakra trace \"t.0.et\" is compressed; unpack it with gunzip");
  const std::string whole = trace_bytes({compute_node(1, 2)});
  EXPECT_EQ(refused(whole.substr(0, whole.size() - 1)),
            "Chakra trace \"t.0.et\" is damaged: message 1 after the metadata is no node");
  EXPECT_EQ(refused(trace_bytes({})), "Chakra trace \"t.0.et\" has no nodes");
  EXPECT_EQ(refused(trace_bytes({{7, 8}})),
            "Chakra trace \"t.0.et\" has node 7 (\"n7\") of type 8, but types are 1 (metadata) to 7 (collective)");
  EXPECT_EQ(refused(trace_bytes({compute_node(1, 2), compute_node(1, 2)})),
            "Chakra trace \"t.0.et\" has two nodes with id 1");
  EXPECT_EQ(refused(trace_bytes({compute_node(1, 2, {5})})),
            "Chakra trace \"t.0.et\" has node 1 (\"n1\"), which depends on node 5, but there is no such node");
}

TEST(ChakraGraph, JoinsCollectivesInTheOrderOfTheirTracesAndMessagesByTheirEnds) {
  const ChakraGraph graph = join({{collective_node(1, 0, 64), send_node(2, 1, 10), collective_node(3, 2, 128)},
                                  {receive_node(5, 0, 10), collective_node(6, 0, 64), collective_node(7, 2, 128)}});
  ASSERT_EQ(graph.exchanges.size(), 3u);
  EXPECT_EQ(graph.exchanges[1].kind, CollectiveKind::all_gather);
  EXPECT_EQ(graph.steps[0].exchange, graph.steps[4].exchange);
  EXPECT_EQ(graph.steps[1].exchange, graph.steps[3].exchange);
  EXPECT_EQ(graph.exchanges[2].ranks, (std::vector<std::uint16_t>{0, 1}));
}

TEST(ChakraGraph, NamesBothNodesOfADeadlock) {
  EXPECT_EQ(complaint({{collective_node(1, 0, 64)}, {collective_node(4, 2, 64)}}),
            "collectives don't match, a deadlock: node \"n1\" (id 1) of rank 0 is ALL_REDUCE of 64 bytes, node \"n4\" "
            "(id 4) of rank 1 is ALL_GATHER of 64 bytes");
  EXPECT_EQ(complaint({{collective_node(1, 0, 64), collective_node(2, 0, 64)}, {collective_node(4, 0, 64)}}),
            "node \"n2\" (id 2) of rank 0 waits for rank 1, which has no such collective: a deadlock after node \"n4\" "
            "(id 4) of rank 1");
  const std::string crossed =
      complaint({{send_node(1, 1, 9, {2}), receive_node(2, 1, 9)}, {send_node(3, 0, 9, {4}), receive_node(4, 0, 9)}});
  EXPECT_NE(crossed.find("of rank 0 and node"), std::string::npos) << crossed;
  EXPECT_NE(crossed.find("of rank 1 wait for each other: a deadlock"), std::string::npos) << crossed;
  EXPECT_EQ(complaint({{compute_node(1, 5, {2}), compute_node(2, 5, {1})}, {compute_node(1, 5)}}),
            "node \"n1\" (id 1) of rank 0 and node \"n2\" (id 2) of rank 0 wait for each other: a cycle");
}

TEST(ChakraGraph, RefusesWhatItDoesNotSupportWithNodeAndId) {
  EXPECT_EQ(complaint({{{1, 2}}, {compute_node(1, 5)}}),
            "node \"n1\" (id 1) of rank 0 is a memory access, which is not supported");
  EXPECT_EQ(complaint({{collective_node(1, 3, 64)}, {collective_node(1, 3, 64)}}),
            "node \"n1\" (id 1) of rank 0 is GATHER, which is not supported");
  EXPECT_EQ(complaint({{send_node(1, 2, 9)}, {compute_node(1, 5)}}),
            "node \"n1\" (id 1) of rank 0 sends to comm_dst 2, but must name another of the 2 ranks");
  EXPECT_EQ(complaint({{send_node(1, 1, 9)}, {compute_node(1, 5)}}),
            "node \"n1\" (id 1) of rank 0 waits for ever: its other side is missing on rank 1");
  EXPECT_EQ(complaint({{send_node(1, 1, 9)}, {receive_node(1, 0, 8)}}),
            "sizes don't match: node \"n1\" (id 1) of rank 0 sends 9 bytes, node \"n1\" (id 1) of rank 1 receives 8");
  EXPECT_EQ(
      complaint({{collective_node(1, 0, 64, {}, "g")}, {collective_node(1, 0, 64, {}, "g")}}),
      "node \"n1\" (id 1) of rank 0 is of process group \"g\", which the file of groups (?groups=FILE) doesn't have");
}

TEST(ChakraGroups, AreReadFromJson) {
  const ChakraGroups groups = parse_chakra_groups(R"({"0": [0, 1], "dp": [3, 2]})", "g.json");
  EXPECT_EQ(groups.at("dp"), (std::vector<std::uint16_t>{3, 2}));
  const auto refused = [](const char* text) { return refusal([&] { parse_chakra_groups(text, "g.json"); }); };
  EXPECT_EQ(refused("[]"), "file of process groups \"g.json\" must be JSON such as {\"0\": [0, 1], \"1\": [2, 3]}");
  EXPECT_EQ(refused(R"({"a": [1]})"),
            "file of process groups \"g.json\": group \"a\" must be a list of two ranks or more");
  EXPECT_EQ(refused(R"({"a": [1, 1]})"),
            "file of process groups \"g.json\": group \"a\" must list ranks from 0 to 255, each once");
}

}  // namespace
}  // namespace ocs::test
