// Each is a rule from a block to the number of a server.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/simple_placers.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/splitmix.hpp"

namespace ocs {
namespace {

std::vector<Node> first_candidates(const Job& job) {
  std::vector<Node> servers(job.candidates.begin(), job.candidates.begin() + static_cast<std::ptrdiff_t>(job.servers));
  std::sort(servers.begin(), servers.end());
  return servers;
}

/// Places block k on servers[rule(k)].
template <class Rule>
Placement placed_by(const Job& job, std::vector<Node> servers, Rule rule) {
  Placement placement{std::move(servers), {}};
  for (std::uint32_t k = 0; k < job.blocks.size(); ++k)
    placement.shards.push_back({k, Bytes{0}, job.blocks[k].size, placement.servers[rule(k)]});
  return placement;
}

std::uint64_t djb2(const std::string& text) {
  std::uint64_t hash = 5381;
  for (const char c : text) hash = hash * 33 + static_cast<unsigned char>(c);
  return hash;
}

}  // namespace

Placement DefaultPlacer::place(const Job& job) const {
  check_job(job, "default");
  std::vector<std::int64_t> held(job.servers, 0);
  return placed_by(job, first_candidates(job), [&](std::uint32_t k) {
    const auto least = std::min_element(held.begin(), held.end());
    *least += job.blocks[k].size.n;
    return static_cast<std::size_t>(least - held.begin());
  });
}

Placement RoundRobinPlacer::place(const Job& job) const {
  check_job(job, "round_robin");
  return placed_by(job, first_candidates(job), [&](std::uint32_t k) { return k % job.servers; });
}

Placement BytepsPlacer::place(const Job& job) const {
  check_job(job, "byteps");
  std::map<std::uint32_t, std::uint64_t> parts;  // of each tensor, so far
  return placed_by(job, first_candidates(job), [&](std::uint32_t k) {
    const std::uint64_t tensor = job.blocks[k].tensor, part = parts[job.blocks[k].tensor]++;
    return djb2(std::to_string(65536 * tensor + part)) % job.servers;
  });
}

Placement RandomPlacer::place(const Job& job) const {
  check_job(job, "random");
  std::uint64_t state = job.seed;
  std::vector<Node> nodes = job.candidates;
  std::sort(nodes.begin(), nodes.end());
  for (std::size_t i = nodes.size(); i-- > 1;) std::swap(nodes[i], nodes[splitmix64(state) % (i + 1)]);
  nodes.resize(job.servers);
  std::sort(nodes.begin(), nodes.end());
  return placed_by(job, std::move(nodes), [&](std::uint32_t) { return splitmix64(state) % job.servers; });
}

}  // namespace ocs
