// Every flow that can start does so, in the order of the list.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/multicast_list.hpp"

#include <algorithm>
#include <array>
#include <queue>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

#include "host/core/error.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/demand.hpp"

namespace ocs {
namespace {

constexpr std::string_view name = "multicast_list";

/// The set-up time of the circuit to all its outputs.
Ticks set_up(const Problem& problem, const Flow& flow) {
  return ocs::set_up(problem, Reservation{flow.id, {}, flow.in, flow.outs, {}, {}, {}, {}, flow.word});
}

/// The given flows without those that are empty or go to their own node. @throws Error (input)
std::vector<Flow> checked_flows(const Problem& problem) {
  check_problem(problem, name, {.running = true, .priorities = true, .multicast = true});
  std::vector<Flow> flows;
  std::int64_t end = problem.now.n;  // of a schedule that carries one after the other
  for (const EstablishedCircuit& circuit : problem.up) end = std::max(end, circuit.free_at.n);
  for (Flow flow : problem.flows) {
    flow.outs.reset(index(flow.in));
    if (flow.outs.none() || flow.length.n == 0) continue;
    if (__builtin_add_overflow(end, flow.length.n, &end) ||
        __builtin_add_overflow(end, std::max(set_up(problem, flow), problem.reuse).n, &end))
      refuse("the flows and their set-ups together last longer than 2^63 ticks; use a coarser tick");
    flows.push_back(flow);
  }
  return flows;
}

/// Circuits that are up, which may go to several outputs.
void check_up(const Problem& problem) {
  const auto ports = static_cast<std::size_t>(problem.ports);
  Outputs ins, outs;
  for (const EstablishedCircuit& circuit : problem.up) {
    const std::string of_input = "the circuit of input " + std::to_string(index(circuit.in)) + " that is up ";
    if (index(circuit.plane) != 0) refuse(std::string(name) + " cannot plan with circuits of another plane than 0");
    if (circuit.outs.none()) refuse(of_input + "has no output");
    if (index(circuit.in) >= ports || (circuit.outs >> ports).any())
      refuse(of_input + "lies outside the " + std::to_string(ports) + " ports of the problem");
    if (ins.test(index(circuit.in)) || (outs & circuit.outs).any())
      refuse(of_input + "shares a port with another one that is up");
    ins.set(index(circuit.in));
    outs |= circuit.outs;
  }
}

/// Ports and established circuits while the plan is made.
class MulticastPortSchedule {
 public:
  explicit MulticastPortSchedule(const Problem& problem)
      : problem_(problem), outs_(max_ports), source_(max_ports, none) {
    for (const EstablishedCircuit& circuit : problem.up) {
      outs_[index(circuit.in)] = circuit.outs;
      for_each_output(circuit.outs, [&](std::size_t out) { source_[out] = index(circuit.in); });
      if (circuit.free_at > problem.now) take(index(circuit.in), circuit.outs, circuit.free_at);
    }
  }

  bool free(const Flow& flow) const { return !ins_taken_.test(index(flow.in)) && (outs_taken_ & flow.outs).none(); }

  /// What it costs to begin now.
  Ticks cost(const Flow& flow) const {
    const Ticks full = set_up(problem_, flow);
    return outs_[index(flow.in)] == flow.outs ? std::min(problem_.reuse, full) : full;
  }

  void start(const Flow& flow, Ticks now, Plan& plan) {
    const std::size_t in = index(flow.in);
    const Ticks up = now + cost(flow), end = up + flow.length;
    plan.list.push_back({flow.id, {}, flow.in, flow.outs, now, up, end, Ticks{0}, flow.word});
    for_each_output(outs_[in], [&](std::size_t out) { source_[out] = none; });
    for_each_output(flow.outs, [&](std::size_t out) {
      if (source_[out] != none) leave(source_[out]);
      source_[out] = in;
    });
    outs_[in] = flow.outs;
    take(in, flow.outs, end);
  }

