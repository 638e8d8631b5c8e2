// A job reaches a node process as it was, or not at all.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/process/node_job_wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "host/transport/local_address.hpp"
#include "host/transport/wire.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

NodeJob a_job() {
  NodeJob job;
  job.workers = {Node{1}, Node{4}, Node{255}};
  job.servers = {
      {Node{0}, Words{10}, Bytes{639}, {{Words{0}, Words{4}, Bytes{256}, 5, -1}, {Words{4}, Words{6}, Bytes{383}}}},
      {Node{4}, Words{1}, Bytes{1}, {{Words{0}, Words{1}, Bytes{1}}}}};
  job.ahead_of = 9;
  job.iterations = 7;
  job.memory = ServerMemory::model;
  job.payload = PayloadMode::digest;
  job.seed = ~std::uint64_t{0};
  job.chunk = Words{128};
  return job;
}

/// What is said of the job once `spoil` has changed it; nothing if it is right.
std::string refusal_of(NodeJob job, const std::function<void(NodeJob&)>& spoil) {
  spoil(job);
  try {
    decode_node_job(encode(job));
  } catch (const Malformed& error) {
    return error.what();
  }
  return "";
}

std::string node_job_wire_refusal(const std::function<void(NodeJob&)>& spoil) { return refusal_of(a_job(), spoil); }

TEST(NodeJobOnTheWire, ComesBackAsItWasSent) {
  const NodeJob job = decode_node_job(encode(a_job()));
  EXPECT_EQ(encode(job), encode(a_job()));
  EXPECT_EQ(job.workers, a_job().workers);
  EXPECT_EQ(job.servers.at(0).bytes, Bytes{639});
  EXPECT_EQ(job.servers.at(0).slices.at(0).ahead, 5);
  EXPECT_EQ(job.servers.at(0).slices.at(1).first, Words{4});
  EXPECT_EQ(job.memory, ServerMemory::model);
  EXPECT_EQ(job.payload, PayloadMode::digest);
  EXPECT_EQ(job.chunk, Words{128});
}

NodeJob a_job_by_keys() {
  NodeJob job = a_job();
  job.servers[1].node = Node{5};
  job.servers[1] = {Node{5}, job.servers[0].words, job.servers[0].bytes, job.servers[0].slices};
  job.owner = {Node{5}, Node{0}};
  return job;
}

