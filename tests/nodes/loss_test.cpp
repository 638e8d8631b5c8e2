// What is lost is asked for, sent again, put together and applied once.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <random>

#include "testbed/nodes/memory/reassembly.hpp"
#include "testbed/nodes/roles/receipts.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/odd_transports.hpp"
#include "tests/nodes/small_job.hpp"
#include "tests/nodes/word_run.hpp"

namespace ocs {
namespace {

using testing::HasSubstr;

const TransferKey push{0, TransferPhase::push, Node{5}, Node{2}};

// ---- Receipts
// --------------------------------------------------------------------------------------------------------

class ReceiptsOf20 : public ::testing::Test {
 protected:
  /// "1: 3 to 9 (1)": attempt, words, how often they were sent; "whole" at the end when it is.
  std::string on(std::vector<WordRun> runs, bool final, std::uint32_t attempt = 0) {
    std::vector<Message> out;
    const bool whole = receipts_.on({push, Words{20}, final, std::move(runs), attempt}, Picos{100}, out);
    std::string text;
    for (const Message& message : out) {
      const auto missing = decode_fields<MissingFields>(message);
      EXPECT_EQ(missing.key, push);
      EXPECT_EQ(message.header.at_ps, 107);
      text +=
          std::to_string(missing.attempt) + ": " + describe(missing.runs) + " (" + std::to_string(missing.sent) + ")";
    }
    return text + (whole ? "whole" : "");
  }
  static NodeJob job() {
    NodeJob job;
    job.control_latency = Picos{7};
    return job;
  }
  NodeJob job_ = job();
  Receipts receipts_{job_};
};

TEST_F(ReceiptsOf20, AreWholeWhenAllWordsAreIn) {
  EXPECT_EQ(on({run(0, 10)}, false), "");
  EXPECT_EQ(on({run(10, 10)}, true), "whole");
}

TEST_F(ReceiptsOf20, AskAtTheEndForWhatIsMissing) {
  EXPECT_EQ(on({run(2, 3), run(7, 12)}, true), "1: 0 to 1, 5 to 6, 19 to 19 (1)");
  EXPECT_EQ(on({run(0, 2), run(5, 2), run(19, 1)}, true, 1), "whole");
}

TEST_F(ReceiptsOf20, AskAtOnceForWhatIsMissingBeforeWordsThatHaveArrived) {
  EXPECT_EQ(on({run(2, 3)}, false), "1: 0 to 1 (1)");
  EXPECT_EQ(on({run(8, 2)}, false), "2: 5 to 7 (1)");
  EXPECT_EQ(on({run(0, 2)}, true, 1), "");
  EXPECT_EQ(on({}, true), "3: 10 to 19 (1)");
  EXPECT_EQ(on({run(5, 3)}, true, 2), "");
  EXPECT_EQ(on({run(10, 10)}, true, 3), "whole");
}

TEST_F(ReceiptsOf20, AskAgainForWhatIsLostAgain) {
  EXPECT_EQ(on({}, true), "1: 0 to 19 (1)");
  EXPECT_EQ(on({run(4, 1)}, false, 1), "2: 0 to 3 (2)");
  EXPECT_EQ(on({run(10, 10)}, true, 1), "3: 5 to 9 (2)");
  EXPECT_EQ(on({}, true, 2), "4: 0 to 3 (3)");
  EXPECT_EQ(on({run(5, 5)}, true, 3), "");
  EXPECT_EQ(on({run(0, 4)}, true, 4), "whole");
}

TEST_F(ReceiptsOf20, WordsThatComeInAnotherOrderOrTwiceAreReceivedOnce) {
  EXPECT_EQ(on({run(10, 10)}, false), "1: 0 to 9 (1)");
  EXPECT_EQ(on({run(0, 10)}, true), "whole");
  EXPECT_EQ(on({run(0, 10)}, true, 1), "") << "it was on its way already";
}

TEST_F(ReceiptsOf20, WhatIsLostAgainButHasComeOtherwiseIsNotAskedFor) {
  EXPECT_EQ(on({run(10, 10)}, false), "1: 0 to 9 (1)");
  EXPECT_EQ(on({}, true, 1), "2: 0 to 9 (2)");
  EXPECT_EQ(on({run(0, 10)}, true), "whole");
  EXPECT_EQ(on({}, true, 2), "");
}

TEST_F(ReceiptsOf20, WordsOfAnAttemptThatNobodyAskedForAreAnError) { EXPECT_THROW(on({run(0, 10)}, true, 1), Error); }

// ---- Carrier and Reassembly
// ------------------------------------------------------------------------------------------

constexpr std::int64_t loss_word = 4;

/// Words of 20; byte b of loss_word w is 8 * w + b.
Message loss_chunk(WordRun part, std::uint32_t attempt = 0) {
  Message message = make_message(2, Picos{0}, ChunkFields{push, Words{20}, part, attempt});
  const auto size = static_cast<std::size_t>(part.count.n * loss_word);
  std::shared_ptr<std::byte[]> data(new std::byte[size]);
  for (std::size_t i = 0; i < size; ++i)
    data[i] = static_cast<std::byte>(8 * (static_cast<std::size_t>(part.first.n) + i / loss_word) + i % loss_word);
  message.payload = {data, size};
  message.header.payload_crc32c = 70 + attempt;
  return message;
}

TEST(CarrierOfAttempts, HandsOnEachWordOnce) {
  Carrier carrier(loss_word);
  EXPECT_EQ(carrier.deliver({push, Words{20}, false, {run(4, 16)}}), Words{16});
  carrier.ask({push, Words{64}, {run(0, 4)}, 1, 1});
  EXPECT_EQ(carrier.deliver({push, Words{20}, false, {run(0, 3)}}), Words{3}) << "they come all the same";
  EXPECT_EQ(carrier.deliver({push, Words{20}, true, {run(0, 4)}, 1}), Words{1});
  EXPECT_EQ(carrier.deliver({push, Words{20}, true, {run(3, 1)}}), Words{0});
  carrier.hold(loss_chunk(run(0, 20)));
  carrier.hold(loss_chunk(run(0, 4), 1));
  const Arrival first = carrier.take(TransferPhase::push), second = carrier.take(TransferPhase::push);
  EXPECT_EQ(first.attempt, 0u);
  ASSERT_EQ(first.parts.size(), 2u);
  EXPECT_EQ(first.parts[0].words, run(0, 3));
  EXPECT_EQ(first.parts[1].words, run(4, 16));
  EXPECT_EQ(second.attempt, 1u);
  ASSERT_EQ(second.parts.size(), 1u);
  EXPECT_EQ(second.parts[0].words, run(3, 1));
  EXPECT_EQ(second.parts[0].payload.size, 4u);
  EXPECT_EQ(second.parts[0].payload.data[1], std::byte{25});
}

TEST(CarrierOfAttempts, TakesOnlyWordsThatWereAskedForAndOnlyOnce) {
  Carrier carrier(loss_word);
  EXPECT_THROW(carrier.hold(loss_chunk(run(0, 4), 1)), Malformed);
  EXPECT_THROW(carrier.deliver({push, Words{20}, true, {run(0, 4)}, 1}), Malformed);
  carrier.ask({push, Words{64}, {run(0, 4), run(8, 2)}, 1, 1});
  carrier.hold(loss_chunk(run(0, 2), 1));
  EXPECT_THROW(carrier.hold(loss_chunk(run(0, 2), 1)), Malformed);
  EXPECT_THROW(carrier.hold(loss_chunk(run(4, 2), 1)), Malformed);
  EXPECT_THROW(carrier.hold(loss_chunk(run(2, 8), 1)), Malformed);
  carrier.hold(loss_chunk(run(2, 2), 1));
  carrier.hold(loss_chunk(run(8, 2), 1));
}

class Putting : public ::testing::Test {
 protected:
  Arrival arrival(WordRun part, std::uint32_t attempt, std::vector<WordRun> passed) {
    Arrival one{push, attempt, Words{20}, part, 70 + attempt, {}};
    const Message message = loss_chunk(part, attempt);
    for (const WordRun& words : passed) {
      const std::byte* at = message.payload.data.get() + (words.first - part.first).n * loss_word;
      one.parts.push_back({words, {{message.payload.data, at}, static_cast<std::size_t>(words.count.n * loss_word)}});
    }
    return one;
  }
  void expect_whole(const std::optional<WholeChunk>& whole, WordRun part) {
    ASSERT_TRUE(whole);
    EXPECT_EQ(whole->part, part);
    EXPECT_EQ(whole->crc32c, 70u);
    const Message expected = loss_chunk(part);
    ASSERT_EQ(whole->payload.size, expected.payload.size);
    EXPECT_EQ(std::memcmp(whole->payload.data.get(), expected.payload.data.get(), expected.payload.size), 0);
    EXPECT_TRUE(reassembly_.empty());
  }
  BufferPool pool_{8 * loss_word};
  Reassembly reassembly_{loss_word, Words{8}, pool_};
};

TEST_F(Putting, TogetherLeavesAWholeChunkWhereItIs) {
  expect_whole(reassembly_.add(arrival(run(0, 8), 0, {run(0, 8)})), run(0, 8));
  EXPECT_EQ(pool_.made(), 0u);
}

TEST_F(Putting, TogetherWaitsForTheLastWord) {
  EXPECT_FALSE(reassembly_.add(arrival(run(8, 8), 0, {run(8, 2), run(12, 2)})));
  EXPECT_FALSE(reassembly_.empty());
  EXPECT_FALSE(reassembly_.add(arrival(run(14, 2), 1, {run(14, 2)})));
  expect_whole(reassembly_.add(arrival(run(10, 2), 1, {run(10, 2)})), run(8, 8));
}

TEST_F(Putting, TogetherKnowsTheLastShortChunk) {
  EXPECT_FALSE(reassembly_.add(arrival(run(16, 4), 0, {})));
  expect_whole(reassembly_.add(arrival(run(16, 4), 3, {run(16, 4)})), run(16, 4));
}

TEST_F(Putting, TogetherNeedsTheFirstAttemptForItsCrc) {
  EXPECT_FALSE(reassembly_.add(arrival(run(0, 8), 1, {run(0, 8)})));
  expect_whole(reassembly_.add(arrival(run(0, 8), 0, {})), run(0, 8));
}

TEST_F(Putting, TogetherRefusesWordsOfSeveralChunks) {
  EXPECT_THROW(reassembly_.add(arrival(run(6, 4), 1, {run(6, 4)})), Error);
}

TEST(WordsOf, RunsLaidOneBehindTheOther) {
  const std::vector<WordRun> runs{run(10, 2), run(20, 5), run(40, 1)};
  EXPECT_EQ(words_of(runs, {run(0, 8)}), runs);
  EXPECT_EQ(words_of(runs, {run(1, 3), run(6, 2)}), (std::vector{run(11, 1), run(20, 2), run(24, 1), run(40, 1)}));
  EXPECT_EQ(words_of(runs, {}), std::vector<WordRun>{});
}

TEST(RunSet, LosesWhatIsRemoved) {
  RunSet set({run(0, 10), run(20, 10)});
  set.remove(run(5, 20));
  EXPECT_EQ(set.runs(), (std::vector{run(0, 5), run(25, 5)}));
  set.remove(run(1, 2));
  set.remove(run(0, 0));
  EXPECT_EQ(set.runs(), (std::vector{run(0, 1), run(3, 2), run(25, 5)}));
  set.remove(run(0, 100));
  EXPECT_TRUE(set.empty());
}

// ---- whole jobs
// ------------------------------------------------------------------------------------------------------

/// Loses words of every transfer, in runs; a later attempt loses less and less.
FakeNetwork::Fate lossy(std::uint64_t seed) {
  return [random = std::mt19937_64(seed)](const Transfer& t, Words words) mutable {
    RunSet arrived({run(0, words.n)});
    if (random() % 4 == 0 && t.sent_before < 3) return std::vector<WordRun>{};
    for (std::uint64_t holes = random() % 4; holes > 0 && t.sent_before < 6; --holes) {
      const auto first = static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(words.n));
      arrived.remove(run(first, static_cast<std::int64_t>(random() % 400) + 1));
    }
    return arrived.runs();
  };
}

std::vector<std::int64_t> loss_times_of(const JobResult& result) {
  std::vector<std::int64_t> times;
  for (const auto& i : result.iterations) times.insert(times.end(), {i.sync_start.n, i.push_end.n, i.sync_end.n});
  times.insert(times.end(), {result.end.n, result.words_delivered, result.bytes_delivered.n, result.retransmissions,
                             result.words_retransmitted, result.rounds, result.messages});
  return times;
}

TEST(LossyJob, EndsWithTheSumsOfALosslessOneWhateverIsLost) {
  for (const bool colocate : {false, true})
    for (const bool apart : {false, true})
      for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        JobSpec spec = small_job(3, 2, colocate);
        spec.iterations = seed == 6 ? 7 : 2;  // more than payload may lie behind
        FakeNetwork network(spec.word_bytes);
        network.set_fate(lossy(seed));
        if (apart) network.set_runs_apart();
        const JobResult result = run_job(spec, network);
        const std::int64_t transfers = 2 * spec.iterations * (colocate ? 4 : 6);
        EXPECT_EQ(result.crc_errors, 0) << seed;
        EXPECT_EQ(result.sum_errors, 0) << seed;
        EXPECT_EQ(result.chunks, 2 * spec.iterations * 6 * 13) << seed;
        EXPECT_EQ(result.words_delivered, transfers * 1563) << "each loss_word once, seed " << seed;
        EXPECT_EQ(result.bytes_delivered.n, transfers * 100'001) << seed;
        EXPECT_GT(result.retransmissions, 0) << seed;
        std::int64_t offered = 0;
        for (const Transfer& t : network.offered()) offered += t.size.n / spec.word_bytes;
        EXPECT_EQ(offered, transfers * 1563 + result.words_retransmitted) << seed;
      }
}

TEST(LossyJob, TakesTheSameTimeWhateverThePayload) {
  JobSpec spec = small_job(3, 2);
  const auto times = [&](PayloadMode mode) {
    spec.payload = mode;
    FakeNetwork network(spec.word_bytes);
    network.set_fate(lossy(9));
    const JobResult result = run_job(spec, network);
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
    EXPECT_EQ(result.chunks, mode == PayloadMode::none ? 0 : 24 * 13);
    return loss_times_of(result);
  };
  const auto full = times(PayloadMode::full);
  EXPECT_EQ(times(PayloadMode::digest), full);
  EXPECT_EQ(times(PayloadMode::none), full);
}

TEST(LossyJob, AcceptsAnyOrderOfArrival) {
  const JobSpec spec = small_job(4, 3);
  const auto times = [&](std::uint64_t order) {
    FakeNetwork network(spec.word_bytes);
    network.set_fate(lossy(11));
    network.set_runs_apart();
    JobHooks hooks;
    if (order > 0)
      hooks.transport = [order](std::unique_ptr<Transport> inner, std::uint16_t participant) {
        return std::make_unique<ShufflingTransport>(std::move(inner), order * 1000 + participant);
      };
    const JobResult result = run_job(spec, network, nullptr, hooks);
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
    return loss_times_of(result);
  };
  const auto straight = times(0);
  for (std::uint64_t order = 1; order <= 6; ++order) EXPECT_EQ(times(order), straight) << "order " << order;
}

TEST(LossyJob, CountsADamagedChunkOfWordsThatWereSentAgain) {
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes);
  network.set_fate([](const Transfer& t, Words words) {
    return std::vector<WordRun>{run(t.sent_before == 0 ? 10 : 0, words.n - (t.sent_before == 0 ? 10 : 0))};
  });
  JobHooks hooks;
  auto left = std::make_shared<std::atomic<int>>(1);
  hooks.transport = [=](std::unique_ptr<Transport> inner, std::uint16_t) {
    return std::make_unique<MeddlingTransport>(std::move(inner), [=](Message& message) {
      if (kind_of(message) != MessageKind::chunk || decode_fields<ChunkFields>(message).attempt == 0) return true;
      if ((*left)-- > 0) message.payload = damaged(message.payload, 6);
      return true;
    });
  };
  EXPECT_EQ(run_job(spec, network, nullptr, hooks).crc_errors, 1);
}

