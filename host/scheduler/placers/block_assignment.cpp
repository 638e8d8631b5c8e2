// Constant time per block and server: only the in-port of the server and the out-ports of the slowest workers can
// become the heaviest.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/placers/block_assignment.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <tuple>
#include <utility>

#include "host/core/wide.hpp"
#include "host/scheduler/job_traffic.hpp"

namespace ocs {
namespace {

constexpr Wide bit_picos = 8'000'000'000'000;  // picoseconds a byte at 1 bit/s
constexpr Wide most_load = Wide{1} << 62;

Wide greatest_common_divisor(Wide a, Wide b) {
  while (b != 0) a = std::exchange(b, a % b);
  return a;
}

}  // namespace

BlockAssignment::BlockAssignment(const Job& job) : job_(job), delta_ticks_(delta_ticks(job)) {
  const auto rate = [&](Node node) { return job.rate_bps[index(node)]; };
  for (const std::vector<Node>* nodes : {&job.workers, &job.candidates})
    for (const Node node : *nodes) classes_.push_back({rate(node)});
  std::sort(classes_.begin(), classes_.end(), [](auto& a, auto& b) { return a.rate < b.rate; });
  classes_.erase(std::unique(classes_.begin(), classes_.end(), [](auto& a, auto& b) { return a.rate == b.rate; }),
                 classes_.end());
  class_of_.resize(job.rate_bps.size(), 0);
  for (const std::vector<Node>* nodes : {&job.workers, &job.candidates})
    for (const Node node : *nodes) {
      const auto found = std::partition_point(classes_.begin(), classes_.end(),
                                              [&](const RateClass& c) { return c.rate < rate(node); });
      class_of_[index(node)] = static_cast<std::size_t>(found - classes_.begin());
    }
  for (const Block& block : job.blocks) total_ += block.size.n;
  choose_scale();

  is_worker_.resize(job.rate_bps.size(), false);
  for (const Node worker : job.workers) {
    is_worker_[index(worker)] = true;
    ++classes_[class_of_[index(worker)]].workers;
  }
  in_port_.resize(job.rate_bps.size(), InPort{0, 0});
  for (const Node server : job.candidates)
    for (const Node worker : job.workers)
      if (worker != server) {
        InPort& port = in_port_[index(server)];
        ++port.flows;
        port.cost += classes_[pair_class(worker, server)].cost;
      }
  slowest_first_ = job.workers;
  std::sort(slowest_first_.begin(), slowest_first_.end(), [&](Node a, Node b) {
    return std::make_tuple(class_of_[index(a)], a) < std::make_tuple(class_of_[index(b)], b);
  });
  by_size_.resize(job.blocks.size());
  std::iota(by_size_.begin(), by_size_.end(), 0u);
  std::stable_sort(by_size_.begin(), by_size_.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return job.blocks[a].size > job.blocks[b].size; });
}

void BlockAssignment::choose_scale() {
  // Largest load in ticks: all flows of a port, each with all bytes at the slowest rate.
  // check_job() keeps it below 2^62.
  const auto flows = static_cast<std::int64_t>(std::max(job_.workers.size(), job_.servers));
  const Wide most_ticks = Wide{transfer_ticks({total_}, classes_.front().rate, job_.tick).n + delta_ticks_.n} * flows;
  const Wide room = most_load / std::max<Wide>(most_ticks, 1);
  Wide scale = 1;
  for (const RateClass& c : classes_) {
    const Wide unit = Wide{c.rate} * job_.tick.n, fraction = unit / greatest_common_divisor(bit_picos, unit);
    const Wide missing = fraction / greatest_common_divisor(scale, fraction);
    if (missing > room / scale) {  // no common measure: the finest power of two instead
      for (scale = 1; scale * 2 <= room && scale * 2 <= (Wide{1} << 40);) scale *= 2;
      break;
    }
    scale *= missing;
  }
  scale_ = static_cast<std::int64_t>(scale);
  delta_ = delta_ticks_.n * scale_;
  for (RateClass& c : classes_) c.cost = static_cast<std::int64_t>(bit_picos * scale / (Wide{c.rate} * job_.tick.n));
}

std::size_t BlockAssignment::pair_class(Node a, Node b) const {
  return std::min(class_of_[index(a)], class_of_[index(b)]);
}

Ticks BlockAssignment::transfer(std::size_t rate_class, std::int64_t bytes) const {
  return transfer_ticks({bytes}, classes_[rate_class].rate, job_.tick);
}

