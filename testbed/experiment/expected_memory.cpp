// A sum of what was measured: the program, each node process, buffers of each pair of nodes, and the data set.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/expected_memory.hpp"

namespace ocs {
namespace {

constexpr std::int64_t program = 20'000'000;       // with any device
constexpr std::int64_t node_process = 38'000'000;  // memory that processes share counts in each of them
constexpr std::int64_t full_pair = 1'300'000;      // chunks under way between two nodes
constexpr std::int64_t digest_pair = 250'000;      // their checksums alone, and the sums
constexpr std::int64_t data_set = 100'000'000;     // pictures as numbers
constexpr std::int64_t copies_of_a_model = 3;      // of a worker that learns: model, gradients, what was pulled

}  // namespace

Bytes expected_memory(const Point& point) {
  const std::int64_t workers = point.job.workers;
  const std::int64_t pairs = point.arrivals()                      ? 0
                             : point.collective() || point.peers() ? workers * 2
                                                                   : workers * point.job.servers;
  std::int64_t bytes = program;
  if (point.job.payload == "full") bytes += pairs * full_pair;
  if (point.job.payload == "digest") bytes += pairs * digest_pair;
  if (point.nodes.transport != "inproc") bytes += point.node_count() * node_process;
  if (point.job.real_gradients) bytes += data_set + workers * copies_of_a_model * point.job.workload->total.n;
  return {bytes};
}

}  // namespace ocs
