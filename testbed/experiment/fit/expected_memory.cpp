// A sum of what was measured: the program, each node process, buffers of each pair of nodes, and the data set.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/expected_memory.hpp"

#include <algorithm>
#include <map>

#include "testbed/experiment/arrivals.hpp"

namespace ocs {
namespace {

constexpr std::int64_t program = 20'000'000;       // with any device
constexpr std::int64_t node_process = 38'000'000;  // memory that processes share counts in each of them
constexpr std::int64_t full_pair = 1'300'000;      // chunks under way between two nodes
constexpr std::int64_t digest_pair = 250'000;      // their checksums alone, and the sums
constexpr std::int64_t data_set = 100'000'000;     // pictures as numbers
constexpr std::int64_t copies_of_a_model = 3;      // of a worker that learns: model, gradients, what was pulled

/// Chunks are smaller where more pairs of nodes may have some under way; a node keeps no sums.
std::int64_t memory_of_arrivals(const Point& point) {
  constexpr std::int64_t under_way = 128'000'000, least = 160'000;
  const std::int64_t nodes = arriving_nodes(point), pairs = std::max<std::int64_t>(1, nodes * (nodes - 1));
  const std::int64_t full = std::clamp(under_way / pairs, least, full_pair) * pairs;
  return (arriving_payload(point) == "full" ? full : 0) +
         (point.nodes.transport != "inproc" ? nodes * node_process : 0);
}

/// The memory of jobs that have nodes of their own, as if all were there at one time.
std::int64_t memory_of_jobs(const Point& point) {
  std::int64_t bytes = 0;
  std::map<std::size_t, std::int64_t> by_table;
  for (std::size_t k = 0; k < point.jobs.size(); ++k) {
    const auto [known, is_new] = by_table.try_emplace(point.jobs[k].table, 0);
    if (is_new) known->second = expected_memory(alone_of(point, k)).n - program;
    bytes += known->second;
  }
  return bytes;
}

}  // namespace

Bytes expected_memory(const Point& point) {
  const std::int64_t workers = point.job.workers;
  std::int64_t bytes = program;
  if (point.whole_jobs) return {bytes + memory_of_jobs(point)};
  if (point.arrivals()) return {bytes + memory_of_arrivals(point)};
  const std::int64_t pairs = point.collective() || point.peers() ? workers * 2 : workers * point.job.servers;
  if (point.job.payload == "full") bytes += pairs * full_pair;
  if (point.job.payload == "digest") bytes += pairs * digest_pair;
  if (point.nodes.transport != "inproc") bytes += point.node_count() * node_process;
  if (point.job.real_gradients) bytes += data_set + workers * copies_of_a_model * point.job.workload->total.n;
  return {bytes};
}

}  // namespace ocs
