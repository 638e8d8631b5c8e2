// Rounding and exchange.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/psscheduler_placer.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "host/scheduler/block_assignment.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/placement_relaxation.hpp"

namespace ocs {
namespace {

std::vector<Node> open_largest(const Job& job) {
  const Relaxation relaxation = relax_placement(job);
  std::vector<std::size_t> order(job.candidates.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const auto key = [&](std::size_t v) {  // smaller goes first
    const Node node = job.candidates[v];
    const bool worker = std::find(job.workers.begin(), job.workers.end(), node) != job.workers.end();
    return std::make_tuple(-relaxation.open[v], -relaxation.share[v], -job.rate_bps[index(node)], !worker, node);
  };
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return key(a) < key(b); });
  std::vector<Node> opened;
  for (std::size_t i = 0; i < job.servers; ++i) opened.push_back(job.candidates[order[i]]);
  std::sort(opened.begin(), opened.end());
  return opened;
}

std::vector<Node> swapped(std::vector<Node> opened, Node out, Node in) {
  std::replace(opened.begin(), opened.end(), out, in);
  std::sort(opened.begin(), opened.end());
  return opened;
}

}  // namespace

Placement PsschedulerPlacer::place(const Job& job) const {
  check_job(job, "psscheduler");
  std::vector<Node> opened = open_largest(job), candidates = job.candidates;
  std::sort(candidates.begin(), candidates.end());
  const BlockAssignment assignment(job);
  BlockAssignment::Result best = *assignment.assign(opened);
  for (bool fell = true; fell;) {
    fell = false;
    std::vector<Node> next;
    for (const Node out : opened)
      for (const Node in : candidates) {
        if (std::binary_search(opened.begin(), opened.end(), in)) continue;
        std::vector<Node> tried = swapped(opened, out, in);
        if (auto result = assignment.assign(tried, best.bound)) {
          best = std::move(*result);
          next = std::move(tried);
          fell = true;
        }
      }
    if (fell) opened = std::move(next);
  }
  Placement placement{std::move(opened), {}};
  for (std::uint32_t k = 0; k < job.blocks.size(); ++k)
    placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, best.server[k]});
  return placement;
}

}  // namespace ocs