TEST(NodeJobOnTheWire, SaysWhoOwnsWhichKey) {
  EXPECT_EQ(decode_node_job(encode(a_job_by_keys())).owner, (std::vector{Node{5}, Node{0}}));
  const auto refused = [](const auto& change) -> std::string {
    NodeJob job = a_job_by_keys();
    change(job);
    try {
      decode_node_job(encode(job));
    } catch (const Malformed& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(refused([](NodeJob& job) { job.owner.pop_back(); }), HasSubstr("number of owners is 1; it should be 2"));
  EXPECT_THAT(refused([](NodeJob& job) { job.owner[0] = Node{4}; }), HasSubstr("owner of a key is 4"));
  EXPECT_EQ(refused([](NodeJob& job) { job.workers[2] = Node{5}; }), "read") << "a worker may be a server";
}

/// Seven parameters: five on the first server, in two places, two on the other one.
NodeJob a_job_that_learns() {
  NodeJob job = a_job();
  job.payload = PayloadMode::full;
  job.servers[0].pieces = {{0, 2, 4}, {16, 6, 1}};
  job.servers[1].pieces = {{3, 0, 2}};
  job.learning = LearningJob{.folder = "/data", .model = ModelKind::mlp, .shards = ShardKind::sorted, .every = 80};
  return job;
}

TEST(NodeJobOnTheWire, SaysWhereParametersLieAndWhatIsLearned) {
  const NodeJob job = decode_node_job(encode(a_job_that_learns()));
  EXPECT_EQ(job.learning, a_job_that_learns().learning);
  EXPECT_EQ(job.parameters(), 7U);
  EXPECT_EQ(job.servers[0].pieces.at(1).at, 16);
  const auto refused = [](const auto& change) -> std::string {
    NodeJob changed = a_job_that_learns();
    change(changed);
    try {
      decode_node_job(encode(changed));
    } catch (const Malformed& error) {
      return error.what();
    }
    return "read";
  };
  EXPECT_THAT(refused([](NodeJob& j) { j.learning.reset(); }), HasSubstr("places of parameters is 3"));
  EXPECT_THAT(refused([](NodeJob& j) { j.payload = PayloadMode::digest; }), HasSubstr("payload mode of real learning"));
  EXPECT_THAT(refused([](NodeJob& j) { j.memory = ServerMemory::sums; }), HasSubstr("memory of servers in real"));
  EXPECT_THAT(refused([](NodeJob& j) { j.learning->rate_den = 0; }), HasSubstr("rate's denominator is 0"));
  EXPECT_THAT(refused([](NodeJob& j) { j.learning->batch = 0; }), HasSubstr("batch is 0"));
  EXPECT_THAT(refused([](NodeJob& j) { j.learning->model = ModelKind{2}; }), HasSubstr("model is 2"));
  const auto piece = [](NodeJob& j, std::size_t k) -> Piece& { return j.servers[0].pieces.at(k); };
  EXPECT_THAT(refused([&](NodeJob& j) { piece(j, 1).first = 5; }), HasSubstr("first parameter at a place is 5"));
  EXPECT_THAT(refused([&](NodeJob& j) { piece(j, 1).at = 3; }), HasSubstr("place of parameters is 3; it should be 4"));
  EXPECT_THAT(refused([&](NodeJob& j) { piece(j, 1).count = 200; }),
              HasSubstr("number of parameters at a place is 200"));
  EXPECT_THAT(refused([&](NodeJob& j) { piece(j, 0).count = 0; }), HasSubstr("number of parameters at a place is 0"));
}

TEST(NodeJobOnTheWire, IsRefusedWhenItIsShortOrLong) {
  auto bytes = encode(a_job());
  bytes.push_back(std::byte{0});
  EXPECT_THROW(decode_node_job(bytes), Malformed);
  bytes.pop_back();
  while (!bytes.empty()) {
    bytes.pop_back();
    EXPECT_THROW(decode_node_job(bytes), Malformed);
  }
}

TEST(NodeJobOnTheWire, IsRefusedByTheNameOfWhatCannotBe) {
  EXPECT_EQ(node_job_wire_refusal([](NodeJob&) {}), "");
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.workers.clear(); }), HasSubstr("number of workers is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.workers[1] = Node{1}; }),
              HasSubstr("worker is 1; it should be 2 to 255"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.workers[2] = Node{256}; }), HasSubstr("worker is 256"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[1].node = Node{0}; }), HasSubstr("server is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[0].words = Words{0}; }),
              HasSubstr("words of a server is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[0].words = never<Words>; }),
              HasSubstr("words of a server"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[0].bytes = Bytes{641}; }),
              HasSubstr("bytes of a server is 641"));
  const auto slice = [](NodeJob& j, std::size_t k) -> Slice& { return j.servers[0].slices.at(k); };
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[0].slices.clear(); }),
              HasSubstr("number of slices is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.servers[0].slices.pop_back(); }),
              HasSubstr("words of the slices of a server"));
  EXPECT_THAT(node_job_wire_refusal([&](NodeJob& j) { slice(j, 1).first = Words{3}; }),
              HasSubstr("first word of a slice is 3; it should be 4"));
  EXPECT_THAT(node_job_wire_refusal([&](NodeJob& j) { slice(j, 1).words = Words{7}; }),
              HasSubstr("words of a slice is 7; it should be 1 to 6"));
  EXPECT_THAT(node_job_wire_refusal([&](NodeJob& j) { slice(j, 0).bytes = Bytes{255}; }),
              HasSubstr("bytes of the slices of a server is 638"));
  EXPECT_THAT(node_job_wire_refusal([&](NodeJob& j) { slice(j, 0).bytes = Bytes{257}; }),
              HasSubstr("bytes of a slice is 257"));
  EXPECT_THAT(node_job_wire_refusal([&](NodeJob& j) { slice(j, 1).ahead = 10; }),
              HasSubstr("ahead of a slice is 10; it should be 0 to 9"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.ahead_of = 0; }), HasSubstr("parts of the computing time is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.word_bytes = 0; }), HasSubstr("word size in bytes is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.word_bytes = 66; }), HasSubstr("a multiple of 4"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.iterations = 0; }), HasSubstr("iterations is 0"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.memory = ServerMemory{5}; }),
              HasSubstr("memory of servers is 5"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.payload = PayloadMode{3}; }), HasSubstr("payload mode is 3"));
  EXPECT_THAT(node_job_wire_refusal([](NodeJob& j) { j.chunk = Words{65537}; }), HasSubstr("chunk in words is 65537"));
}

