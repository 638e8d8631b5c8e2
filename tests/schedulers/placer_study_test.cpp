// The placer on 256 points of the study with drawn rates: no set of servers is better than the one that it takes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placers/block_assignment.hpp"
#include "host/scheduler/placers/mxnet_blocks.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "tests/common/places.hpp"
#include "tests/schedulers/model_table.hpp"

namespace ocs {
namespace {

const std::filesystem::path tables = std::filesystem::path(ocs::test::source_dir()) / "testbed/workloads";

/// Servers on any node; each node has the rate, its half or its quarter.
Job drawn_job(const std::string& model, int workers, int servers, std::int64_t delta_ms, std::int64_t rate_bps,
              std::mt19937_64& random) {
  Job job;
  for (int v = 0; v < workers + servers; ++v) {
    const Node node{static_cast<std::uint16_t>(v)};
    job.candidates.push_back(node);
    if (v >= servers) job.workers.push_back(node);
    job.rate_bps.push_back(rate_bps >> (random() % 3));
  }
  job.servers = static_cast<std::size_t>(servers);
  job.blocks = mxnet_blocks(read_elements(tables / (model + ".csv")), job.servers, 4);
  job.delta = Picos{delta_ms * 1'000'000'000};
  return job;
}

/// How many sets of servers were looked at; each must not be better than what the placer reached. The exchange of the
/// reference ends at one of them, whatever it starts from, so T <= `reference_exchange`.
int sets_that_are_no_better(const Job& job, const std::string& point) {
  const Ticks reached = placement_bound(job, PsschedulerPlacer().place(job));
  const BlockAssignment assignment(job);
  std::vector<bool> chosen(job.candidates.size());
  std::fill(chosen.begin(), chosen.begin() + static_cast<std::ptrdiff_t>(job.servers), true);
  int sets = 0;
  do {
    std::vector<Node> opened;
    for (std::size_t k = 0; k < chosen.size(); ++k)
      if (chosen[k]) opened.push_back(job.candidates[k]);
    if (const auto better = assignment.assign(opened, reached))
      ADD_FAILURE() << point << ": T is " << reached.n << ", but " << better->bound.n << " with other servers";
    ++sets;
  } while (std::prev_permutation(chosen.begin(), chosen.end()));
  return sets;
}

TEST(PsschedulerPlacer, ReachesTheBestServersInEachPointOfTheStudy) {
  int points = 0, sets = 0;
  for (const std::string model : {"alexnet", "vgg16", "resnet50", "bert_large"})
    for (const int workers : {8, 16})
      for (const int servers : {2, 4})
        for (const std::int64_t delta_ms : {1, 20})
          for (const std::int64_t gigabits : {100, 400})
            for (std::uint64_t seed = 1; seed <= 4; ++seed) {
              std::mt19937_64 random(seed);
              const std::string point = model + ", n = " + std::to_string(workers) +
                                        ", M = " + std::to_string(servers) + ", " + std::to_string(delta_ms) + " ms, " +
                                        std::to_string(gigabits) + " Gbit/s, seed " + std::to_string(seed);
              sets += sets_that_are_no_better(
                  drawn_job(model, workers, servers, delta_ms, gigabits * 1'000'000'000, random), point);
              ++points;
            }
  EXPECT_EQ(points, 256);
  EXPECT_EQ(sets, 64 * (45 + 495 + 153 + 4845));  // of 10, 12, 18 and 20 nodes
}

}  // namespace
}  // namespace ocs
