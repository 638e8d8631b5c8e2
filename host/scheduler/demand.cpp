// Checking and merging: from a Problem to the pairs that need a circuit.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/demand.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using std::to_string;

void refuse_if(bool unsupported, std::string_view who, const char* what) {
  if (unsupported) refuse(std::string(who) + " cannot plan " + what);
}

std::string flow_name(const Flow& flow) { return "flow " + to_string(index(flow.id)); }

void check_fabric(const Problem& problem, std::string_view who, Accepts accepts) {
  if (problem.ports < 1 || problem.ports > static_cast<int>(max_ports))
    refuse("the problem has " + to_string(problem.ports) + " ports; a switch has 1 to " + to_string(max_ports));
  if (problem.now.n < 0) refuse("the problem starts at " + to_string(problem.now.n) + "; time starts at 0");
  if (problem.delta.n < 0) refuse("the set-up time is " + to_string(problem.delta.n) + "; it must be 0 or more");
  if (problem.reuse.n < 0)
    refuse("an established circuit costs " + to_string(problem.reuse.n) + "; it must be 0 or more");
  refuse_if(problem.reuse.n > 0 && !accepts.running, who, "with circuits that cost time although they are up");
  refuse_if(problem.planes != 1, who, "for several planes; give it a problem of one plane");
  const auto pairs = static_cast<std::size_t>(problem.ports) * static_cast<std::size_t>(problem.ports);
  if (!problem.pair_delta.empty() && problem.pair_delta.size() != pairs)
    refuse("the problem has " + to_string(problem.pair_delta.size()) + " set-up times of pairs; it must have none or " +
           to_string(pairs));
  for (const Ticks delta : problem.pair_delta)
    if (delta.n < 0) refuse("the set-up time of a pair is " + to_string(delta.n) + "; it must be 0 or more");
  refuse_if(problem.all_stop && !accepts.all_stop, who, "for an all-stop switch; use rotation_allstop");
  refuse_if(!problem.dead_in.empty() || !problem.dead_out.empty(), who, "around dead ports");
}

void check_flow(const Problem& problem, const Flow& flow, std::string_view who, Accepts accepts) {
  const auto ports = static_cast<std::size_t>(problem.ports);
  if (flow.outs.none()) refuse(flow_name(flow) + " has no output");
  refuse_if(flow.outs.count() > 1 && !accepts.multicast, who, "multicast flows");
  if (index(flow.in) >= ports || (flow.outs >> ports).any())
    refuse(flow_name(flow) + " joins input " + to_string(index(flow.in)) + " to output " +
           to_string(single_output(flow.outs)) + ", but the problem has " + to_string(ports) + " ports");
  if (flow.length.n < 0) refuse(flow_name(flow) + " has a negative length of " + to_string(flow.length.n));
  refuse_if(flow.release > problem.now, who, "flows that are released later; ask again when they are");
  refuse_if(flow.priority != problem.flows.front().priority && !accepts.priorities, who,
            "flows of different priorities");
}

void check_ids(const std::vector<Flow>& flows) {
  std::vector<Id> ids;
  ids.reserve(flows.size());
  for (const Flow& flow : flows) ids.push_back(flow.id);
  if (!std::is_sorted(ids.begin(), ids.end())) std::sort(ids.begin(), ids.end());
  const auto twice = std::adjacent_find(ids.begin(), ids.end());
  if (twice != ids.end()) refuse("two flows have the number " + to_string(index(*twice)) + "; each needs its own");
}

}  // namespace

std::vector<std::int16_t> read_up(const Problem& problem, std::string_view who, Accepts accepts) {
  const auto ports = static_cast<std::size_t>(problem.ports);
  std::vector<std::int16_t> up(ports, -1);
  std::vector<bool> taken(ports, false);
  for (const EstablishedCircuit& circuit : problem.up) {
    const std::size_t in = index(circuit.in);
    refuse_if(index(circuit.plane) != 0, who, "with circuits of another plane than 0");
    refuse_if(circuit.outs.count() > 1, who, "with multicast circuits that are up");
    refuse_if(circuit.free_at > problem.now && !accepts.running, who,
              "with circuits that are still busy; ask again when they are free");
    if (circuit.outs.none()) refuse("the circuit of input " + to_string(in) + " that is up has no output");
    const std::size_t out = single_output(circuit.outs);
    if (in >= ports || out >= ports)
      refuse("the circuit " + to_string(in) + " -> " + to_string(out) + " that is up lies outside the " +
             to_string(ports) + " ports of the problem");
    if (up[in] >= 0 || taken[out])
      refuse("the circuit " + to_string(in) + " -> " + to_string(out) +
             " that is up shares a port with another one that is up");
    up[in] = static_cast<std::int16_t>(out);
    taken[out] = true;
  }
  return up;
}