TEST(NodeJobOfCoflows, HasWorkersAlone) {
  NodeJob job;
  job.workers = {Node{1}, Node{4}};
  job.memory = ServerMemory::coflows;
  job.payload = PayloadMode::digest;
  job.chunk = Words{NodeJob::most_digest_words};
  EXPECT_TRUE(decode_node_job(encode(job)).coflows());
  const auto refused = [&](const auto& spoil) { return refusal_of(job, spoil); };
  EXPECT_THAT(refused([](NodeJob& j) {
                j.servers.push_back({Node{1}, Words{1}, Bytes{4}, {{Words{0}, Words{1}, Bytes{4}}}});
              }),
              HasSubstr("number of servers is 1; it should be 0 for coflows"));
  EXPECT_THAT(refused([](NodeJob& j) { j.owner = {Node{1}}; }), HasSubstr("owner of a key is 1"));
  EXPECT_THAT(refused([](NodeJob& j) { j.chunk.n += 1; }), HasSubstr("chunk in words is 4294967296"));
  EXPECT_THAT(refused([](NodeJob& j) { j.payload = PayloadMode::full; }), HasSubstr("chunk in words is 4294967295"));
}

TEST(NodeJobOfPeers, HasEveryWorkerAsAServerOfOneSlice) {
  NodeJob job;
  job.workers = {Node{1}, Node{4}};
  for (const Node peer : job.workers)
    job.servers.push_back({peer, Words{4}, Bytes{250}, {{Words{0}, Words{4}, Bytes{250}}}});
  job.memory = ServerMemory::peers;
  job.chunk = Words{2};
  EXPECT_TRUE(decode_node_job(encode(job)).peers());
  const auto refused = [&](const auto& spoil) { return refusal_of(job, spoil); };
  EXPECT_THAT(refused([](NodeJob& j) { j.servers.pop_back(); }), HasSubstr("number of servers is 1; it should be 2"));
  EXPECT_THAT(refused([](NodeJob& j) { j.servers[1].node = Node{5}; }), HasSubstr("a server is 5"));
  EXPECT_THAT(refused([](NodeJob& j) {
                j.servers[1] = {Node{4}, Words{5}, Bytes{250}, {{Words{0}, Words{5}, Bytes{250}}}};
              }),
              HasSubstr("words of a server is 5; it should be 4"));
  EXPECT_THAT(refused([](NodeJob& j) {
                j.servers[1].pieces = {{0, 0, 4}};
              }),
              HasSubstr("a peer's places of parameters"));
  job.learning = LearningJob{.folder = "/data"};
  EXPECT_THAT(refused([](NodeJob&) {}), HasSubstr("places of parameters is 0; it should be 1 or more"));
  for (Served& peer : job.servers) peer.pieces = {{0, 0, 62}};
  EXPECT_EQ(decode_node_job(encode(job)).parameters(), 62U);
  EXPECT_THAT(refused([](NodeJob& j) { j.servers[1].pieces = {{0, 0, 61}}; }), HasSubstr("the same one for all, at 0"));
  EXPECT_THAT(refused([](NodeJob& j) {
                for (Served& peer : j.servers) peer.pieces = {{1, 0, 62}};
              }),
              HasSubstr("the same one for all, at 0"));
  EXPECT_THAT(refused([](NodeJob& j) {
                for (Served& peer : j.servers) peer.pieces = {{0, 0, 65}};
              }),
              HasSubstr("number of parameters at a place is 65; it should be 1 to 64"));
}

