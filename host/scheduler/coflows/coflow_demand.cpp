// Groups flows by coflow and pair, adds up what is left, and sorts the coflows.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/coflows/coflow_demand.hpp"

#include <algorithm>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_ticks = std::int64_t{1} << 62;

/// Sums of loads at ports, as far as they are used.
class Loads {
 public:
  explicit Loads(int ports) : ports_(static_cast<std::size_t>(ports)), load_(2 * ports_, 0) {}
  void add(std::uint16_t in, std::uint16_t out, std::int64_t cost) {
    for (const std::size_t port : {std::size_t{in}, ports_ + out}) {
      if (load_[port] == 0) used_.push_back(port);
      load_[port] += cost;
      most_ = std::max(most_, load_[port]);
    }
  }
  /// The same for ports that have a load already.
  void delay(std::uint16_t in, std::uint16_t out, std::int64_t by) {
    for (const std::size_t port : {std::size_t{in}, ports_ + out})
      if (load_[port] > 0) most_ = std::max(most_, load_[port] += by);
  }
  /// @returns the largest; all are 0 again.
  std::int64_t take() {
    for (const std::size_t port : used_) load_[port] = 0;
    used_.clear();
    return std::exchange(most_, 0);
  }

 private:
  std::size_t ports_;
  std::vector<std::int64_t> load_;
  std::vector<std::size_t> used_;
  std::int64_t most_ = 0;
};

/// Numbers of the flows that need a circuit, by (coflow, input, output), those of one pair as given.
std::vector<std::uint32_t> grouped(const std::vector<Flow>& flows) {
  std::vector<std::uint32_t> order;
  order.reserve(flows.size());
  for (std::uint32_t n = 0; n < flows.size(); ++n)
    if (flows[n].length.n > 0 && index(flows[n].in) != single_output(flows[n].outs)) order.push_back(n);
  const auto before = [&](std::uint32_t a, std::uint32_t b) {
    const Flow &p = flows[a], &q = flows[b];
    if (p.coflow != q.coflow) return p.coflow < q.coflow;
    if (p.in != q.in) return p.in < q.in;
    return single_output(p.outs) < single_output(q.outs);
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) std::stable_sort(order.begin(), order.end(), before);
  return order;
}

void refuse_sums(const Problem& problem) {
  std::int64_t sum = problem.now.n;
  for (const EstablishedCircuit& circuit : problem.up) sum = std::max(sum, circuit.free_at.n);
  const std::int64_t longest = problem.pair_delta.empty()
                                   ? problem.delta.n
                                   : std::max_element(problem.pair_delta.begin(), problem.pair_delta.end())->n;
  // Once those before it have ended, a coflow takes no longer than the sum of its own flows and set-ups.
  bool beyond = sum > most_ticks || longest > most_ticks;
  for (const Flow& flow : problem.flows)
    beyond = beyond || flow.length.n > most_ticks - longest || (sum += flow.length.n + longest) > most_ticks;
  if (beyond)
    throw Error(ErrorKind::input,
                "the flows and their set-ups together last longer than 2^62 ticks; use a coarser tick");
}

void merge_flows(const Problem& problem, CoflowDemand& demand) {
  Loads loads(demand.ports);
  for (const std::uint32_t n : grouped(problem.flows)) {
    const Flow& flow = problem.flows[n];
    const std::uint16_t in = index(flow.in), out = single_output(flow.outs);
    const bool new_coflow = demand.coflows.empty() || demand.coflows.back().coflow != flow.coflow;
    if (new_coflow) {
      if (!demand.coflows.empty()) demand.coflows.back().left = loads.take();
      const auto first = static_cast<std::uint32_t>(demand.pairs.size());
      demand.coflows.push_back({flow.coflow, flow.priority, flow.release.n, 0, 0, first, first});
    }
    CoflowShare& coflow = demand.coflows.back();
    coflow.priority = std::min(coflow.priority, flow.priority);
    coflow.release = std::min(coflow.release, flow.release.n);
    const bool new_pair = new_coflow || demand.pairs.back().in != in || demand.pairs.back().out != out;
    if (new_pair || demand.reuse > 0) {  // the next flow of a pair has its start to pay for, too
      demand.pairs.push_back({in, out, static_cast<std::uint32_t>(demand.parts.size()), 0, 0});
      const std::int64_t set_up = demand.set_up(demand.pairs.back());
      loads.add(in, out, new_pair ? set_up : std::min(demand.reuse, set_up));
      ++coflow.last;
    }
    demand.pairs.back().length += flow.length.n;
    ++demand.pairs.back().part_count;
    demand.parts.push_back({flow.id, flow.length.n});
    loads.add(in, out, flow.length.n);
  }
  if (!demand.coflows.empty()) demand.coflows.back().left = loads.take();
}

/// A circuit serves all coflows of its pair: its set-up counts once.
std::int64_t bound_of(const CoflowDemand& demand) {
  Loads loads(demand.ports);
  const auto ports = static_cast<std::size_t>(demand.ports);
  std::vector<bool> seen(ports * ports, false);
  for (const PairDemand& pair : demand.pairs) {
    const std::size_t place = pair.in * ports + pair.out;
    const std::int64_t set_up = demand.set_up(pair);
    const std::int64_t first = demand.up[pair.in] == pair.out ? std::min(demand.reuse, set_up) : set_up;
    loads.add(pair.in, pair.out, pair.length + (seen[place] ? 0 : first));
    seen[place] = true;
  }
  for (const BusyCircuit& busy : demand.busy) loads.delay(busy.in, busy.out, busy.until - demand.origin);
  return loads.take();
}

}  // namespace

CoflowDemand read_coflows(const Problem& problem, std::string_view who, Sharing sharing) {
  constexpr Accepts accepts{.running = true, .priorities = true};
  check_problem(problem, who, accepts);
  refuse_sums(problem);
  CoflowDemand demand{.ports = problem.ports,
                      .origin = problem.now.n,
                      .delta = problem.delta.n,
                      .reuse = problem.reuse.n,
                      .horizon = problem.horizon.n,
                      .pair_delta = {},
                      .coflows = {},
                      .pairs = {},
                      .parts = {},
                      .up = read_up(problem, who, accepts),
                      .busy = read_busy(problem),
                      .bound = 0};
  for (const Ticks delta : problem.pair_delta) demand.pair_delta.push_back(delta.n);
  merge_flows(problem, demand);
  demand.bound = bound_of(demand);
  std::unordered_map<std::uint32_t, std::int64_t> served;
  for (const Attained& each : problem.attained) served[index(each.coflow)] = each.served.n;
  for (CoflowShare& coflow : demand.coflows)
    if (const auto found = served.find(index(coflow.coflow)); found != served.end()) coflow.served = found->second;
  const auto rank = [&](const CoflowShare& c) {
    const std::int64_t share = sharing == Sharing::shortest ? c.left : sharing == Sharing::least_served ? c.served : 0;
    return std::tuple(c.priority, share, c.release, index(c.coflow));
  };
  std::sort(demand.coflows.begin(), demand.coflows.end(),
            [&](const CoflowShare& a, const CoflowShare& b) { return rank(a) < rank(b); });
  return demand;
}

}  // namespace ocs
