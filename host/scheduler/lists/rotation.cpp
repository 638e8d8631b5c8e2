// Numbers the ports, sorts the flows by (slot, a), plays them.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/rotation.hpp"

#include <algorithm>
#include <string>
#include <tuple>

#include "host/core/error.hpp"
#include "host/scheduler/lists/list_schedule.hpp"
#include "host/scheduler/lists/port_schedule.hpp"

namespace ocs {
namespace {

struct Turn {
  std::size_t slot, a;
  std::uint32_t pair;
  bool operator<(const Turn& other) const { return std::tie(slot, a) < std::tie(other.slot, other.a); }
};

using Places = std::vector<int>;  ///< of each port: its place in the rotation, or -1

/// The places of ports given by the caller. @throws Error (input) if one is outside the switch or named twice.
template <class Port>
Places given_places(const std::vector<Port>& order, int ports, const char* what) {
  Places place(static_cast<std::size_t>(ports), -1);
  for (std::size_t a = 0; a < order.size(); ++a) {
    const std::size_t port = index(order[a]);
    if (port >= place.size() || place[port] >= 0)
      throw Error(ErrorKind::input, "the rotation names " + std::string(what) + " " + std::to_string(port) +
                                        (port >= place.size() ? " of " + std::to_string(ports) + " ports" : " twice"));
    place[port] = static_cast<int>(a);
  }
  return place;
}

/// Ports marked with 0, numbered ascending. @returns how many.
std::size_t number_used(Places& place) {
  int used = 0;
  for (int& p : place)
    if (p >= 0) p = used++;
  return static_cast<std::size_t>(used);
}

std::vector<Turn> turns(const Demand& demand, const RotationPorts& ports) {
  Places in_place, out_place;
  std::size_t ins = ports.ins.size(), outs = ports.outs.size();
  if (ports.ins.empty() && ports.outs.empty()) {
    in_place.assign(static_cast<std::size_t>(demand.ports), -1);
    out_place = in_place;
    for (const PairDemand& pair : demand.pairs) in_place[pair.in] = out_place[pair.out] = 0;
    ins = number_used(in_place);
    outs = number_used(out_place);
  } else {
    in_place = given_places(ports.ins, demand.ports, "input");
    out_place = given_places(ports.outs, demand.ports, "output");
  }
  const std::size_t slots = std::max(ins, outs);
  std::vector<Turn> list;
  for (std::uint32_t p = 0; p < demand.pairs.size(); ++p) {
    const PairDemand& pair = demand.pairs[p];
    if (in_place[pair.in] < 0 || out_place[pair.out] < 0)
      throw Error(ErrorKind::input, "the rotation never joins input " + std::to_string(pair.in) + " to output " +
                                        std::to_string(pair.out) + ", which a flow needs");
    const auto a = static_cast<std::size_t>(in_place[pair.in]), b = static_cast<std::size_t>(out_place[pair.out]);
    list.push_back({(b + slots - a) % slots, a, p});
  }
  std::sort(list.begin(), list.end());
  return list;
}

}  // namespace

Plan plan_rotation_list(const Demand& demand, const RotationPorts& ports) {
  std::vector<std::uint32_t> order;
  for (const Turn& turn : turns(demand, ports)) order.push_back(turn.pair);
  return list_schedule(demand, order, Freeing::all);
}

Plan RotationList::plan(const Problem& problem) const {
  return plan_rotation_list(read_demand(problem, "rotation_list", {.running = true}), ports_);
}

Plan RotationAllstop::plan(const Problem& problem) const {
  const Demand demand = read_demand(problem, "rotation_allstop", {.all_stop = true});
  const std::vector<Turn> list = turns(demand, ports_);
  PortSchedule port_schedule(demand);
  const auto set_up = [&](const Turn& turn) { return demand.set_up(demand.pairs[turn.pair]); };
  std::int64_t end = demand.origin;
  for (std::size_t i = 0; i < list.size();) {
    const std::int64_t slot = end;
    std::size_t next = i;
    std::int64_t longest = 0;
    for (; next < list.size() && list[next].slot == list[i].slot; ++next)
      longest = std::max(longest, set_up(list[next]));
    for (; i < next; ++i) {
      // On an all-stop switch the circuits of a slot are up together: nothing crosses before the last one.
      const std::int64_t start = problem.all_stop ? slot + longest - set_up(list[i]) : slot;
      end = std::max(end, port_schedule.start(list[i].pair, start, PortSchedule::SetUp::always));
    }
  }
  return port_schedule.finish();
}

}  // namespace ocs
