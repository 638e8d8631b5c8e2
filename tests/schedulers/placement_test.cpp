// Placers: what they refuse, what a transfer costs, and how far from the optimum they end.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <random>

#include "host/core/error.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/block_assignment.hpp"
#include "host/scheduler/placers/mxnet_blocks.hpp"
#include "host/scheduler/placers/mxnet_placer.hpp"
#include "host/scheduler/placers/placement_relaxation.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "host/scheduler/placers/relaxation_bound.hpp"
#include "tests/common/places.hpp"
#include "tests/schedulers/model_table.hpp"

namespace ocs {
namespace {

constexpr std::int64_t gigabit = 1'000'000'000;

std::vector<Node> nodes(int first, int last) {
  std::vector<Node> list;
  for (int v = first; v < last; ++v) list.push_back(Node{static_cast<std::uint16_t>(v)});
  return list;
}

/// Four workers, two dedicated nodes, blocks of the given megabytes; 1 Gb/s, 10 ms, ticks of a nanosecond.
Job small_job(const std::vector<std::int64_t>& megabytes = {3, 2, 1}) {
  Job job;
  job.workers = nodes(0, 4);
  job.candidates = nodes(4, 6);
  job.servers = 2;
  for (const std::int64_t size : megabytes)
    job.blocks.push_back({Bytes{size * 1'000'000}, static_cast<std::uint32_t>(job.blocks.size())});
  job.rate_bps.assign(6, gigabit);
  job.delta = Picos{10'000'000'000};
  return job;
}

TEST(Transfer, IsRoundedUpToTheTick) {
  EXPECT_EQ(transfer_ticks(Bytes{0}, gigabit, Picos{1000}), Ticks{0});
  EXPECT_EQ(transfer_ticks(Bytes{2'500'000}, gigabit, Picos{1000}), Ticks{20'000'000});
  EXPECT_EQ(transfer_ticks(Bytes{1}, 3 * gigabit, Picos{1000}), Ticks{3}) << "8/3 ns";
  EXPECT_EQ(transfer_ticks(Bytes{64}, 100 * gigabit, Picos{5120}), Ticks{1}) << "one word a cycle";
  EXPECT_EQ(transfer_ticks(Bytes{65}, 100 * gigabit, Picos{5120}), Ticks{2});
  EXPECT_EQ(transfer_ticks(Bytes{std::int64_t{1} << 40}, gigabit, Picos{1}), Ticks{(std::int64_t{1} << 40) * 8000});
  EXPECT_THROW(transfer_ticks(Bytes{std::int64_t{1} << 60}, 1, Picos{1}), Error);
}

TEST(Traffic, GoesFromEachWorkerToEachOtherServerAndBack) {
  Job job = small_job();
  job.rate_bps[1] = gigabit / 2;
  const Placement placed{nodes(0, 2),
                         {{0, {0}, job.blocks[0].size, Node{0}},
                          {1, {0}, job.blocks[1].size, Node{1}},
                          {2, {0}, job.blocks[2].size, Node{0}}}};
  const std::vector<Flow> push = push_flows(job, placed), pull = pull_flows(job, placed);
  ASSERT_EQ(push.size(), 6u);  // workers 0 and 1 keep what is theirs
  ASSERT_EQ(pull.size(), 6u);
  EXPECT_EQ(push[0].in, Input{0});
  EXPECT_TRUE(push[0].outs.test(1));
  EXPECT_EQ(push[0].length, Ticks{32'000'000}) << "2 MB at the slower end's rate";
  EXPECT_EQ(push[1].in, Input{1});
  EXPECT_EQ(push[1].length, Ticks{64'000'000});
  EXPECT_EQ(pull[0].in, Input{0});
  EXPECT_TRUE(pull[0].outs.test(1));
  EXPECT_EQ(pull[0].length, Ticks{64'000'000});
  // Server 0 hears workers 1, 2, 3: 64 + 32 + 32 ms and three set-ups.
  EXPECT_EQ(placement_bound(job, placed), Ticks{158'000'000});
}

TEST(Placers, RefuseJobsThatCannotBePlaced) {
  const auto refused = [](const std::function<void(Job&)>& spoil, const std::string& words) {
    Job job = small_job();
    spoil(job);
    for (const Placer* placer : std::initializer_list<const Placer*>{new MxnetPlacer, new PsschedulerPlacer}) {
      const std::unique_ptr<const Placer> owner(placer);
      try {
        placer->place(job);
        ADD_FAILURE() << "not refused: " << words;
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::input);
        EXPECT_NE(std::string(error.what()).find(words), std::string::npos) << error.what();
      }
    }
  };
  refused([](Job& j) { j.servers = 0; }, "0 servers");
  refused([](Job& j) { j.servers = 3; }, "3 servers on 2 candidate nodes");
  refused([](Job& j) { j.blocks.resize(1); }, "the job has 1 blocks");
  refused([](Job& j) { j.workers.clear(); }, "without workers");
  refused([](Job& j) { j.workers.push_back(Node{0}); }, "node 0 twice as a worker");
  refused([](Job& j) { j.candidates.push_back(Node{6}); }, "node 6 as a candidate");
  refused([](Job& j) { j.rate_bps[4] = 0; }, "node 4 has a rate of 0");
  refused([](Job& j) { j.blocks[2].size = Bytes{0}; }, "block 2 has 0 bytes");
  refused([](Job& j) { j.delta = Picos{-1}; }, "delay is -1");
  refused([](Job& j) { j.tick = Picos{0}; }, "tick is 0");
  refused([](Job& j) { j.blocks[0].size = j.blocks[1].size = Bytes{never<Bytes>.n / 2 + 1}; }, "2^63 bytes");
  refused([](Job& j) { j.blocks[0].size = Bytes{std::int64_t{1} << 58}; }, "2^62 ticks");
}

TEST(BlockRule, CutsOnlyLargeTensors) {
  const std::vector<Block> blocks = mxnet_blocks({999'999, 1'000'000}, 3, 4);
  ASSERT_EQ(blocks.size(), 4u);
  EXPECT_EQ(blocks[0].size, Bytes{3'999'996});
  EXPECT_EQ(blocks[1].size, Bytes{333'333 * 4});
  EXPECT_EQ(blocks[2].size, Bytes{333'334 * 4});
  EXPECT_EQ(blocks[3].size, Bytes{333'333 * 4});
  EXPECT_EQ(mxnet_servers(blocks, 3), (std::vector<std::size_t>{0, 0, 1, 2}));
  EXPECT_EQ(mxnet_servers({{Bytes{1}, 7}}, 5), (std::vector<std::size_t>{7 * 9973 % 5}));
}

TEST(BlockRule, RefusesWhatItCannotCut) {
  EXPECT_THROW(mxnet_blocks({1}, 0, 4), Error);
  EXPECT_THROW(mxnet_blocks({0}, 2, 4), Error);
  EXPECT_THROW(mxnet_blocks({1}, 2, 0), Error);
  EXPECT_THROW(mxnet_blocks({never<Bytes>.n}, 2, 4), Error);
  EXPECT_THROW(mxnet_servers({{Bytes{1}, 0}, {Bytes{1}, 0}}, 3), Error);
}

TEST(MxnetPlacer, TakesTheFirstCandidatesAndNumbersThemAscending) {
  Job job = small_job();
  job.candidates = {Node{5}, Node{2}, Node{4}};
  job.blocks = mxnet_blocks({10, 10, 2'000'000}, 2, 4);
  const Placement placed = MxnetPlacer().place(job);
  EXPECT_EQ(placed.servers, (std::vector<Node>{Node{2}, Node{5}}));
  std::vector<Node> place;
  for (const Shard& shard : placed.shards) place.push_back(shard.server);
  EXPECT_EQ(place, (std::vector<Node>{Node{2}, Node{5}, Node{2}, Node{5}}));
}

TEST(PsschedulerPlacer, GivesEveryServerABlock) {
  const Placement placed = PsschedulerPlacer().place(small_job({100, 1}));
  ASSERT_EQ(placed.shards.size(), 2u);
  EXPECT_NE(placed.shards[0].server, placed.shards[1].server);
}

TEST(PsschedulerPlacer, CoversEachBlockOnceInOrder) {
  const Job job = small_job({3, 2, 1, 7, 5});
  const Placement placed = PsschedulerPlacer().place(job);
  ASSERT_EQ(placed.shards.size(), job.blocks.size());
  for (std::uint32_t k = 0; k < job.blocks.size(); ++k) {
    EXPECT_EQ(placed.shards[k].block, k);
    EXPECT_EQ(placed.shards[k].offset, Bytes{0});
    EXPECT_EQ(placed.shards[k].size, job.blocks[k].size);
    EXPECT_TRUE(std::binary_search(placed.servers.begin(), placed.servers.end(), placed.shards[k].server));
  }
}

/// A random job that is small enough to try every placement.
Job random_job(std::mt19937_64& random) {
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  Job job;
  const int all = draw(3, 5), workers = draw(2, all);
  const bool dedicated = workers < all && draw(0, 1) == 1, drawn_rates = draw(0, 1) == 1;
  for (int v = 0; v < all; ++v) job.rate_bps.push_back(drawn_rates ? gigabit << draw(0, 2) : gigabit);
  job.workers = nodes(0, workers);
  job.candidates = nodes(dedicated ? workers : 0, all);
  const int blocks = draw(1, 6);
  for (int k = 0; k < blocks; ++k) job.blocks.push_back({Bytes{draw(1, 10) * 500'000}, static_cast<std::uint32_t>(k)});
  job.servers = static_cast<std::size_t>(draw(1, std::min({3, blocks, static_cast<int>(job.candidates.size())})));
  job.delta = Picos{1'000'000'000} * draw(1, 20);
  return job;
}

/// T of a placement straight from its definition, in nanoseconds.
std::int64_t defined_bound(const Job& job, const std::vector<Node>& place) {
  std::array<std::int64_t, 16> held{}, in_port{}, out_port{};
  for (std::size_t k = 0; k < place.size(); ++k) held[index(place[k])] += job.blocks[k].size.n;
  for (const Node w : job.workers)
    for (std::size_t v = 0; v < job.rate_bps.size(); ++v) {
      if (held[v] == 0 || index(w) == v) continue;
      const std::int64_t bps = std::min(job.rate_bps[index(w)], job.rate_bps[v]);
      const std::int64_t cost = job.delta.n / 1000 + (8 * held[v] * gigabit + bps - 1) / bps;
      in_port[v] += cost;
      out_port[index(w)] += cost;
    }
  return std::max(*std::max_element(in_port.begin(), in_port.end()),
                  *std::max_element(out_port.begin(), out_port.end()));
}

std::int64_t best_of_all(const Job& job) {
  std::int64_t best = never<Ticks>.n;
  std::vector<std::size_t> choice(job.blocks.size(), 0);
  while (true) {
    std::vector<Node> place;
    for (const std::size_t c : choice) place.push_back(job.candidates[c]);
    std::vector<Node> opened = place;
    std::sort(opened.begin(), opened.end());
    if (static_cast<std::size_t>(std::unique(opened.begin(), opened.end()) - opened.begin()) == job.servers)
      best = std::min(best, defined_bound(job, place));
    std::size_t k = 0;
    while (k < choice.size() && ++choice[k] == job.candidates.size()) choice[k++] = 0;
    if (k == choice.size()) return best;
  }
}

TEST(PsschedulerPlacer, ComesCloseToTheOptimumOnSmallRandomJobs) {
  constexpr std::uint64_t seed = 20240229;
  constexpr int jobs = 1000;
  std::mt19937_64 random(seed);
  double sum = 0, worst = 0;
  for (int i = 0; i < jobs; ++i) {
    const Job job = random_job(random);
    const Placement placed = PsschedulerPlacer().place(job);
    std::vector<Node> place;
    for (const Shard& shard : placed.shards) place.push_back(shard.server);
    const std::int64_t reached = defined_bound(job, place), optimum = best_of_all(job);
    ASSERT_EQ(placement_bound(job, placed).n, reached) << "seed " << seed << ", job " << i;
    ASSERT_GE(reached, optimum) << "seed " << seed << ", job " << i;
    for (const Node node : place) ASSERT_TRUE(std::binary_search(placed.servers.begin(), placed.servers.end(), node));
    ASSERT_LE(relax_placement(job).bound.n, optimum) << "seed " << seed << ", job " << i;
    const double ratio = static_cast<double>(reached) / static_cast<double>(optimum);
    sum += ratio;
    worst = std::max(worst, ratio);
  }
  RecordProperty("mean_permille", static_cast<int>(1000 * sum / jobs));
  RecordProperty("worst_permille", static_cast<int>(1000 * worst));
  EXPECT_LE(sum / jobs, 1.02) << "seed " << seed;
  EXPECT_LE(worst, 1.10) << "seed " << seed;
}

TEST(PsschedulerPlacer, EndsWhereNoSwapOfTwoNodesHelps) {
  constexpr std::uint64_t seed = 99;
  std::mt19937_64 random(seed);
  int worse = 0;  // swaps that would have made it worse
  for (int i = 0; i < 300; ++i) {
    const Job job = random_job(random);
    const Placement placed = PsschedulerPlacer().place(job);
    const Ticks reached = placement_bound(job, placed);
    const BlockAssignment assignment(job);
    for (const Node out : placed.servers)
      for (const Node in : job.candidates) {
        if (std::binary_search(placed.servers.begin(), placed.servers.end(), in)) continue;
        std::vector<Node> swapped = placed.servers;
        std::replace(swapped.begin(), swapped.end(), out, in);
        std::sort(swapped.begin(), swapped.end());
        const auto other = assignment.assign(swapped);
        ASSERT_TRUE(other);
        EXPECT_GE(other->bound, reached) << "seed " << seed << ", job " << i;
        worse += other->bound > reached ? 1 : 0;
      }
  }
  EXPECT_GT(worse, 0);
}

TEST(Relaxation, BalancesInPortsOfDifferentRates) {
  // Four workers and server 4 at 10 Gb/s, server 5 at 1 Gb/s; 11 MB take 8.8 ms at 10 Gb/s. Server 4 gets 10/11 of
  // them: both in-ports need 4 * 1 ms of set-ups and 4 * 8 ms of data.
  Job job = small_job({5, 6});
  job.rate_bps = {10 * gigabit, 10 * gigabit, 10 * gigabit, 10 * gigabit, 10 * gigabit, gigabit};
  job.delta = Picos{1'000'000'000};
  const Relaxation relaxation = relax_placement(job);
  EXPECT_EQ(relaxation.bound, Ticks{36'000'000});
  EXPECT_EQ(relaxation.open, (std::vector<std::int64_t>{1'000'000, 1'000'000}));
  EXPECT_EQ(relaxation.share, (std::vector<std::int64_t>{909'091, 90'909}));
}

TEST(Relaxation, IsNotAboveAnOptimumThatIsAttained) {
  // Each in-port needs 4 set-ups of 10 ms and four times 0.99 s: exactly 4 s, which a floating-point T exceeds.
  Job job;
  job.workers = nodes(0, 4);
  job.candidates = nodes(4, 6);
  job.servers = 2;
  job.blocks = {{Bytes{123'750'000}, 0}, {Bytes{123'750'000}, 1}};
  job.rate_bps.assign(6, gigabit);
  job.delta = Picos{10'000'000'000};
  EXPECT_EQ(relax_placement(job).bound, Ticks{4'000'000'000});
  EXPECT_EQ(placement_bound(job, PsschedulerPlacer().place(job)), Ticks{4'000'000'000});
}

TEST(BoundByPrices, HoldsForAnyPricesAndIsNothingWithoutThem) {
  constexpr std::uint64_t seed = 31337;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 300; ++i) {
    const Job job = random_job(random);
    PortPrices prices{std::vector<double>(job.candidates.size()), std::vector<double>(job.workers.size())};
    EXPECT_EQ(bound_by_prices(job, prices), Ticks{0});
    const auto price = [&] { return static_cast<double>(random() % 1000) / 7; };
    for (double& in : prices.in) in = price();
    for (double& out : prices.out) out = price();
    prices.all_in = price() + 1;
    EXPECT_LE(bound_by_prices(job, prices), relax_placement(job).bound) << "seed " << seed << ", job " << i;
  }
  Job job = small_job({5, 6});
  EXPECT_THROW(bound_by_prices(job, {{1}, {1}, 1}), Error);
}

/// All sets of servers, one after the other.
Ticks best_over_all_sets(const Job& job) {
  const BlockAssignment assignment(job);
  Ticks best = never<Ticks>;
  std::vector<bool> chosen(job.candidates.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(job.servers), true);
  do {
    std::vector<Node> opened;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) opened.push_back(job.candidates[k]);
    if (const auto result = assignment.assign(opened, best)) best = result->bound;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return best;
}

TEST(PsschedulerPlacer, TriesAllKindsOfServers) {
  constexpr std::uint64_t seed = 256;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 60; ++i) {
    Job job;
    job.workers = nodes(0, 8);
    job.candidates = nodes(0, 12);
    job.servers = 3;
    for (std::uint32_t k = 0; k < 12; ++k)
      job.blocks.push_back({Bytes{1 + static_cast<std::int64_t>(random() % 50'000'000)}, k});
    job.delta = Picos{20'000'000'000};
    for (int v = 0; v < 12; ++v) job.rate_bps.push_back((random() % 3 + 1) * 100 * gigabit);
    EXPECT_LE(placement_bound(job, PsschedulerPlacer().place(job)), best_over_all_sets(job))
        << "seed " << seed << ", job " << i;
  }
}

TEST(BlockAssignment, KnowsTheBoundOfWhatItAssigns) {
  constexpr std::uint64_t seed = 4711;
  std::mt19937_64 random(seed);
  for (int i = 0; i < 300; ++i) {
    Job job = random_job(random);
    // Every third job has rates without a common measure that is small.
    if (i % 3 == 0)
      for (std::int64_t& bps : job.rate_bps) bps += static_cast<std::int64_t>(random() % 999'999'937);
    const std::vector<Node> opened(job.candidates.begin(),
                                   job.candidates.begin() + static_cast<std::ptrdiff_t>(job.servers));
    const BlockAssignment assignment(job);
    const auto result = assignment.assign(opened);
    ASSERT_TRUE(result);
    EXPECT_EQ(result->bound.n, defined_bound(job, result->server)) << "seed " << seed << ", job " << i;
    EXPECT_FALSE(assignment.assign(opened, result->bound));
    EXPECT_TRUE(assignment.assign(opened, result->bound + Ticks{1}));
  }
}

TEST(BlockAssignment, PutsTheLargestBlockWhereTheHeaviestPortStaysLightest) {
  const Job job = small_job({10, 7, 5, 4, 3});
  const auto result = BlockAssignment(job).assign(job.candidates);
  ASSERT_TRUE(result);
  EXPECT_EQ(result->server, (std::vector<Node>{Node{4}, Node{5}, Node{5}, Node{4}, Node{5}}));
}

TEST(PsschedulerPlacer, StaysCloseToTheRelaxationOnTheModelTables) {
  int tables = 0;
  for (const auto& entry :
       std::filesystem::directory_iterator(std::string(ocs::test::source_dir()) + "/testbed/workloads")) {
    if (entry.path().extension() != ".csv" || entry.path().stem() == "compute_times") continue;
    ++tables;
    const std::vector<std::int64_t> elements = read_elements(entry.path());
    for (const std::size_t servers : {std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
      Job job;
      job.workers = nodes(8, 24);
      job.candidates = nodes(0, 24);
      job.servers = servers;
      job.blocks = mxnet_blocks(elements, servers, 4);
      if (job.blocks.size() < servers) continue;  // models that learn here are small
      job.rate_bps.assign(24, 100 * gigabit);
      job.delta = Picos{10'000'000'000};
      job.tick = Picos{5120};
      const double ratio = static_cast<double>(placement_bound(job, PsschedulerPlacer().place(job)).n) /
                           static_cast<double>(relax_placement(job).bound.n);
      EXPECT_GE(ratio, 1) << entry.path() << ", " << servers << " servers";
      EXPECT_LE(ratio, 1.35) << entry.path() << ", " << servers << " servers";
    }
  }
  EXPECT_GE(tables, 13);
}

}  // namespace
}  // namespace ocs