// A worker that is no server sends to every server at a rate that grows with its own; so the slowest such worker has
// the heaviest out-port of them, and servers that are workers as fast or faster send no more than it does.
std::vector<BlockAssignment::OutPort> BlockAssignment::out_ports(const std::vector<Node>& opened) const {
  std::vector<OutPort> outs;
  for (const Node worker : slowest_first_) {
    const bool serves = std::binary_search(opened.begin(), opened.end(), worker);
    const auto flows = static_cast<std::int64_t>(opened.size()) - (serves ? 1 : 0);
    OutPort port{worker, flows * delta_, {}};
    for (const Node server : opened)
      port.cost.push_back(server == worker ? 0 : classes_[pair_class(worker, server)].cost);
    outs.push_back(std::move(port));
    if (!serves) break;
  }
  return outs;
}

// How much each in-port could take without reaching the limit, were blocks divisible; and what the slowest worker that
// is no server sends at least.
bool BlockAssignment::hopeless(const std::vector<Node>& opened, const std::vector<OutPort>& outs,
                               std::int64_t limit) const {
  std::int64_t left = total_;
  for (const Node server : opened) {
    const InPort& port = in_port_[index(server)];
    const std::int64_t room = limit - 1 - port.flows * delta_;
    if (room < 0) return true;
    if (port.cost == 0) return false;
    left -= std::min(left, room / port.cost);
  }
  const OutPort& last = outs.back();
  const bool serves = std::binary_search(opened.begin(), opened.end(), last.worker);
  return left > 0 || (!serves && last.load + total_ * *std::min_element(last.cost.begin(), last.cost.end()) >= limit);
}

Ticks BlockAssignment::exact_bound(const std::vector<Node>& opened, const std::vector<OutPort>& outs,
                                   const std::vector<std::int64_t>& bytes) const {
  Ticks heaviest;
  for (std::size_t v = 0; v < opened.size(); ++v) {
    const std::size_t own = class_of_[index(opened[v])];
    Ticks load = delta_ticks_ * in_port_[index(opened[v])].flows;
    std::int64_t rest = in_port_[index(opened[v])].flows;  // workers as fast as the server or faster
    for (std::size_t c = 0; c < own; ++c)
      if (classes_[c].workers > 0) {
        load += transfer(c, bytes[v]) * classes_[c].workers;
        rest -= classes_[c].workers;
      }
    heaviest = std::max(heaviest, load + transfer(own, bytes[v]) * rest);
  }
  for (const OutPort& port : outs) {
    Ticks load;
    for (std::size_t v = 0; v < opened.size(); ++v)
      if (opened[v] != port.worker) load += delta_ticks_ + transfer(pair_class(port.worker, opened[v]), bytes[v]);
    heaviest = std::max(heaviest, load);
  }
  return heaviest;
}

std::optional<BlockAssignment::Result> BlockAssignment::assign(const std::vector<Node>& opened, Ticks limit) const {
  const std::size_t servers = opened.size();
  std::vector<OutPort> outs = out_ports(opened);
  const Wide wide_limit = std::min(Wide{limit.n} * scale_, Wide{std::numeric_limits<std::int64_t>::max()});
  const auto load_limit = static_cast<std::int64_t>(wide_limit);
  if (hopeless(opened, outs, load_limit)) return std::nullopt;

  std::vector<std::int64_t> in_load(servers), in_cost(servers), bytes(servers, 0);
  std::int64_t heaviest = 0;
  for (std::size_t v = 0; v < servers; ++v) {
    in_load[v] = in_port_[index(opened[v])].flows * delta_;
    in_cost[v] = in_port_[index(opened[v])].cost;
    heaviest = std::max(heaviest, in_load[v]);
  }
  for (const OutPort& port : outs) heaviest = std::max(heaviest, port.load);

  Result result{std::vector<Node>(job_.blocks.size()), {}};
  std::size_t remaining = job_.blocks.size(), empty = servers;
  for (const std::uint32_t k : by_size_) {
    const std::int64_t size = job_.blocks[k].size.n;
    const bool only_empty = remaining-- == empty;
    auto best = std::make_tuple(load_limit, std::int64_t{0}, servers);  // heaviest port, own in-port, place in `opened`
    for (std::size_t v = 0; v < servers; ++v) {
      if (only_empty && bytes[v] > 0) continue;
      const std::int64_t own = in_load[v] + in_cost[v] * size;
      std::int64_t after = std::max(heaviest, own);
      for (const OutPort& port : outs) after = std::max(after, port.load + port.cost[v] * size);
      best = std::min(best, std::make_tuple(after, own, v));
    }
    const std::size_t v = std::get<2>(best);
    if (v == servers) return std::nullopt;
    heaviest = std::get<0>(best);
    in_load[v] = std::get<1>(best);
    for (OutPort& port : outs) port.load += port.cost[v] * size;
    if (bytes[v] == 0) --empty;
    bytes[v] += size;
    result.server[k] = opened[v];
  }
  result.bound = exact_bound(opened, outs, bytes);
  if (result.bound >= limit) return std::nullopt;
  return result;
}

}  // namespace ocs
