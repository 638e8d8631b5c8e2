// Exact integer traffic of a placement.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/job_traffic.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

using std::to_string;

Wide wide_transfer_ticks(Bytes size, std::int64_t bps, Picos tick) {
  const Wide unit = Wide{bps} * tick.n;
  return (Wide{size.n} * 8'000'000'000'000 + unit - 1) / unit;
}

void check_nodes(const Job& job, const std::vector<Node>& nodes, const char* what) {
  std::vector<bool> named(job.rate_bps.size(), false);
  for (const Node node : nodes) {
    const std::size_t v = index(node);
    if (v >= named.size())
      refuse(std::string("the job names node ") + to_string(v) + " as a " + what + " but gives the rates of " +
             to_string(named.size()) + " nodes only");
    if (named[v]) refuse("the job names node " + to_string(v) + " twice as a " + what);
    if (job.rate_bps[v] < 1)
      refuse("node " + to_string(v) + " has a rate of " + to_string(job.rate_bps[v]) + " bit/s; it must be positive");
    named[v] = true;
  }
}

std::int64_t total_size(const Job& job) {
  std::int64_t total = 0;
  for (std::size_t k = 0; k < job.blocks.size(); ++k) {
    if (job.blocks[k].size.n < 1)
      refuse("block " + to_string(k) + " has " + to_string(job.blocks[k].size.n) + " bytes; it must have at least 1");
    if (__builtin_add_overflow(total, job.blocks[k].size.n, &total))
      refuse("the blocks of the job together have more than 2^63 bytes");
  }
  return total;
}

/// Bytes that each server holds, by node. There are many more shards than servers.
std::vector<std::pair<Node, Bytes>> held(const Placement& placement) {
  constexpr std::size_t none = ~std::size_t{0};
  std::vector<std::size_t> place;  // of each node
  std::vector<std::pair<Node, Bytes>> all;
  for (const Shard& shard : placement.shards) {
    const std::size_t node = index(shard.server);
    if (place.size() <= node) place.resize(node + 1, none);
    if (place[node] == none) {
      place[node] = all.size();
      all.emplace_back(shard.server, Bytes{0});
    }
    all[place[node]].second += shard.size;
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  return all;
}

std::int64_t pair_rate(const Job& job, Node a, Node b) {
  return std::min(job.rate_bps.at(index(a)), job.rate_bps.at(index(b)));
}

void append_flow(std::vector<Flow>& flows, const Job& job, Node from, Node to, Bytes size) {
  const std::int64_t rate = pair_rate(job, from, to);
  const Ticks length = transfer_ticks(size, rate, job.tick);
  if (length.n == 0) return;
  Flow flow{Id{static_cast<std::uint32_t>(flows.size())}, Id{0}, Input{index(from)}, {}, length, Ticks{0}};
  if (job.word.n > 0) flow.word = transfer_ticks(job.word, rate, job.tick);
  flow.outs.set(index(to));
  flows.push_back(flow);
}

}  // namespace

void check_job(const Job& job, std::string_view who) {
  const std::string name(who);
  if (job.workers.empty()) refuse(name + " cannot place a job without workers");
  if (job.servers < 1) refuse(name + " cannot place 0 servers; a job needs at least 1");
  if (job.servers > job.candidates.size())
    refuse(name + " cannot place " + to_string(job.servers) + " servers on " + to_string(job.candidates.size()) +
           " candidate nodes; name more nodes or fewer servers");
  if (job.servers > job.blocks.size())
    refuse(name + " cannot give each of " + to_string(job.servers) + " servers a block; the job has " +
           to_string(job.blocks.size()) + " blocks");
  if (job.delta.n < 0) refuse("the reconfiguration delay is " + to_string(job.delta.n) + " ps; it must be 0 or more");
  if (job.tick.n < 1) refuse("the tick is " + to_string(job.tick.n) + " ps; it must be positive");
  check_nodes(job, job.workers, "worker");
  check_nodes(job, job.candidates, "candidate");
  const std::int64_t total = total_size(job);
  std::int64_t slowest = std::numeric_limits<std::int64_t>::max();
  for (const std::vector<Node>* nodes : {&job.workers, &job.candidates})
    for (const Node node : *nodes) slowest = std::min(slowest, job.rate_bps[index(node)]);
  const Wide flow = wide_transfer_ticks({total}, slowest, job.tick) + delta_ticks(job).n;
  const auto flows = static_cast<std::int64_t>(std::max(job.workers.size(), job.servers));
  if (flow > (Wide{1} << 62) / flows)
    refuse("synchronising " + to_string(total) + " bytes at " + to_string(slowest) +
           " bit/s takes more than 2^62 ticks");
}

Ticks transfer_ticks(Bytes size, std::int64_t bps, Picos tick) {
  const Wide ticks = wide_transfer_ticks(size, bps, tick);
  if (ticks > std::numeric_limits<std::int64_t>::max())
    refuse(to_string(size.n) + " bytes at " + to_string(bps) + " bit/s take more than 2^63 ticks of " +
           to_string(tick.n) + " ps");
  return {static_cast<std::int64_t>(ticks)};
}

Ticks delta_ticks(const Job& job) { return {divide_up(job.delta.n, job.tick.n)}; }

std::vector<Flow> push_flows(const Job& job, const Placement& placement) {
  std::vector<Node> workers = job.workers;
  std::sort(workers.begin(), workers.end());
  const auto servers = held(placement);
  std::vector<Flow> flows;
  flows.reserve(workers.size() * servers.size());
  for (const Node worker : workers)
    for (const auto& [server, bytes] : servers)
      if (server != worker) append_flow(flows, job, worker, server, bytes);
  return flows;
}

std::vector<Flow> pull_flows(const Job& job, const Placement& placement) {
  std::vector<Node> workers = job.workers;
  std::sort(workers.begin(), workers.end());
  std::vector<Flow> flows;
  const auto servers = held(placement);
  flows.reserve(workers.size() * servers.size());
  for (const auto& [server, bytes] : servers)
    for (const Node worker : workers)
      if (server != worker) append_flow(flows, job, server, worker, bytes);
  return flows;
}

Ticks placement_bound(const Job& job, const Placement& placement) {
  std::map<Input, Ticks> out_port;
  std::map<std::size_t, Ticks> in_port;
  Ticks heaviest;
  for (const Flow& flow : push_flows(job, placement)) {
    const Ticks cost = delta_ticks(job) + flow.length;
    heaviest = std::max({heaviest, out_port[flow.in] += cost, in_port[flow.outs._Find_first()] += cost});
  }
  return heaviest;
}

}  // namespace ocs
