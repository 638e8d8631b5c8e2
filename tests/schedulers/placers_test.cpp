// Allocations and the placers of baselines by hand; the exact placer against brute force; PSscheduler against defaults.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "host/core/error.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/allocation.hpp"
#include "host/scheduler/placers/block_assignment.hpp"
#include "host/scheduler/placers/check_placement.hpp"
#include "host/scheduler/placers/exact_placer.hpp"
#include "host/scheduler/placers/placement_relaxation.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "host/scheduler/psscheduler_or_default.hpp"

namespace ocs {
namespace {

std::vector<std::int64_t> sizes(const char* allocation, const std::vector<std::int64_t>& elements,
                                std::size_t servers) {
  std::vector<std::int64_t> list;
  for (const Block& block : find(allocations(), allocation, "allocation").cut(elements, servers, 4))
    list.push_back(block.size.n);
  return list;
}

using Sizes = std::vector<std::int64_t>;

TEST(Allocation, CutsAsItsNameSays) {
  EXPECT_EQ(sizes("whole", {10, 2'000'000}, 3), (Sizes{40, 8'000'000}));
  EXPECT_EQ(sizes("equal", {10, 2}, 4), (Sizes{12, 12, 8, 8, 4, 4}));
  EXPECT_EQ(sizes("chunks", {10, 1'024'000, 1'024'001}, 4), (Sizes{40, 4'096'000, 4'096'000, 4}));
  EXPECT_EQ(sizes("mxnet", {10, 2'000'000}, 2), (Sizes{40, 4'000'000, 4'000'000}));
}

TEST(Allocation, KeepsEveryByteInTheOrderOfTheTensors) {
  const std::vector<std::int64_t> elements = {7, 1'500'000, 3, 12'345'678};
  for (const Allocation& allocation : allocations()) {
    Sizes held(elements.size(), 0);
    std::uint32_t last = 0;
    for (const Block& block : allocation.cut(elements, 5, 4)) {
      EXPECT_GT(block.size.n, 0) << allocation.name;
      EXPECT_GE(block.tensor, last) << allocation.name;
      last = block.tensor;
      held[block.tensor] += block.size.n;
    }
    for (std::size_t t = 0; t < elements.size(); ++t) EXPECT_EQ(held[t], 4 * elements[t]) << allocation.name;
    EXPECT_THROW(allocation.cut({0}, 5, 4), Error) << allocation.name;
  }
}

Job five_blocks() {
  Job job;
  job.workers = {Node{2}, Node{3}, Node{4}};
  job.candidates = {Node{1}, Node{0}, Node{3}};
  job.servers = 2;
  job.blocks = {{{50}, 0}, {{20}, 1}, {{20}, 1}, {{30}, 2}, {{10}, 3}};
  job.rate_bps.assign(5, 1'000'000'000);
  job.delta = Picos{10'000'000};
  return job;
}

std::vector<int> placers_nodes(const char* placer, const Job& job) {
  const Placement placement = make(placers(), placer, "placer")->place(job);
  std::vector<int> list;
  for (std::uint32_t k = 0; k < placement.shards.size(); ++k) {
    EXPECT_EQ(placement.shards[k].block, k);
    EXPECT_EQ(placement.shards[k].size, job.blocks[k].size);
    list.push_back(index(placement.shards[k].server));
  }
  EXPECT_EQ(placement.servers.size(), job.servers);
  return list;
}

TEST(DefaultPlacer, GivesEachBlockToWhoHoldsLeast) {
  EXPECT_EQ(placers_nodes("default", five_blocks()), (std::vector<int>{0, 1, 1, 1, 0}));
}

TEST(RoundRobinPlacer, GoesRoundTheFirstCandidates) {
  EXPECT_EQ(placers_nodes("round_robin", five_blocks()), (std::vector<int>{0, 1, 0, 1, 0}));
}

TEST(BytepsPlacer, HashesTensorAndPart) {
  // djb2 of "0", "65536", "65537", "131072", "196608" is odd, even, odd, odd, odd.
  EXPECT_EQ(placers_nodes("byteps", five_blocks()), (std::vector<int>{1, 0, 1, 1, 1}));
}

TEST(RandomPlacer, DrawsTheSameFromTheSameSeed) {
  Job job = five_blocks();
  for (job.seed = 0; job.seed < 50; ++job.seed) {
    EXPECT_EQ(placers_nodes("random", job), placers_nodes("random", job));
    for (const int node : placers_nodes("random", job)) EXPECT_TRUE(node == 0 || node == 1 || node == 3);
  }
}

Job any_small_job() {
  Job job;
  const int workers = *rc::gen::element(1, 2, 3, 4), extra = *rc::gen::element(0, 1, 2);
  for (int v = 0; v < workers + extra; ++v) {
    if (v < workers) job.workers.push_back(Node{static_cast<std::uint16_t>(v)});
    if (v >= workers || *rc::gen::arbitrary<bool>()) job.candidates.push_back(Node{static_cast<std::uint16_t>(v)});
    job.rate_bps.push_back(*rc::gen::element<std::int64_t>(1'000'000'000, 2'000'000'000, 4'000'000'000));
  }
  if (job.candidates.empty()) job.candidates.push_back(Node{0});
  const auto blocks = *rc::gen::element<std::size_t>(1, 3, 5, 6);
  for (std::uint32_t k = 0; k < blocks; ++k) job.blocks.push_back({{*rc::gen::element(1, 7, 20, 33, 100)}, k});
  job.servers = *rc::gen::inRange<std::size_t>(1, std::min(blocks, job.candidates.size()) + 1);
  job.delta = Picos{1000 * *rc::gen::element(0, 40, 400)};
  return job;
}

/// The smallest T over all ways to give every block a node that leave exactly `servers` nodes in use.
Ticks smallest_by_search(const Job& job) {
  Ticks best = never<Ticks>;
  std::vector<std::size_t> at(job.blocks.size(), 0);
  for (;;) {
    Placement placement;
    for (std::uint32_t k = 0; k < at.size(); ++k) {
      placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, job.candidates[at[k]]});
      placement.servers.push_back(job.candidates[at[k]]);
    }
    std::sort(placement.servers.begin(), placement.servers.end());
    const auto used = std::unique(placement.servers.begin(), placement.servers.end()) - placement.servers.begin();
    if (static_cast<std::size_t>(used) == job.servers) best = std::min(best, placement_bound(job, placement));
    std::size_t k = 0;
    while (k < at.size() && ++at[k] == job.candidates.size()) at[k++] = 0;
    if (k == at.size()) return best;
  }
}

TEST(ExactPlacer, HasTheSmallestBoundOfAllPlacements) {
  EXPECT_TRUE(rc::check([] {
    const Job job = any_small_job();
    const Placement placement = ExactPlacer().place(job);
    RC_ASSERT(placement_bound(job, placement) == smallest_by_search(job));
    RC_ASSERT(placement_bound(job, placement) >= relax_placement(job).bound);
    RC_CLASSIFY(placement_bound(job, placement) < placement_bound(job, PsschedulerPlacer().place(job)),
                "smaller than PSscheduler's");
  }));
}

TEST(ExactPlacer, SharesOutWhatLargestFirstDoesNot) {
  Job job = five_blocks();
  job.candidates = {Node{0}, Node{1}};
  job.delta = Picos{0};
  job.blocks.clear();
  for (const std::int64_t size : {3000, 3000, 2000, 2000, 2000})
    job.blocks.push_back({{size}, static_cast<std::uint32_t>(job.blocks.size())});
  // 6000 bytes on each: 8 ns each at 1 Gb/s from three workers; largest first has 7000 on one.
  EXPECT_EQ(placement_bound(job, ExactPlacer().place(job)), Ticks{3 * 48'000});
  EXPECT_EQ(BlockAssignment(job).assign({Node{0}, Node{1}})->bound, Ticks{3 * 56'000});
}

TEST(ExactPlacer, RefusesLargeJobs) {
  Job job = five_blocks();
  job.workers.clear();
  job.candidates.clear();
  job.rate_bps.clear();
  for (std::uint16_t v = 0; v < 20; ++v) {
    job.workers.push_back(Node{v});
    job.candidates.push_back(Node{v});
    job.rate_bps.push_back(1'000'000'000 + v);
  }
  job.blocks.clear();
  for (std::uint32_t k = 0; k < 60; ++k) job.blocks.push_back({{1000 + 37 * k * k % 911}, k});
  job.servers = 6;
  EXPECT_THROW(ExactPlacer().place(job), Error);
}

TEST(PsschedulerOrDefault, SynchronisesNoLaterThanAnyDefaultPlacement) {
  EXPECT_TRUE(rc::check([] {
    const Job job = any_small_job();
    const Ticks mine = synchronisation_time(job, PsschedulerOrDefault().place(job));
    for (const char* placer : {"mxnet", "round_robin", "default"})
      RC_ASSERT(mine <= synchronisation_time(job, make(placers(), placer, "placer")->place(job)));
    const Ticks own = synchronisation_time(job, PsschedulerPlacer().place(job));
    RC_ASSERT(mine <= own);
    RC_CLASSIFY(mine < own, "a default placement is shorter");
  }));
}

TEST(EveryPlacer, PlacesEachBlockOnceOnItsServers) {
  EXPECT_TRUE(rc::check([] {
    Job job = any_small_job();
    job.seed = *rc::gen::arbitrary<std::uint64_t>();
    for (const auto& entry : placers()) {
      const Placement placement = entry.make()->place(job);
      check_placement(job, placement, ErrorKind::internal);
      RC_ASSERT(placement.shards.size() == job.blocks.size());
      for (std::uint32_t k = 0; k < job.blocks.size(); ++k) {
        RC_ASSERT(placement.shards[k].block == k);
        RC_ASSERT(std::binary_search(placement.servers.begin(), placement.servers.end(), placement.shards[k].server));
      }
      for (const Node server : placement.servers)
        RC_ASSERT(std::find(job.candidates.begin(), job.candidates.end(), server) != job.candidates.end());
    }
  }));
}

/// What the checker says of a placement that was spoilt; empty: nothing.
std::string verdict(const std::function<void(Placement&)>& spoil) {
  const Job job = five_blocks();
  Placement placement = make(placers(), "round_robin", "placer")->place(job);
  spoil(placement);
  try {
    check_placement(job, placement, ErrorKind::input);
  } catch (const BrokenRule& broken) {
    EXPECT_EQ(broken.rule(), PlanRule::placement);
    return broken.what();
  }
  return "";
}

TEST(CheckPlacement, NamesWhatIsWrong) {
  using P = Placement&;
  EXPECT_EQ(verdict([](P) {}), "");
  EXPECT_EQ(verdict([](P p) { p.servers = {Node{0}}; }), "the placement has 1 servers, but job.servers is 2");
  EXPECT_EQ(verdict([](P p) {
              p.servers = {Node{0}, Node{4}};
            }),
            "the placement has a server on node 4, which is not among the 3 nodes that may have one");
  EXPECT_EQ(verdict([](P p) {
              p.servers = {Node{1}, Node{0}};
            }),
            "the placement has a server on node 0 behind the one on node 1, but servers must be named once and ascend");
  EXPECT_EQ(verdict([](P p) { p.shards[1].server = Node{3}; }),
            "the placement's part of block 1 is on node 3, which is no server of the placement");
  EXPECT_EQ(verdict([](P p) { p.shards[4].block = 5; }),
            "the placement's part of block 5 is of none: the job has 5 blocks, counted from 0");
  EXPECT_EQ(verdict([](P p) { p.shards[1].offset = Bytes{4}; }),
            "the placement's part of block 1 begins at byte 4, but the parts before it end at 0");
  EXPECT_EQ(verdict([](P p) { p.shards[1].size = Bytes{21}; }),
            "the placement's part of block 1 has 21 bytes from byte 0 on, but the block has 20");
  EXPECT_EQ(verdict([](P p) { p.shards[1].size = Bytes{16}; }), "the placement has 16 of the 20 bytes of block 1");
  EXPECT_EQ(verdict([](P p) { p.shards.pop_back(); }), "the placement has 0 of the 10 bytes of block 4");
  EXPECT_EQ(verdict([](P p) {
              p.shards[0].size = Bytes{6};
              p.shards.insert(p.shards.begin() + 1, {0, Bytes{6}, Bytes{44}, Node{1}});
            }),
            "the placement's part of block 0 begins at byte 6, within a parameter of 4 bytes");
}

}  // namespace
}  // namespace ocs