TEST(NodeJobOfRanks, HasOneLayoutForAll) {
  NodeJob job;
  job.workers = {Node{1}, Node{4}};
  job.servers.push_back({Node{1}, Words{4}, Bytes{250}, {{Words{0}, Words{4}, Bytes{250}}}});
  job.memory = ServerMemory::ranks;
  job.chunk = Words{2};
  EXPECT_TRUE(decode_node_job(encode(job)).ranks());
  const auto refused = [&](const auto& spoil) { return refusal_of(job, spoil); };
  EXPECT_THAT(refused([](NodeJob& j) { j.servers[0].node = Node{2}; }), HasSubstr("a server is 2"));
  EXPECT_THAT(refused([](NodeJob& j) {
                j.servers.push_back(j.servers.front());
                j.servers[1].node = Node{4};
              }),
              HasSubstr("number of servers is 2; it should be 1"));
}

TEST(NodeJobOfRanks, MayLearnWithAllParametersFromTheStartOfTheLayout) {
  NodeJob job;
  job.workers = {Node{1}, Node{4}};
  job.servers.push_back(
      {Node{1}, Words{4}, Bytes{256}, {{Words{0}, Words{2}, Bytes{128}}, {Words{2}, Words{2}, Bytes{128}}}});
  job.memory = ServerMemory::ranks;
  job.chunk = Words{2};
  job.learning = LearningJob{.folder = "/data"};
  const auto refused = [&](const auto& spoil) { return refusal_of(job, spoil); };
  EXPECT_THAT(refused([](NodeJob&) {}), HasSubstr("places of parameters is 0; it should be 1 or more"));
  job.servers[0].pieces = {{0, 0, 62}};
  EXPECT_EQ(decode_node_job(encode(job)).parameters(), 62U);
  EXPECT_EQ(decode_node_job(encode(job)).learning, job.learning);
  EXPECT_THAT(refused([](NodeJob& j) { j.servers[0].pieces[0].at = 1; }),
              HasSubstr("number of places of parameters is 1; it should be 1, at 0, or 0 in a collective"));
  EXPECT_THAT(refused([](NodeJob& j) {
                j.servers[0].pieces = {{0, 0, 32}, {32, 32, 30}};
              }),
              HasSubstr("number of places of parameters is 2"));
  EXPECT_THAT(refused([](NodeJob& j) { j.servers[0].pieces[0].count = 65; }),
              HasSubstr("number of parameters at a place is 65; it should be 1 to 64"));
  EXPECT_THAT(refused([](NodeJob& j) { j.payload = PayloadMode::digest; }), HasSubstr("payload mode of real learning"));
}

TEST(OwnEndpoint, IsBesideTheCoordinatorsOrWhereTheRouteToItBegins) {
  EXPECT_EQ(own_endpoint("ipc:///run/c", Node{7}), "ipc:///run/c.7");
  EXPECT_EQ(own_endpoint("tcp://127.0.0.1:5555", Node{7}), "tcp://127.0.0.1:*");
  EXPECT_EQ(own_endpoint("tcp://localhost:5555", Node{7}), "tcp://127.0.0.1:*");
  for (const char* wrong : {"", "tcp://", "tcp://:", "tcp://1.2.3.4", "tcp://1.2.3.4:", "ipc://", "udp://1.2.3.4:5"})
    EXPECT_THROW(own_endpoint(wrong, Node{7}), Error) << wrong;
}

}  // namespace
}  // namespace ocs