std::vector<BusyCircuit> read_busy(const Problem& problem) {
  std::vector<BusyCircuit> busy;
  for (const EstablishedCircuit& circuit : problem.up)
    if (circuit.free_at > problem.now)
      busy.push_back({index(circuit.in), single_output(circuit.outs), circuit.free_at.n});
  std::sort(busy.begin(), busy.end(), [](const BusyCircuit& a, const BusyCircuit& b) { return a.in < b.in; });
  return busy;
}

namespace {

/// Sets up pairs and parts from the flows that need a circuit.
void merge(const Problem& problem, Demand& demand) {
  const auto ports = static_cast<std::size_t>(problem.ports);
  const auto local = [](const Flow& flow) { return index(flow.in) == single_output(flow.outs); };
  constexpr std::uint32_t none = ~std::uint32_t{0};
  std::vector<std::uint32_t> pair_at(ports * ports, none);
  std::int64_t end = demand.origin;  // of a schedule that carries one flow after the other
  for (const BusyCircuit& busy : demand.busy) end = std::max(end, busy.until);
  const auto lengthen = [&end](std::int64_t by) {
    if (__builtin_add_overflow(end, by, &end))
      refuse("the flows and their set-ups together last longer than 2^63 ticks; use a coarser tick");
  };
  for (const Flow& flow : problem.flows) {
    if (local(flow) || flow.length.n == 0) continue;
    const std::uint16_t in = index(flow.in), out = single_output(flow.outs);
    std::uint32_t& at = pair_at[in * ports + out];
    lengthen(flow.length.n);
    lengthen(demand.reuse);
    if (at == none) {
      at = static_cast<std::uint32_t>(demand.pairs.size());
      demand.pairs.push_back({in, out, 0, 0, 0});
      lengthen(demand.set_up(demand.pairs.back()));
    }
    demand.pairs[at].length += flow.length.n;
    ++demand.pairs[at].part_count;
  }
  std::uint32_t parts = 0;
  for (PairDemand& pair : demand.pairs) {
    pair.first_part = parts;
    parts += std::exchange(pair.part_count, 0);
  }
  demand.parts.resize(parts);
  for (const Flow& flow : problem.flows) {
    if (local(flow) || flow.length.n == 0) continue;
    PairDemand& pair = demand.pairs[pair_at[index(flow.in) * ports + single_output(flow.outs)]];
    demand.parts[pair.first_part + pair.part_count++] = {flow.id, flow.length.n};
  }
}

}  // namespace

std::uint16_t single_output(const Outputs& outs) { return static_cast<std::uint16_t>(outs._Find_first()); }

void check_problem(const Problem& problem, std::string_view who, Accepts accepts) {
  check_fabric(problem, who, accepts);
  for (const Flow& flow : problem.flows) check_flow(problem, flow, who, accepts);
  check_ids(problem.flows);
}

Demand read_demand(const Problem& problem, std::string_view who, Accepts accepts) {
  check_problem(problem, who, accepts);
  Demand demand{.ports = problem.ports,
                .origin = problem.now.n,
                .delta = problem.delta.n,
                .pairs = {},
                .parts = {},
                .up = read_up(problem, who, accepts),
                .pair_delta = {},
                .reuse = problem.reuse.n,
                .busy = read_busy(problem)};
  for (const Ticks delta : problem.pair_delta) demand.pair_delta.push_back(delta.n);
  merge(problem, demand);
  return demand;
}

std::int64_t Demand::longest_set_up() const {
  std::int64_t longest = 0;
  for (const PairDemand& pair : pairs) longest = std::max(longest, set_up(pair));
  return longest;
}

std::int64_t port_bound(const Demand& demand) {
  const auto ports = static_cast<std::size_t>(demand.ports);
  std::vector<std::int64_t> load(2 * ports, 0);
  for (const PairDemand& pair : demand.pairs) {
    const std::int64_t cost = pair.length + (pair.part_count - 1) * demand.pause_of(pair) +
                              (demand.up[pair.in] == pair.out ? demand.reuse_of(pair) : demand.set_up(pair));
    load[pair.in] += cost;
    load[ports + pair.out] += cost;
  }
  for (const BusyCircuit& busy : demand.busy)
    for (const std::size_t port : {std::size_t{busy.in}, ports + busy.out})
      if (load[port] > 0) load[port] += busy.until - demand.origin;
  return *std::max_element(load.begin(), load.end());
}

Ticks port_bound(const Problem& problem) {
  return {port_bound(read_demand(problem, "the port bound", {.all_stop = true, .running = true, .priorities = true}))};
}

}  // namespace ocs
