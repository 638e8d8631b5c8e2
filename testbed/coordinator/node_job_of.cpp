// From a job's specification to what its nodes know: checks it and lays out each server's memory.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/node_job_of.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/core/error.hpp"
#include "host/transport/wire.hpp"
#include "testbed/nodes/payload_plane.hpp"

namespace ocs {
namespace {

void require(bool right, const std::string& sentence) {
  if (!right) throw Error(ErrorKind::input, sentence);
}

void check_range(const std::string& what, std::int64_t value, std::int64_t least, std::int64_t most) {
  require(value >= least && value <= most, "the job's " + what + " is " + std::to_string(value) + "; it should be " +
                                               std::to_string(least) + " to " + std::to_string(most));
}

void check_node(const std::string& what, Node node, int ports) {
  require(index(node) < ports,
          what + " is on node " + std::to_string(index(node)) + "; the nodes are 0 to " + std::to_string(ports - 1));
}

void check_numbers(const JobSpec& spec) {
  constexpr std::int64_t largest = static_cast<std::int64_t>(max_payload_bytes);
  check_range("ports", spec.ports, 2, static_cast<std::int64_t>(max_ports));
  check_range("word size in bytes", spec.word_bytes, 1, largest);
  check_range("number of iterations", spec.iterations, 1, 1'000'000);
  check_range("compute time in ps", spec.compute.n, 0, never<Picos>.n / 1'000'000 / 4);
  check_range("control latency in ps", spec.control_latency.n, 0, never<Picos>.n / 1'000'000 / 4);
  check_range("number of attempts", spec.attempts, 2, 1'000'000);
  check_range("timeout in ms", spec.timeout.count(), 1, 1'000'000'000);
  check_range("chunk in bytes", spec.chunk.n, 0, largest);
  require(spec.payload == PayloadMode::none || spec.word_bytes % 4 == 0,
          "a word has " + std::to_string(spec.word_bytes) +
              " bytes; payload is fp32, so it should be a multiple of 4 (or payload \"none\")");
}

void check_shards(const JobSpec& spec) {
  std::vector<std::int64_t> covered(spec.blocks.size(), 0);
  for (const Shard& shard : spec.placement.shards) {
    const std::string name = "a shard of block " + std::to_string(shard.block);
    require(shard.block < spec.blocks.size(),
            name + " is placed, but there are " + std::to_string(spec.blocks.size()) + " blocks");
    check_node(name, shard.server, spec.ports);
    require(shard.size.n > 0, name + " has " + std::to_string(shard.size.n) + " bytes; it should have 1 or more");
    require(shard.offset.n == covered[shard.block], name + " begins at byte " + std::to_string(shard.offset.n) +
                                                        "; the block is covered up to byte " +
                                                        std::to_string(covered[shard.block]));
    covered[shard.block] += shard.size.n;
  }
  for (std::size_t b = 0; b < spec.blocks.size(); ++b)
    require(covered[b] == spec.blocks[b].size.n, "block " + std::to_string(b) + " has " +
                                                     std::to_string(spec.blocks[b].size.n) +
                                                     " bytes, but shards cover " + std::to_string(covered[b]));
}

/// Measured: below 512 KiB messages cost more than they save in cache. The limit keeps what all pairs of nodes may have
/// on their way within some 64 MiB where it can.
std::int64_t chunk_bytes(const JobSpec& spec, std::size_t pairs) {
  constexpr std::int64_t kibi = 1024, least = 64 * kibi, most = 512 * kibi, on_the_way = 64 * kibi * kibi;
  if (spec.chunk.n > 0) return spec.chunk.n;
  std::int64_t bytes = most;
  while (bytes > least && bytes * static_cast<std::int64_t>(pairs * PayloadPlane::window) > on_the_way) bytes /= 2;
  return bytes;
}

}  // namespace

NodeJob node_job_of(const JobSpec& spec) {
  check_numbers(spec);
  check_shards(spec);
  NodeJob job;
  job.workers = spec.workers;
  std::sort(job.workers.begin(), job.workers.end());
  require(!job.workers.empty(), "the job has no workers; it should have 1 or more");
  for (Node worker : job.workers) check_node("a worker", worker, spec.ports);
  const auto twice = std::adjacent_find(job.workers.begin(), job.workers.end());
  require(twice == job.workers.end(),
          "node " + std::to_string(twice == job.workers.end() ? 0 : index(*twice)) + " is a worker twice");

  std::map<Node, Served> servers;
  for (const Shard& shard : spec.placement.shards) {
    Served& served = servers.try_emplace(shard.server, Served{shard.server, {}, {}}).first->second;
    served.words += to_words(shard.size, spec.word_bytes);
    served.bytes += shard.size;
  }
  require(!servers.empty(), "the placement is empty; the job should have a parameter to synchronise");
  for (const auto& [node, served] : servers) job.servers.push_back(served);

  job.word_bytes = spec.word_bytes;
  job.iterations = static_cast<std::uint32_t>(spec.iterations);
  job.control_latency = spec.control_latency;
  job.attempts = spec.retransmit ? static_cast<std::uint32_t>(spec.attempts) : 1;
  job.payload = spec.payload;
  job.seed = spec.seed;
  const std::int64_t chunk = chunk_bytes(spec, job.workers.size() * job.servers.size());
  job.chunk = Words{std::max<std::int64_t>(1, chunk / spec.word_bytes)};
  return job;
}

}  // namespace ocs
