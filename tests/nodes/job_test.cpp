// Whole jobs over a network without hardware: sums, times, losses, damage.
// SPDX-License-Identifier: Apache-2.0
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <iterator>
#include <map>
#include <thread>

#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/odd_transports.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs {
namespace {

using testing::AllOf;
using testing::HasSubstr;

JobResult run(const JobSpec& spec, const JobHooks& hooks = {}) {
  FakeNetwork network(spec.word_bytes);
  return run_job(spec, network, nullptr, hooks);
}

std::string error_of(const std::function<void()>& action) {
  try {
    action();
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

std::vector<std::int64_t> times_of(const JobResult& result) {
  std::vector<std::int64_t> times;
  for (const auto& i : result.iterations) times.insert(times.end(), {i.sync_start.n, i.push_end.n, i.sync_end.n});
  times.insert(times.end(), {result.end.n, result.words_delivered, result.bytes_delivered.n, result.bytes_local.n,
                             result.rounds, result.messages});
  return times;
}

TEST(Job, DeliversAndChecksEveryByte) {
  const JobSpec spec = small_job(3, 2);
  const JobResult result = run(spec);
  EXPECT_EQ(result.crc_errors, 0);
  EXPECT_EQ(result.sum_errors, 0);
  const std::int64_t transfers = 2 * 2 * 3 * 2, words = 1563, chunks = 13;  // 100'001 bytes in words of 64, 128 a chunk
  EXPECT_EQ(result.words_delivered, transfers * words);
  EXPECT_EQ(result.bytes_delivered.n, transfers * 100'001);
  EXPECT_EQ(result.chunks, transfers * chunks);
  EXPECT_EQ(result.bytes_local.n, 0);
}

TEST(Job, TakesTheTimeOfTheClosedForm) {  // phase BSP with one server: compute + 2 N tau
  JobSpec spec = small_job(4, 1);
  spec.iterations = 3;
  const JobResult result = run(spec);
  const std::int64_t tau = 10'000'000 + 1563 * 5120, compute = spec.compute.n;
  for (std::int64_t k = 0; k < 3; ++k) {
    const auto& i = result.iterations[static_cast<std::size_t>(k)];
    EXPECT_EQ(i.sync_start.n, compute + k * (compute + 8 * tau));
    EXPECT_EQ(i.push_end.n, i.sync_start.n + 4 * tau);
    EXPECT_EQ(i.sync_end.n, i.sync_start.n + 8 * tau);
  }
  EXPECT_EQ(result.end, result.iterations.back().sync_end);
}

TEST(Job, TellsEveryMomentOfItsWorkersInOrder) {
  using What = JobMoment::What;
  JobSpec spec = small_job(2, 2, true);  // each node is both: half of the transfers are local
  std::vector<JobMoment> moments;
  JobHooks hooks;
  hooks.moment = [&](const JobMoment& moment) { moments.push_back(moment); };
  const JobResult result = run(spec, hooks);
  std::map<What, int> counts;
  std::map<TransferKey, Picos> offered;
  std::map<Node, Picos> computes;
  Picos last{0};
  for (const JobMoment& moment : moments) {
    EXPECT_GE(moment.at, last);
    last = moment.at;
    ++counts[moment.what];
    if (moment.what == What::computes) computes[moment.key.worker] = moment.at;
    if (moment.what == What::offered) offered[moment.key] = moment.at;
    if (moment.what == What::offered && moment.key.phase == TransferPhase::push) {
      EXPECT_EQ(moment.at, computes.at(moment.key.worker) + spec.compute);
    }
    if (moment.what == What::delivered) {
      EXPECT_GE(moment.at, offered.at(moment.key));
    }
  }
  EXPECT_EQ(last, result.end);
  EXPECT_EQ(counts, (std::map<What, int>{{What::computes, 4}, {What::offered, 16}, {What::delivered, 16}}));
}

/// One that something is put in, which may hold it up, has a thread of its own.
TEST(Job, HasAThreadForEachCoreAndNotForEachNode) {
  const auto threads = [] {
    return std::distance(std::filesystem::directory_iterator("/proc/self/task"), std::filesystem::directory_iterator{});
  };
  const JobSpec spec = small_job(60, 4);
  const auto cores = static_cast<std::ptrdiff_t>(std::max(1U, std::thread::hardware_concurrency()));
  constexpr std::ptrdiff_t of_zeromq = 1, nodes = 64;
  const std::ptrdiff_t before = threads();
  std::ptrdiff_t most = 0;
  JobHooks hooks;
  hooks.moment = [&](const JobMoment&) { most = std::max(most, threads() - before); };
  run(spec, hooks);
  EXPECT_EQ(most, std::min(cores, nodes) + of_zeromq);
  most = 0;
  hooks.logic = [](std::unique_ptr<NodeLogic> inner, Node) { return inner; };
  run(spec, hooks);
  EXPECT_EQ(most, nodes + of_zeromq);
}

TEST(Job, OffersAllPushesWhenComputingEndsAndAllPullsWhenTheLastPushIsIn) {
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes);
  const JobResult result = run_job(spec, network);
  ASSERT_EQ(network.offered().size(), 24u);
  for (std::size_t i = 0; i < 24; ++i) {
    const Transfer& t = network.offered()[i];
    const auto& iteration = result.iterations[i / 12];
    EXPECT_EQ(t.ready, i % 12 < 6 ? iteration.sync_start : iteration.push_end);
    EXPECT_EQ(index(t.coflow), i / 6);
    EXPECT_EQ(t.size.n, 1563 * 64);
    EXPECT_EQ(index(t.from) < 2, i % 12 >= 6);
  }
}

TEST(Job, ReleasesWorkersInAscendingOrderWhoeverIsLast) {
  const JobSpec spec = small_job(3, 1);
  FakeNetwork network(spec.word_bytes);
  network.set_delay([](const Transfer& t) { return Picos{index(t.from) == 1 ? 1'000'000'000 : 0}; });
  run_job(spec, network);
  std::vector<int> pulling;
  for (const Transfer& t : network.offered())
    if (index(t.from) == 0) pulling.push_back(index(t.to[0]));
  EXPECT_EQ(pulling, (std::vector{1, 2, 3, 1, 2, 3}));
}

TEST(Job, TakesTheSameTimeWhateverThePayload) {
  JobSpec spec = small_job(3, 2);
  const JobResult full = run(spec);
  spec.payload = PayloadMode::digest;
  const JobResult digest = run(spec);
  spec.payload = PayloadMode::none;
  const JobResult none = run(spec);
  EXPECT_EQ(times_of(full), times_of(digest));
  EXPECT_EQ(times_of(full), times_of(none));
  EXPECT_EQ(digest.chunks, full.chunks);
  EXPECT_EQ(digest.crc_errors, 0);
  EXPECT_EQ(none.chunks, 0);
}

TEST(Job, KeepsLocalShardsOffTheNetworkButAddsThem) {
  const JobSpec spec = small_job(3, 2, true);  // workers 0 1 2, servers 0 1
  FakeNetwork network(spec.word_bytes);
  const JobResult result = run_job(spec, network);
  EXPECT_EQ(network.offered().size(), 2u * 2 * 4);
  for (const Transfer& t : network.offered()) EXPECT_NE(t.from, t.to.at(0));
  EXPECT_EQ(result.bytes_local.n, 2 * 2 * 2 * 100'001);
  EXPECT_EQ(result.bytes_delivered.n, 2 * 2 * 4 * 100'001);
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  EXPECT_EQ(result.chunks, 2 * 2 * 6 * 13);
}

TEST(Job, NeedsNoNetworkOnASingleNode) {
  const JobSpec spec = small_job(1, 1, true);
  const JobResult result = run(spec);
  EXPECT_EQ(result.words_delivered, 0);
  EXPECT_EQ(result.end.n, 2 * spec.compute.n);
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  EXPECT_EQ(result.chunks, 2 * 2 * 13);
}

TEST(Job, ServesEveryShape) {
  for (const bool colocate : {false, true})
    for (const auto& [workers, servers] : {std::pair{1, 1}, {1, 3}, {5, 1}, {6, 6}, {2, 5}})
      for (const std::int64_t chunk : {64, 4096, 1'000'000}) {
        JobSpec spec = small_job(workers, servers, colocate, 20'000);
        spec.chunk = Bytes{chunk};
        spec.iterations = 3;
        const JobResult result = run(spec);
        EXPECT_EQ(result.crc_errors + result.sum_errors, 0) << workers << " " << servers << " " << chunk;
        EXPECT_EQ(result.chunks, 2 * 3 * workers * servers * divide_up(313, std::max<std::int64_t>(1, chunk / 64)));
      }
}

TEST(Job, ChecksPayloadWhileVirtualTimeGoesOn) {  // more iterations than payload may lie behind
  for (const bool colocate : {false, true}) {
    JobSpec spec = small_job(3, 2, colocate);
    spec.iterations = 12;
    const JobResult result = run(spec);
    EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
    EXPECT_EQ(result.chunks, 2 * 12 * 6 * 13);
  }
}

TEST(Job, AcceptsAnyOrderOfArrival) {
  for (const bool colocate : {false, true}) {
    const JobSpec spec = small_job(4, 3, colocate);
    const auto expected = times_of(run(spec));
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
      JobHooks hooks;
      hooks.transport = [seed](std::unique_ptr<Transport> inner, std::uint16_t participant) {
        return std::make_unique<ShufflingTransport>(std::move(inner), seed * 1000 + participant);
      };
      const JobResult result = run(spec, hooks);
      EXPECT_EQ(times_of(result), expected) << "seed " << seed;
      EXPECT_EQ(result.crc_errors + result.sum_errors, 0) << "seed " << seed;
    }
  }
}

TEST(Job, AcceptsTransfersThatArriveInPieces) {
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes);
  network.set_pieces(5);
  const JobResult result = run_job(spec, network);
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  EXPECT_EQ(result.chunks, 24 * 13);
  EXPECT_EQ(result.words_delivered, 24 * 1563);
}

TEST(Job, RunsOverTheEndpointsOfProcesses) {
  const auto folder = std::filesystem::temp_directory_path() / ("lightloop-job-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  JobSpec spec = small_job(3, 2);
  const auto expected = times_of(run(spec));
  spec.endpoint = "ipc://" + (folder / "node-").string();
  const JobResult result = run(spec);
  EXPECT_EQ(times_of(result), expected);
  EXPECT_EQ(result.crc_errors + result.sum_errors, 0);
  std::filesystem::remove_all(folder);
}

/// Damages the first chunk of the given phase that goes from `from` to `to`.
JobHooks damage(TransferPhase phase, std::uint16_t from, std::uint16_t to, std::shared_ptr<std::atomic<int>> left) {
  JobHooks hooks;
  hooks.transport = [=](std::unique_ptr<Transport> inner, std::uint16_t) {
    return std::make_unique<MeddlingTransport>(std::move(inner), [=](Message& message) {
      if (kind_of(message) != MessageKind::chunk) return true;
      const auto key = decode_fields<ChunkFields>(message).key;
      if (key.phase != phase || index(key.from()) != from || index(key.to()) != to || (*left)-- <= 0) return true;
      if (message.payload.size > 0)
        message.payload = damaged(message.payload, 4 * 100 + 2);
      else
        message.header.payload_crc32c ^= 1;
      return true;
    });
  };
  return hooks;
}

TEST(Job, CountsADamagedPull) {
  const auto result = run(small_job(3, 2), damage(TransferPhase::pull, 1, 4, std::make_shared<std::atomic<int>>(1)));
  EXPECT_EQ(result.crc_errors, 1);
  EXPECT_EQ(result.sum_errors, 1);
}

TEST(Job, CountsADamagedPushAndWhatItDidToTheSums) {
  const auto result = run(small_job(3, 2), damage(TransferPhase::push, 4, 1, std::make_shared<std::atomic<int>>(1)));
  EXPECT_EQ(result.crc_errors, 1);
  EXPECT_EQ(result.sum_errors, 3) << "one element at each of the three workers";
}

TEST(Job, CountsAWrongDigest) {
  JobSpec spec = small_job(3, 2);
  spec.payload = PayloadMode::digest;
  const auto result = run(spec, damage(TransferPhase::push, 4, 1, std::make_shared<std::atomic<int>>(2)));
  EXPECT_EQ(result.crc_errors, 2);
}

TEST(Job, EndsWithTheNamesOfTheWordsThatWereLost) {
  for (const PayloadMode mode : {PayloadMode::full, PayloadMode::none}) {
    JobSpec spec = small_job(3, 2);
    spec.payload = mode;
    spec.retransmit = false;
    FakeNetwork network(spec.word_bytes);
    network.set_fate([](const Transfer& t, Words words) {
      if (index(t.from) != 3 || index(t.to[0]) != 1) return std::vector<WordRun>{{Words{0}, words}};
      return std::vector<WordRun>{{Words{0}, Words{100}}, {Words{103}, words - Words{104}}};
    });
    EXPECT_THAT(
        error_of([&] { run_job(spec, network); }),
        AllOf(HasSubstr("push of worker 3 to server 1, iteration 0"),
              HasSubstr("without 4 of its 1563 words (100 to 102, 1562 to 1562); the switch lost them and nothing "
                        "sends them again")));
  }
}

TEST(Job, EndsWhenAPullIsLostAltogetherEachTime) {
  JobSpec spec = small_job(3, 2);
  spec.attempts = 3;
  FakeNetwork network(spec.word_bytes);
  network.set_fate([](const Transfer& t, Words words) {
    if (index(t.from) != 0 || index(t.to[0]) != 2) return std::vector<WordRun>{{Words{0}, words}};
    return std::vector<WordRun>{};
  });
  EXPECT_THAT(error_of([&] { run_job(spec, network); }),
              AllOf(HasSubstr("pull of worker 2 from server 0, iteration 0, ended at"),
                    HasSubstr("without 1563 of its 1563 words (0 to 1562); the switch lost them and so it did in each "
                              "of 3 attempts")));
}

TEST(Job, ShowsItsProgress) {
  struct Display : Progress {
    void tick(const Report& report) override {
      const auto [now, fraction, waiting_for, slowest] = report;
      EXPECT_GE(now, last);
      EXPECT_GE(fraction, most);
      EXPECT_LE(fraction, 1.0);
      EXPECT_FALSE(waiting_for.empty());
      last = now, most = fraction, ++ticks;
    }
    Picos last{0};
    double most = 0;
    int ticks = 0;
  } display;
  const JobSpec spec = small_job(3, 2);
  FakeNetwork network(spec.word_bytes);
  run_job(spec, network, &display);
  EXPECT_GT(display.ticks, 24);
  EXPECT_GT(display.most, 0.9);
}

TEST(Job, RefusesASpecificationThatContradictsItself) {
  const auto refusal = [](auto change) {
    JobSpec spec = small_job(3, 2);
    change(spec);
    return error_of([&] { run(spec); });
  };
  EXPECT_EQ(refusal([](JobSpec&) {}), "");
  EXPECT_THAT(refusal([](JobSpec& s) { s.ports = 257; }), HasSubstr("ports is 257; it should be 2 to 256"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.ports = 4; }), HasSubstr("a worker is on node 4; the nodes are 0 to 3"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.workers.clear(); }), HasSubstr("no workers"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.workers.push_back(Node{2}); }), HasSubstr("node 2 is a worker twice"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.iterations = 0; }), HasSubstr("iterations is 0"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.compute = Picos{-1}; }), HasSubstr("compute time in ps is -1"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.word_bytes = 6; }), HasSubstr("multiple of 4"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.chunk = Bytes{5'000'000}; }), HasSubstr("chunk in bytes is 5000000"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.timeout = std::chrono::milliseconds{0}; }), HasSubstr("timeout in ms is 0"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards.pop_back(); }), HasSubstr("block 1 has 100001 bytes"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards[1].offset.n = 1; }), HasSubstr("begins at byte 1"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards[1].size.n = 0; }), HasSubstr("has 0 bytes"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards[1].block = 9; }), HasSubstr("there are 2 blocks"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards[1].server = Node{77}; }), HasSubstr("node 77"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.placement.shards.clear(), s.blocks.clear(); }),
              HasSubstr("placement is empty"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.sync = "bulk"; }), HasSubstr("known: bsp, bsp_phase, asp"));
  EXPECT_THAT(refusal([](JobSpec& s) { s.endpoint = "nowhere://"; }), HasSubstr("bind nowhere://"));
}

TEST(Job, AcceptsWordsOfAnySizeWithoutPayload) {
  JobSpec spec = small_job(2, 1);
  spec.word_bytes = 7;
  spec.payload = PayloadMode::none;
  EXPECT_EQ(run(spec).words_delivered, 2 * 2 * 2 * 14286);
}

TEST(PayloadMode, IsKnownByName) {
  EXPECT_EQ(payload_mode("digest"), PayloadMode::digest);
  EXPECT_EQ(name_of(PayloadMode::none), "none");
  EXPECT_THAT(error_of([] { payload_mode("some"); }), HasSubstr("known: full, digest, none"));
}

}  // namespace
}  // namespace ocs
