// From a job's specification to what its nodes know: checks it and lays out each server's memory.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/node_job_of.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/core/catalogue.hpp"
#include "host/core/require.hpp"
#include "host/transport/wire.hpp"
#include "testbed/nodes/payload/payload_plane.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

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
  check_range("fusion in bytes", spec.slicing.fusion.n, 0, never<Bytes>.n);
  check_range("slice in bytes", spec.slicing.slice.n, 0, never<Bytes>.n);
  check_range("backward pass's denominator", spec.overlap.backward_den, 1, 1000);
  check_range("backward pass's numerator", spec.overlap.backward_num, 0, spec.overlap.backward_den);
  require(spec.slicing.slice.n == 0 || spec.slicing.slice >= spec.slicing.fusion,
          "the job's fusion is " + std::to_string(spec.slicing.fusion.n) + " bytes; it should be at most its slice, " +
              std::to_string(spec.slicing.slice.n));
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

}  // namespace

/// Measured: below 512 KiB messages cost more than they save in cache. The limit keeps what all pairs of nodes may have
/// on their way within some 64 MiB where it can.
std::int64_t chunk_bytes(std::size_t pairs) {
  constexpr std::int64_t kibi = 1024, least = 64 * kibi, most = 512 * kibi, on_the_way = 64 * kibi * kibi;
  std::int64_t bytes = most;
  while (bytes > least && bytes * static_cast<std::int64_t>(pairs * PayloadPlane::window) > on_the_way) bytes /= 2;
  return bytes;
}

namespace {

/// Shards of a server, in the order of their blocks.
struct Pieces {
  std::vector<Bytes> sizes;
  std::vector<std::uint32_t> tensors;
};

void slice(Served& served, const Pieces& pieces, const BackwardPass& pass, const JobSpec& spec) {
  Words first;
  for (const SlicedPieces& one : slices_of(pieces.sizes, spec.slicing, spec.word_bytes)) {
    const auto from = pieces.tensors.begin() + static_cast<std::ptrdiff_t>(one.first);
    const auto to = pieces.tensors.begin() + static_cast<std::ptrdiff_t>(one.last) + 1;
    const std::uint32_t tensor = *std::min_element(from, to);
    served.slices.push_back({first, one.words, one.bytes, pass.ahead(tensor),
                             spec.overlap.by_layer ? static_cast<std::int32_t>(tensor) : 0});
    first += one.words;
  }
}

/// Every server has the whole model in its layout, and owns some of its keys.
void own_by_keys(const JobSpec& spec, const BackwardPass& pass, std::map<Node, Served>& servers, NodeJob& job) {
  JobSpec keyed = spec;
  if (keyed.slicing == SliceRule{}) keyed.slicing.fusion = Bytes{1};  // each tensor by itself
  Pieces pieces;
  for (const Block& block : spec.blocks) {
    pieces.sizes.push_back(block.size);
    pieces.tensors.push_back(block.tensor);
  }
  std::vector<Bytes> sizes;
  Served whole;
  slice(whole, pieces, pass, keyed);
  for (const Slice& key : whole.slices) {
    whole.words += key.words;
    whole.bytes += key.bytes;
    sizes.push_back({key.words.n * spec.word_bytes});
  }
  require(sizes.size() * servers.size() <= static_cast<std::size_t>(NodeJob::most_slices),
          "the job has " + std::to_string(sizes.size()) + " keys and " + std::to_string(servers.size()) +
              " servers; their product should be " + std::to_string(NodeJob::most_slices) + " or less");
  const std::vector<std::int64_t> equal(servers.size(), 1);
  std::vector<Node> nodes;
  for (auto& [node, served] : servers) {
    whole.node = node;
    served = whole;
    nodes.push_back(node);
  }
  const Colocation colocation = colocation_of(job.workers, nodes);
  for (const std::uint16_t server : start_map({sizes, equal, &colocation})) job.owner.push_back(nodes.at(server));
}

/// Where each parameter lies: those of a block are behind those of the blocks before it.
void place_parameters(const JobSpec& spec, NodeJob& job) {
  require(spec.payload == PayloadMode::full, "the job's gradients are real; its payload should be full");
  std::vector<std::int64_t> first(spec.blocks.size() + 1, 0);  // parameter, of each block
  constexpr std::int64_t parameter = sizeof(float);
  for (std::size_t b = 0; b < spec.blocks.size(); ++b) {
    require(spec.blocks[b].size.n % parameter == 0, "block " + std::to_string(b) + " has " +
                                                        std::to_string(spec.blocks[b].size.n) +
                                                        " bytes; gradients are fp32, so it should be a multiple of 4");
    first[b + 1] = first[b] + spec.blocks[b].size.n / parameter;
  }
  check_range("number of parameters", first.back(), 1, std::int64_t{1} << 26);
  std::map<Node, Words> used;
  const auto place = [&](Served& served, std::uint32_t block, Bytes offset, Bytes size) {
    Words& words = used[served.node];
    served.pieces.push_back({words.n * spec.word_bytes / parameter,
                             static_cast<std::uint32_t>(first[block] + offset.n / parameter),
                             static_cast<std::uint32_t>(size.n / parameter)});
    words += to_words(size, spec.word_bytes);
  };
  if (job.by_keys()) {
    for (Served& served : job.servers)
      for (std::uint32_t b = 0; b < spec.blocks.size(); ++b) place(served, b, Bytes{0}, spec.blocks[b].size);
  } else {
    for (const Shard& shard : spec.placement.shards)
      place(*std::find_if(job.servers.begin(), job.servers.end(),
                          [&](const Served& each) { return each.node == shard.server; }),
            shard.block, shard.offset, shard.size);
  }
  job.learning = spec.learning;
  if (const std::uint32_t batch = first_batch(scheme_of(spec), spec.sync_settings); batch > 0)
    job.learning->batch = batch;
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
  std::map<Node, Pieces> pieces;
  for (const Shard& shard : spec.placement.shards) {
    Served& served = servers.try_emplace(shard.server, Served{shard.server, {}, {}, {}}).first->second;
    served.words += to_words(shard.size, spec.word_bytes);
    served.bytes += shard.size;
    Pieces& of_server = pieces[shard.server];
    of_server.sizes.push_back(shard.size);
    of_server.tensors.push_back(spec.blocks[shard.block].tensor);
  }
  require(!servers.empty(), "the placement is empty; the job should have a parameter to synchronise");
  const BackwardPass pass(spec.blocks, spec.overlap);
  job.ahead_of = pass.of();
  if (spec.load) own_by_keys(spec, pass, servers, job);
  for (auto& [node, served] : servers) {
    if (!spec.load) slice(served, pieces.at(node), pass, spec);
    job.servers.push_back(served);
  }
  require(job.transfers() <= static_cast<std::size_t>(NodeJob::most_slices),
          "the job has " + std::to_string(job.transfers()) + " slices; it should have " +
              std::to_string(NodeJob::most_slices) + " or fewer: fuse more, or cut less");

  job.word_bytes = spec.word_bytes;
  job.iterations = static_cast<std::uint32_t>(spec.iterations);
  job.control_latency = spec.control_latency;
  job.attempts = spec.retransmit ? spec.attempts : 1;
  job.payload = spec.payload;
  job.seed = spec.seed;
  const std::int64_t chunk = spec.chunk.n > 0 ? spec.chunk.n : chunk_bytes(job.workers.size() * job.servers.size());
  job.chunk = Words{std::max<std::int64_t>(1, chunk / spec.word_bytes)};
  if (spec.learning) place_parameters(spec, job);
  return job;
}

}  // namespace ocs
