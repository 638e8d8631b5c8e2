// The arithmetic on payload is right whatever instructions do it, and notices what it should.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <cstring>
#include <set>
#include <thread>

#include "host/core/error.hpp"
#include "testbed/nodes/memory/payload_math.hpp"
#include "testbed/nodes/memory/sum_store.hpp"
#include "testbed/nodes/payload/payload_roles.hpp"

namespace ocs {
namespace {

std::uint32_t bitwise_crc32c(std::span<const std::byte> bytes) {
  std::uint32_t crc = 0xffffffff;
  for (std::byte b : bytes) {
    crc ^= static_cast<std::uint32_t>(b);
    for (int i = 0; i < 8; ++i) crc = (crc >> 1) ^ ((crc & 1) ? 0x82f63b78u : 0u);
  }
  return ~crc;
}

/// By arithmetic the same as over the numbers: at every kind of place, over none, one or many periods.
TEST(PatternCrc, IsThatOfTheNumbers) {
  const Pattern pattern(11);
  for (const std::size_t first : {0, 1, 5000, 16380, 16381, 40'000})
    for (const std::size_t elements : {0, 1, 2, 16, 11'381, 16'380, 16'381, 16'382, 100'003})
      for (const std::uint32_t iteration : {0u, 1u, 77u}) {
        const PatternSlice slice{pattern, iteration, Node{3}, first};
        std::vector<float> numbers(elements);
        EXPECT_EQ(pattern_crc(slice, elements), make_payload(slice, 1, numbers)) << first << " " << elements;
      }
}

TEST(Crc32c, IsTheOneOfRfc3720) {
  const std::vector<std::byte> zeros(32), ones(32, std::byte{0xff});
  EXPECT_EQ(crc32c(zeros), 0x8a9136aau);
  EXPECT_EQ(crc32c(ones), 0x62a8ab43u);
  EXPECT_EQ(crc32c({}), 0u);
}

constexpr std::size_t sizes[] = {1, 16, 4095, 4096, 4097, 3 * 4096 + 5, 40000};

TEST(Payload, IsThePatternTimesTheWeight) {
  const Pattern pattern(3);
  for (std::size_t size : sizes) {
    std::vector<float> out(size);
    const std::uint32_t crc = make_payload({pattern, 2, Node{1}, 1000}, 7, out);
    EXPECT_EQ(crc, bitwise_crc32c(std::as_bytes(std::span(out)))) << size;
    for (std::size_t i = 0; i < size; ++i) {
      ASSERT_EQ(out[i], *pattern.at(2, Node{1}, 1000 + i) * 7);
      ASSERT_TRUE(out[i] >= 0 && out[i] <= 255 * 7);
    }
  }
}

TEST(Payload, AddsUpToTheClosedForm) {
  const Pattern pattern(4);
  for (std::size_t size : sizes) {
    std::vector<float> out(size), sum(size, -1.0f);
    for (std::size_t w = 0; w < 256; ++w) {
      make_payload({pattern, 0, Node{0}, 0}, Pattern::weight(w), out);
      const auto crc = add_payload(std::as_bytes(std::span(out)), sum.data(), w == 0);
      if (w == 255) {
        EXPECT_EQ(crc, bitwise_crc32c(std::as_bytes(std::span(out))));
      }
    }
    const auto checked =
        check_payload({pattern, 0, Node{0}, 0}, Pattern::weight_of_all(256), std::as_bytes(std::span(sum)));
    EXPECT_EQ(checked.differences, 0u) << size;
    EXPECT_EQ(checked.crc32c, bitwise_crc32c(std::as_bytes(std::span(sum))));
  }
  EXPECT_LT(255 * Pattern::weight_of_all(256), 16777216.0f) << "sums must be exact in fp32";
}

TEST(Payload, MayLieAtAnyAddress) {  // ZeroMQ's receive buffers are aligned to nothing
  const Pattern pattern(4);
  std::vector<float> out(5000), sum(5000);
  const std::uint32_t crc = make_payload({pattern, 0, Node{0}, 0}, 1, out);
  std::vector<std::byte> shifted(5000 * 4 + 1);
  std::memcpy(shifted.data() + 1, out.data(), 5000 * 4);
  const auto in = std::span<const std::byte>(shifted).subspan(1);
  EXPECT_EQ(add_payload(in, sum.data(), true), crc);
  EXPECT_EQ(add_payload(in, sum.data(), false), crc);
  EXPECT_EQ(check_payload({pattern, 0, Node{0}, 0}, 1, in).differences, 0u);
  EXPECT_EQ(check_payload({pattern, 0, Node{0}, 0}, 2, std::as_bytes(std::span(sum))).differences, 0u);
}

TEST(Payload, CountsEveryWrongElement) {
  const Pattern pattern(5);
  std::vector<float> out(10000);
  make_payload({pattern, 0, Node{0}, 0}, 2, out);
  out[0] += 1, out[4096] += 1, out[9999] = -1;
  EXPECT_EQ(check_payload({pattern, 0, Node{0}, 0}, 2, std::as_bytes(std::span(out))).differences, 3u);
}

TEST(Payload, IsNoticedWhenItBelongsElsewhere) {
  const Pattern pattern(6);
  std::vector<float> out(4096);
  make_payload({pattern, 1, Node{2}, 65536}, 3, out);
  const auto wrong = [&](std::uint32_t iteration, Node server, std::size_t first, float weight) {
    return check_payload({pattern, iteration, server, first}, weight, std::as_bytes(std::span(out))).differences;
  };
  EXPECT_EQ(wrong(1, Node{2}, 65536, 3), 0u);
  EXPECT_GT(wrong(1, Node{2}, 65536 + 16, 3), 3900u) << "a word later";
  EXPECT_GT(wrong(1, Node{2}, 2 * 65536, 3), 3900u) << "a chunk later";
  EXPECT_GT(wrong(0, Node{2}, 65536, 3), 3900u) << "another iteration";
  EXPECT_GT(wrong(1, Node{3}, 65536, 3), 3900u) << "another server";
  EXPECT_GT(wrong(1, Node{2}, 65536, 4), 3900u) << "another worker";
}

TEST(BufferPool, HandsOutWhatCameBackLast) {
  BufferPool pool(100000);
  auto a = pool.take(), b = pool.take();
  EXPECT_NE(a.get(), b.get());
  const std::byte* last = a.get();
  a.reset();
  EXPECT_EQ(pool.take().get(), last);
  EXPECT_GE(pool.bytes(), 100000u);
}

TEST(BufferPool, IsOutlivedByItsBuffers) {
  std::shared_ptr<std::byte[]> buffer;
  {
    BufferPool pool(5000);
    buffer = pool.take();
  }
  std::memset(buffer.get(), 1, 5000);
}

TEST(BufferPool, IsSharedByThreads) {
  BufferPool pool(4096);
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&pool, t] {
      for (int i = 0; i < 2000; ++i) {
        const auto a = pool.take(), b = pool.take();
        a[0] = b[0] = static_cast<std::byte>(t);
        ASSERT_EQ(a[0], static_cast<std::byte>(t));
      }
    });
  for (auto& thread : threads) thread.join();
  EXPECT_LE(pool.made(), 1024u);
}

TEST(SumStore, HasRoomForAFewSumsFromTheFirstThatIsNotHandedOut) {
  BufferPool pool(64);
  SumStore store(2, pool);
  EXPECT_TRUE(store.has_room(SumStore::capacity - 1));
  EXPECT_FALSE(store.has_room(SumStore::capacity));
  EXPECT_THROW(store.open(SumStore::capacity), Error);
  for (int w = 0; w < 2; ++w) {
    EXPECT_EQ(store.open(0).first, w == 0);
    EXPECT_EQ(store.count(0), w == 1);
  }
  store.set_crc(0, 5);
  EXPECT_TRUE(store.complete(0));
  EXPECT_FALSE(store.complete(1));
  EXPECT_EQ(store.lend_sum(0, 64).crc32c, 5u);
  EXPECT_FALSE(store.has_room(SumStore::capacity)) << "one worker still has to get it";
  store.lend_sum(0, 64);
  EXPECT_TRUE(store.has_room(SumStore::capacity));
  EXPECT_THROW(store.open(0), Error) << "it is past";
}

TEST(SumStore, LetsGoOfWhatNobodyReadsWhenItIsComplete) {
  BufferPool pool(64);
  SumStore store(2, pool);
  const auto add = [&](std::uint64_t number) {
    store.open(number);
    if (store.count(number)) store.set_crc(number, 0);
  };
  for (const std::uint64_t number : {0U, 0U, 1U, 1U, 2U}) add(number);
  store.nobody_reads_from(1);
  EXPECT_FALSE(store.has_room(SumStore::capacity)) << "sum 0 is still to be handed out";
  store.lend_sum(0, 64);
  store.lend_sum(0, 64);
  EXPECT_TRUE(store.has_room(1 + SumStore::capacity));
  EXPECT_FALSE(store.has_room(2 + SumStore::capacity)) << "sum 2 lacks a push";
  add(2);
  EXPECT_TRUE(store.has_room(2 + SumStore::capacity));
}

TEST(SumStore, NeverOverwritesAViewThatIsBeingRead) {
  BufferPool pool(64);
  SumStore store(1, pool);
  *store.open(0).sum = 1;
  store.count(0);
  const auto view = store.lend_sum(0, 64).payload;
  for (std::uint64_t n = 1; n < 100; ++n) {
    *store.open(n).sum = 2;
    store.count(n);
    store.lend_sum(n, 64);
  }
  float read = 0;
  std::memcpy(&read, view.data.get(), sizeof read);
  EXPECT_EQ(read, 1);
}

/// Two nodes that are worker and server; the one key goes from the first to the second.
NodeJob job_of_one_key() {
  NodeJob job;
  job.workers = {Node{0}, Node{1}};
  const std::vector<Slice> key = {{Words{0}, Words{8}, Bytes{512}}};
  job.servers = {{Node{0}, Words{8}, Bytes{512}, key}, {Node{1}, Words{8}, Bytes{512}, key}};
  job.memory = ServerMemory::model;
  job.iterations = 2;
  job.chunk = Words{8};
  job.owner = {Node{0}};
  return job;
}

WholeChunk whole(const Message& message) {
  const auto fields = decode_fields<ChunkFields>(message);
  return {fields.key, fields.part, message.header.payload_crc32c, message.payload};
}

TEST(ServerPayload, KeepsAPushApartFromTheMigrationOfItsKeyThatComesAfterIt) {
  const NodeJob job = job_of_one_key();
  const Pattern pattern(7);
  BufferPool pool(512);
  const PayloadTools tools{job, pattern, pool};
  ServerPayload first(tools, Node{0}), second(tools, Node{1});
  WorkerPayload worker(tools, Node{0});
  PayloadTotals totals;
  first.learn({{PastEvent::What::gave, Node{1}, Node{0}, 1, 0, 0}}, totals);
  second.learn(
      {{PastEvent::What::took, Node{0}, Node{1}, 1, 0, 0}, {PastEvent::What::applied, Node{0}, Node{1}, 1, 0, 0}},
      totals);
  const TransferKey push{1, TransferPhase::push, Node{0}, Node{1}, 0};
  const TransferKey migration{1, TransferPhase::migrate, Node{0}, Node{1}, 0};
  const WordRun all{Words{0}, Words{8}};
  std::vector<Message> sent;
  worker.make({push, Words{8}, all, {}}, sent);
  first.make({migration, Words{8}, all, {}}, sent, totals);
  ASSERT_EQ(sent.size(), 2u);
  for (const Message& message : sent) second.take(whole(message), totals);
  EXPECT_TRUE(second.idle()) << "both have been added";
  EXPECT_EQ(totals.crc_errors + totals.sum_errors, 0u);
  using Credit = std::pair<Node, TransferPhase>;
  EXPECT_EQ(second.take_credits(),
            (std::vector{Credit{Node{0}, TransferPhase::migrate}, Credit{Node{0}, TransferPhase::push}}));
}

}  // namespace
}  // namespace ocs