  /// Frees all that ends next. @returns when; never if nothing is taken
  Ticks free_next() {
    if (ends_.empty()) return never<Ticks>;
    const Ticks now = std::get<0>(ends_.top());
    for (; !ends_.empty() && std::get<0>(ends_.top()) == now; ends_.pop()) {
      const std::size_t in = std::get<1>(ends_.top());
      ins_taken_.reset(in);
      outs_taken_ &= ~taken_[in];
    }
    return now;
  }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  void take(std::size_t in, const Outputs& outs, Ticks until) {
    ins_taken_.set(in);
    outs_taken_ |= outs;
    taken_[in] = outs;
    ends_.emplace(until, in);
  }
  /// An input that loses one of its outputs keeps no circuit.
  void leave(std::size_t in) {
    for_each_output(outs_[in], [&](std::size_t out) { source_[out] = none; });
    outs_[in].reset();
  }

  const Problem& problem_;
  std::vector<Outputs> outs_;        ///< of each input: what it is joined to
  std::vector<std::size_t> source_;  ///< of each output
  std::array<Outputs, max_ports> taken_{};
  Outputs ins_taken_, outs_taken_;
  std::priority_queue<std::pair<Ticks, std::size_t>, std::vector<std::pair<Ticks, std::size_t>>, std::greater<>> ends_;
};

/// How many outputs still wait for each input, and how many flows for each output.
class Waits {
 public:
  explicit Waits(const std::vector<Flow>& waiting) {
    for (const Flow& flow : waiting) {
      of_input_[index(flow.in)] += flow.outs.count();
      for_each_output(flow.outs, [&](std::size_t out) { ++of_output_[out]; });
    }
  }
  /// Smaller goes first.
  auto place_of(const Flow& flow) const {
    std::size_t most = 0;
    for_each_output(flow.outs, [&](std::size_t out) { most = std::max(most, of_output_[out]); });
    return std::tuple(flow.priority, -static_cast<std::int64_t>(of_input_[index(flow.in)]), flow.in,
                      -static_cast<std::int64_t>(most), flow.outs._Find_first());
  }

 private:
  std::array<std::size_t, max_ports> of_input_{}, of_output_{};
};

/// The longest load of a port.
Ticks multicast_bound_of(const Problem& problem, const std::vector<Flow>& flows) {
  if (std::all_of(problem.flows.begin(), problem.flows.end(),
                  [](const Flow& flow) { return flow.outs.count() == 1; }) &&
      std::all_of(problem.up.begin(), problem.up.end(),
                  [](const EstablishedCircuit& c) { return c.outs.count() == 1; }))
    return port_bound(problem);
  std::vector<Ticks> load(2 * max_ports);
  for (const Flow& flow : flows) {
    const auto up = std::find_if(problem.up.begin(), problem.up.end(), [&](const EstablishedCircuit& circuit) {
      return circuit.in == flow.in && circuit.outs == flow.outs;
    });
    const Ticks full = set_up(problem, flow);
    // A flow may follow another one to the same outputs without a set-up.
    const bool again = up != problem.up.end() || std::any_of(flows.begin(), flows.end(), [&](const Flow& other) {
                         return &other < &flow && other.in == flow.in && other.outs == flow.outs;
                       });
    const Ticks cost = flow.length + (again ? std::min(problem.reuse, full) : full);
    load[index(flow.in)] += cost;
    for_each_output(flow.outs, [&](std::size_t out) { load[max_ports + out] += cost; });
  }
  return *std::max_element(load.begin(), load.end());
}

}  // namespace

Plan MulticastList::plan(const Problem& problem) const {
  std::vector<Flow> waiting = checked_flows(problem);
  check_up(problem);
  Plan plan;
  plan.bound = multicast_bound_of(problem, waiting);
  MulticastPortSchedule port_schedule(problem);
  for (Ticks now = problem.now; !waiting.empty(); now = port_schedule.free_next()) {
    const Waits waits(waiting);
    std::vector<const Flow*> free;
    for (const Flow& flow : waiting)
      if (port_schedule.free(flow)) free.push_back(&flow);
    std::stable_sort(free.begin(), free.end(),
                     [&](const Flow* a, const Flow* b) { return waits.place_of(*a) < waits.place_of(*b); });
    std::set<Id> started;
    for (const Flow* flow : free)
      if (port_schedule.free(*flow)) port_schedule.start(*flow, now, plan), started.insert(flow->id);
    std::erase_if(waiting, [&](const Flow& flow) { return started.contains(flow.id); });
  }
  return plan;
}

}  // namespace ocs
