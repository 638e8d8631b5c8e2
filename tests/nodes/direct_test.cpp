// Nodes called directly give what nodes in threads give: no result comes from a transport.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "testbed/coordinator/runners/direct_runner.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

TEST(DirectCalls, GiveTheResultsOfThreads) {
  for (const bool colocate : {false, true}) {
    const JobSpec spec = small_job(4, 3, colocate);
    FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
    const auto runner = make_direct_runner();
    const JobResult direct = run_job(spec, network, *runner), threads = run_job(spec, same);
    EXPECT_EQ(direct.end, threads.end);
    EXPECT_EQ(direct.messages, threads.messages);
    EXPECT_EQ(direct.chunks, threads.chunks);
    EXPECT_EQ(direct.crc_errors + direct.sum_errors, 0);
  }
}

/// Without payload, direct calls are what a job uses; another endpoint asks for threads.
TEST(DirectCalls, AreWhatAJobWithoutPayloadUses) {
  for (const bool colocate : {false, true}) {
    JobSpec spec = small_job(4, 3, colocate);
    spec.payload = PayloadMode::none;
    FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
    const JobResult direct = run_job(spec, network);
    spec.endpoint = "inproc://elsewhere-";
    const JobResult threads = run_job(spec, same);
    EXPECT_EQ(direct.end, threads.end);
    EXPECT_EQ(direct.messages, threads.messages);
    EXPECT_EQ(direct.rounds, threads.rounds);
    EXPECT_EQ(direct.words_delivered, threads.words_delivered);
  }
}

/// A network that says of every transfer that one word more than it has came.
class TooMuch final : public FakeNetwork {
 public:
  using FakeNetwork::FakeNetwork;
  Picos advance(Picos limit, std::vector<Delivery>& append) override {
    const Picos reached = FakeNetwork::advance(limit, append);
    for (Delivery& delivery : append)
      for (WordRun& run : delivery.arrived) ++run.count.n;
    return reached;
  }
};

TEST(DirectCalls, NameTheNodeThatFails) {
  JobSpec spec = small_job(4, 3);
  spec.payload = PayloadMode::none;
  std::vector<std::string> sentences;
  for (const char* endpoint : {"inproc://node-", "inproc://elsewhere-"}) {
    spec.endpoint = endpoint;
    TooMuch network(spec.word_bytes);
    try {
      run_job(spec, network);
    } catch (const Error& error) {
      sentences.emplace_back(error.what());
    }
  }
  ASSERT_EQ(sentences.size(), 2u);
  EXPECT_THAT(sentences[0], testing::StartsWith("node "));
  EXPECT_THAT(sentences[0], testing::HasSubstr(" failed: "));
  EXPECT_EQ(sentences[0].substr(6), sentences[1].substr(6));  // of the nodes that fail at one instant, one speaks first
}

/// Each node may hold two chunks a peer beyond the sums of its servers, and the one that it is making.
TEST(DirectCalls, AndThreadsKeepTheMemoryBound) {
  for (const int iterations : {1, 6}) {
    JobSpec spec = small_job(6, 3, false, 400'000);
    spec.iterations = iterations;
    constexpr int workers = 6, servers = 3, window = 2, sums = 4, making = 1;
    const int bound = workers * (window * servers + making) + servers * (sums + window * workers);
    FakeNetwork network(spec.word_bytes), same(spec.word_bytes);
    const auto runner = make_direct_runner();
    EXPECT_LE(run_job(spec, network, *runner).payload_buffers, bound);
    EXPECT_LE(run_job(spec, same).payload_buffers, bound);
  }
}

}  // namespace
}  // namespace ocs
