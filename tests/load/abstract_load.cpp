// Server load as a formula.
// SPDX-License-Identifier: Apache-2.0
#include "tests/load/abstract_load.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "tests/common/wire_time.hpp"

namespace ocs::abstract {
namespace {

using test::wire_ns;

/// The time of a migration when nothing else is under way: the longest of the servers' times to take and to send.
std::int64_t migration_ns(std::span<const KeyMove> moves, const LoadProblem& problem) {
  std::vector<Bytes> in(problem.rates.size()), out(problem.rates.size());
  for (const KeyMove& move : moves) {
    in.at(move.to) += problem.keys[move.key];
    out.at(move.from) += problem.keys[move.key];
  }
  std::int64_t longest = 0;
  for (std::size_t s = 0; s < problem.rates.size(); ++s)
    longest = std::max({longest, wire_ns(in[s], problem.rates[s]), wire_ns(out[s], problem.rates[s])});
  return longest;
}

}  // namespace

LoadOutput run_load(const LoadInput& input) {
  LoadOutput output;
  const std::size_t servers = input.rates.front().size();
  LoadSettings settings = input.settings;
  settings.adaptive = input.policy == LoadPolicy::adaptive;
  std::int64_t nominal = input.nominal_bps;
  for (const std::vector<std::int64_t>& rates : input.rates)
    if (input.nominal_bps == 0) nominal = std::max(nominal, *std::max_element(rates.begin(), rates.end()));
  LoadBalancer balancer(input.keys, servers, nominal, settings);
  output.map = balancer.map();
  for (const std::vector<std::int64_t>& rates : input.rates) {
    const LoadProblem problem{input.keys, rates};
    if (input.policy == LoadPolicy::oracle) output.map.owner = start_map(problem);
    const std::vector<Bytes> loads = loads_of(input.keys, output.map.owner, servers);
    std::int64_t longest = 0;
    for (std::size_t s = 0; s < servers; ++s) longest = std::max(longest, wire_ns(loads[s], rates[s]));
    output.starts_ns.push_back(output.total_ns);
    output.iterations_ns.push_back(input.compute_ns + 2 * input.workers * longest);
    output.total_ns += output.iterations_ns.back();
    for (std::size_t s = 0; s < servers; ++s) balancer.monitor().saw_rate(s, rates[s]);
    const auto remap = balancer.decide();
    if (!remap) continue;
    output.total_ns += migration_ns(remap->moves, problem);
    output.bytes_moved += remap->moved.n;
    output.map = remap->map;
  }
  return output;
}

std::vector<std::vector<std::int64_t>> moving_slow_server(std::size_t servers, std::size_t iterations,
                                                          std::int64_t nominal_bps, std::int64_t slow_bps,
                                                          std::size_t hold) {
  std::vector<std::vector<std::int64_t>> rates(iterations, std::vector<std::int64_t>(servers, nominal_bps));
  for (std::size_t k = 0; k < iterations; ++k) rates[k][k / hold % servers] = slow_bps;
  return rates;
}

}  // namespace ocs::abstract
