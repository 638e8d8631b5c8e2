// Coflows with payload: bytes and digests among nodes change no time, and what is wrong is noticed.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <functional>
#include <memory>

#include "testbed/coordinator/runners/thread_runner.hpp"
#include "testbed/jobs/coflows_job.hpp"
#include "testbed/nodes/payload/payload_plane.hpp"
#include "tests/common/refusal.hpp"
#include "tests/nodes/fake_network.hpp"

namespace ocs::test {
namespace {

using testing::HasSubstr;

constexpr std::int64_t word_bytes = 64;
constexpr Picos fake_cycle{5120};

/// A coflow of a trace, and a job that goes twice through its push and its pull.
std::vector<Work> two_works() {
  Work trace{.arrival = Cycles{0}, .push = {{0, 1, Words{40'000}}, {0, 2, Words{3}}, {3, 1, Words{100}}}, .pull = {}};
  Work job{.number = 1,
           .arrival = Cycles{500},
           .compute = {Cycles{200}},
           .iterations = 2,
           .push = {{2, 1, Words{77}}, {3, 1, Words{20'001}}},
           .pull = {{1, 2, Words{78}}, {1, 3, Words{1}}}};
  trace.payload = job.payload = true;
  return {trace, job};
}

CoflowsSpec spec_of(const std::vector<Work>& works, PayloadMode payload) {
  return {.works = works, .cycle = fake_cycle, .word_bytes = word_bytes, .payload = payload, .seed = 5};
}

CoflowsResult run(const CoflowsSpec& spec, NodeRunner* runner = nullptr) {
  FakeNetwork network(spec.word_bytes, Picos{fake_cycle.n * 9}, fake_cycle);
  network.set_pieces(2);
  return run_coflows(spec, network, runner, nullptr);
}

TEST(CoflowNodes, TakeTheSameTimeWithAnyPayload) {
  std::vector<Work> silent = two_works();
  for (Work& work : silent) work.payload = false;
  const CoflowsResult none = run(spec_of(silent, PayloadMode::none));
  EXPECT_EQ(none.job.messages, 0);
  EXPECT_EQ(none.carried.coflows.size(), 5u);
  const std::vector<Work> works = two_works();
  for (const PayloadMode payload : {PayloadMode::full, PayloadMode::digest, PayloadMode::none})
    for (const char* endpoint : {"inproc://node-", "ipc://@lightloop-test-coflows-"}) {
      CoflowsSpec spec = spec_of(works, payload);
      spec.endpoint = endpoint;
      const CoflowsResult result = run(spec);
      EXPECT_EQ(result.carried.coflows, none.carried.coflows) << name_of(payload) << endpoint;
      EXPECT_EQ(result.carried.last, none.carried.last);
      EXPECT_EQ(result.job.words_delivered, none.job.words_delivered);
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0) << name_of(payload) << endpoint;
      EXPECT_EQ(result.job.chunks > 0, payload != PayloadMode::none);
      EXPECT_GT(result.job.messages, 0);
    }
}

TEST(CoflowNodes, LeaveOutWorksWithoutPayload) {
  std::vector<Work> works = two_works();
  works[0].payload = false;
  for (const bool nodes : {false, true}) {
    CoflowsSpec spec = spec_of(works, PayloadMode::digest);
    spec.nodes = nodes;
    const CoflowsResult result = run(spec);
    // Two pushes and two pulls, of two transfers each: none is longer than a chunk.
    EXPECT_EQ(result.job.chunks, 8) << nodes;
    EXPECT_EQ(result.carried.coflows, run(spec_of(two_works(), PayloadMode::digest)).carried.coflows) << nodes;
  }
}

/// Changes chunks on their way.
class ChangingTransport final : public Transport {
 public:
  using Change = std::function<void(Message&)>;
  ChangingTransport(std::unique_ptr<Transport> inner, Change change)
      : inner_(std::move(inner)), change_(std::move(change)) {}
  void send(Message message) override {
    if (kind_of(message) == MessageKind::chunk) change_(message);
    inner_->send(std::move(message));
  }
  std::optional<Message> receive(std::chrono::milliseconds patience) override { return inner_->receive(patience); }

 private:
  std::unique_ptr<Transport> inner_;
  Change change_;
};

CoflowsResult run_with(PayloadMode payload, const ChangingTransport::Change& change) {
  JobHooks hooks;
  hooks.transport = [&](std::unique_ptr<Transport> inner, std::uint16_t) {
    return std::make_unique<ChangingTransport>(std::move(inner), change);
  };
  const auto runner = make_thread_runner("inproc://node-", hooks);
  const std::vector<Work> works = two_works();
  return run(spec_of(works, payload), runner.get());
}

TEST(CoflowNodes, NoticeANumberThatIsChanged) {
  std::atomic<int> changed = 0;
  const CoflowsResult result = run_with(PayloadMode::full, [&](Message& message) {
    const auto fields = decode_fields<ChunkFields>(message);
    if (fields.key.to() != Node{2} || changed++ > 0) return;
    auto copy = std::make_shared<std::byte[]>(message.payload.size);
    std::copy_n(message.payload.data.get(), message.payload.size, copy.get());
    copy[7] ^= std::byte{1};
    message.payload.data = std::move(copy);
  });
  EXPECT_EQ(result.job.crc_errors, 1);
  EXPECT_EQ(result.job.sum_errors, 1);
}

/// What node 0 sends to node 1 is what it should send to node 2: in full, numbers and CRC agree with one another.
TEST(CoflowNodes, NoticePayloadOfAnotherTransfer) {
  const Pattern pattern(5);
  const auto swap = [&](Message& message) {
    const auto fields = decode_fields<ChunkFields>(message);
    if (fields.key.to() != Node{1} || fields.key.from() != Node{0}) return;
    const auto floats_in = [](Words words) { return static_cast<std::size_t>(words.n * word_bytes) / sizeof(float); };
    constexpr std::uint32_t ports = max_ports;
    std::vector<float> numbers(floats_in(fields.part.count));
    message.header.payload_crc32c =
        make_payload({pattern, fields.key.iteration * ports + 2, Node{0}, floats_in(fields.part.first)}, 1, numbers);
    if (message.payload.size == 0) return;
    auto copy = std::make_shared<std::byte[]>(message.payload.size);
    std::copy_n(std::as_bytes(std::span(numbers)).data(), message.payload.size, copy.get());
    message.payload.data = std::move(copy);
  };
  EXPECT_GT(run_with(PayloadMode::full, swap).job.sum_errors, 0);
  EXPECT_GT(run_with(PayloadMode::digest, swap).job.crc_errors, 0);
}

TEST(CoflowNodes, NoticeAChunkWithoutItsBytes) {
  const CoflowsResult result = run_with(PayloadMode::full, [](Message& message) {
    if (decode_fields<ChunkFields>(message).key.to() == Node{2}) message.payload = {};
  });
  EXPECT_GT(result.job.sum_errors, 0);
}

/// The first attempt at each transfer from node 3 lacks a word, and so does the second.
TEST(CoflowNodes, SendAgainWhatWasLost) {
  std::vector<Work> works = two_works();
  for (const PayloadMode payload : {PayloadMode::none, PayloadMode::digest, PayloadMode::full})
    for (const bool nodes : {false, true}) {
      for (Work& work : works) work.payload = payload != PayloadMode::none;
      CoflowsSpec spec = spec_of(works, payload);
      spec.nodes = nodes;
      spec.attempts = 3;
      FakeNetwork network(spec.word_bytes, Picos{fake_cycle.n * 9}, fake_cycle);
      network.set_fate([](const Transfer& transfer, Words words) {
        const bool lost = transfer.from == Node{3} && transfer.sent_before < 2;
        return lost ? words > Words{1} ? std::vector<WordRun>{{Words{1}, words - Words{1}}} : std::vector<WordRun>{}
                    : std::vector<WordRun>{{Words{0}, words}};
      });
      const CoflowsResult result = run_coflows(spec, network, nullptr, nullptr);
      EXPECT_EQ(result.job.retransmissions, 2 * 3) << "one transfer of the trace and one in each iteration, twice";
      EXPECT_EQ(result.job.words_retransmitted, 2 * 3);
      EXPECT_EQ(result.job.crc_errors + result.job.sum_errors, 0);
      EXPECT_EQ(result.carried.ended.size(), 2u);
      spec.attempts = 2;
      EXPECT_THAT(test::failure([&] { run_coflows(spec, network, nullptr, nullptr); }),
                  HasSubstr("each of 2 attempts"));
    }
}

TEST(CoflowNodes, EndTheRunWhereWordsAreLost) {
  const std::vector<Work> works = two_works();
  const CoflowsSpec spec = spec_of(works, PayloadMode::digest);
  FakeNetwork network(spec.word_bytes);
  network.set_fate([](const Transfer& transfer, Words words) {
    return std::vector<WordRun>{{Words{0}, transfer.from == Node{3} ? words - Words{1} : words}};
  });
  EXPECT_THAT(test::failure([&] { run_coflows(spec, network, nullptr, nullptr); }), HasSubstr("without 1 of its"));
}

TEST(CoflowNodes, RefuseACoflowThatIsNotTheirs) {
  NodeJob job;
  job.workers = {Node{0}, Node{2}};
  job.memory = ServerMemory::coflows;
  job.payload = PayloadMode::digest;
  job.chunk = Words{1};
  const Pattern pattern(1);
  BufferPool pool(64);
  struct Nowhere : Transport {
    void send(Message) override {}
    std::optional<Message> receive(std::chrono::milliseconds) override { return std::nullopt; }
  } nowhere;
  PayloadPlane plane({job, pattern, pool}, Node{0}, nowhere);
  for (const Node to : {Node{0}, Node{1}})
    EXPECT_THAT(test::failure([&] {
                  plane.release({3, {{to, Words{4}}}});
                }),
                HasSubstr("node 0 was told to send words of coflow 3 to node " + std::to_string(index(to))));
  plane.release({3, {{Node{2}, Words{4}}}});
  EXPECT_FALSE(plane.idle());
}

}  // namespace
}  // namespace ocs::test