TEST(LossyJob, AsksForWhatIsMissingWhenTheControlNetworkHasCarriedIt) {
  JobSpec spec = small_job(1, 1);
  spec.iterations = 1;
  const auto end = [&](std::int64_t latency, bool loss) {
    spec.control_latency = Picos{latency};
    FakeNetwork network(spec.word_bytes);
    network.set_fate([&](const Transfer& t, Words words) {
      const bool whole = t.sent_before > 0 || !loss || index(t.from) == 0;
      return std::vector<WordRun>{run(0, words.n - (whole ? 0 : 3))};
    });
    return run_job(spec, network).end.n;
  };
  const std::int64_t set_up = 10'000'000, cycle = 5120, latency = 1'000'000;
  EXPECT_EQ(end(0, true) - end(0, false), set_up + 3 * cycle);
  EXPECT_EQ(end(latency, false) - end(0, false), 4 * latency) << "offers, pushed, offers, pulled";
  EXPECT_EQ(end(latency, true) - end(0, true), 6 * latency) << "and missing, offers";
}

TEST(LossyJob, EndsWithTheNameOfATransferThatIsLostTooOften) {
  JobSpec spec = small_job(3, 2);
  spec.attempts = 5;
  FakeNetwork network(spec.word_bytes);
  network.set_fate([](const Transfer& t, Words words) {
    return std::vector<WordRun>{run(index(t.from) == 3 ? 7 : 0, words.n - (index(t.from) == 3 ? 7 : 0))};
  });
  network.set_delay([](const Transfer&) { return Picos{0}; });
  try {
    run_job(spec, network);
    ADD_FAILURE();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("the push of worker 3 to server 0, iteration 0, ended at"));
    EXPECT_THAT(error.what(), HasSubstr("of 5 attempts"));
  }
}

}  // namespace
}  // namespace ocs
