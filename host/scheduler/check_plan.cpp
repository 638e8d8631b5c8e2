// Replays a plan in the order of its starts.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/check_plan.hpp"

#include <algorithm>
#include <boost/container/small_vector.hpp>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>
#include <unordered_map>

namespace ocs {

std::string ports_text(const Outputs& outputs) {
  std::string text;
  for_each_output(outputs, [&](std::uint16_t out) { text += (text.empty() ? "" : ",") + std::to_string(out); });
  return text;
}

namespace {

using std::to_string;

/// The established circuits of all planes.
class Crossbar {
 public:
  /// @throws Error (input) if a circuit that is up lies outside the switch or shares a port with another.
  explicit Crossbar(const Problem& problem) : ports_(static_cast<std::size_t>(problem.ports)) {
    const auto places = ports_ * static_cast<std::size_t>(problem.planes);
    outs_.resize(places);
    source_.assign(places, none);
    for (const EstablishedCircuit& circuit : problem.up) {
      bool clash = index(circuit.plane) >= problem.planes || index(circuit.in) >= ports_ || circuit.outs.none();
      clash = clash || outs_[at(circuit.plane, index(circuit.in))].any();
      for_each_output(circuit.outs, [&](std::size_t out) {
        clash = clash || out >= ports_ || source_[at(circuit.plane, out)] != none;
      });
      if (clash)
        throw Error(ErrorKind::input, "the circuit of input " + to_string(index(circuit.in)) +
                                          " that is up lies outside the switch or shares a port with another");
      establish(circuit.plane, circuit.in, circuit.outs);
    }
  }

  bool established(Plane plane, Input in, const Outputs& outs) const { return outs_[at(plane, index(in))] == outs; }

  void establish(Plane plane, Input in, const Outputs& outs) {
    break_circuit(at(plane, index(in)));
    for_each_output(outs, [&](std::size_t out) {
      if (source_[at(plane, out)] != none) break_circuit(source_[at(plane, out)]);
      source_[at(plane, out)] = at(plane, index(in));
    });
    outs_[at(plane, index(in))] = outs;
  }

  std::vector<EstablishedCircuit> circuits(Ticks free_at) const {
    std::vector<EstablishedCircuit> list;
    for (std::size_t place = 0; place < outs_.size(); ++place)
      if (outs_[place].any())
        list.push_back({Plane{static_cast<std::uint8_t>(place / ports_)},
                        Input{static_cast<std::uint16_t>(place % ports_)}, outs_[place], free_at});
    return list;
  }

  std::size_t at(Plane plane, std::size_t port) const { return index(plane) * ports_ + port; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};

  void break_circuit(std::size_t place) {
    const std::size_t first_out = place / ports_ * ports_;
    for_each_output(outs_[place], [&](std::size_t out) { source_[first_out + out] = none; });
    outs_[place].reset();
  }

  std::size_t ports_;
  std::vector<Outputs> outs_;        ///< at (plane, input); none: the input is joined to nothing
  std::vector<std::size_t> source_;  ///< at (plane, output): the place of its input
};

std::vector<const Reservation*> by_start(const Plan& plan) {
  std::vector<const Reservation*> order;
  order.reserve(plan.list.size());
  for (const Reservation& r : plan.list) order.push_back(&r);
  std::stable_sort(order.begin(), order.end(), [](auto* a, auto* b) { return a->start < b->start; });
  return order;
}

class PlanCheck {
 public:
  PlanCheck(const Problem& problem, const Plan& plan, ErrorKind kind) : problem_(problem), plan_(plan), kind_(kind) {
    if (problem.ports < 1 || problem.ports > static_cast<int>(max_ports) || problem.planes < 1 || problem.planes > 256)
      throw Error(ErrorKind::input, "the problem has " + to_string(problem.ports) + " ports and " +
                                        to_string(problem.planes) + " planes; 1 to 256 of each are right");
    const auto pairs = static_cast<std::size_t>(problem.ports) * static_cast<std::size_t>(problem.ports);
    if (!problem.pair_delta.empty() && problem.pair_delta.size() != pairs)
      throw Error(ErrorKind::input, "the problem gives " + to_string(problem.pair_delta.size()) + " set-up times for " +
                                        to_string(pairs) + " pairs of ports");
    if (problem.now.n < 0)
      throw Error(ErrorKind::input, "the problem starts at " + to_string(problem.now.n) + "; time starts at 0");
    flows_.reserve(problem.flows.size());
    for (const Flow& flow : problem.flows) {
      if (flow.word.n < 1 || flow.length.n % flow.word.n != 0)
        throw Error(ErrorKind::input, "flow " + to_string(index(flow.id)) + " has a length of " +
                                          to_string(flow.length.n) + ", which isn't a whole number of words of " +
                                          to_string(flow.word.n));
      if (flow.length.n < 0)
        throw Error(ErrorKind::input, "flow " + to_string(index(flow.id)) + " has a negative length");
      if (!flows_.try_emplace(index(flow.id), flow).second)
        throw Error(ErrorKind::input, "two flows have the number " + to_string(index(flow.id)));
    }
  }

  void run() {
    for (const Reservation& r : plan_.list) check_alone(r);
    check_ports();
    if (problem_.all_stop) check_all_stop();
    if (plan_.best_effort) return;
    check_coverage();
    if (partial()) return;
    Ticks end = problem_.now;
    for (const Reservation& r : plan_.list) end = std::max(end, r.end);
    if (end - problem_.now < plan_.bound)
      throw BrokenRule(kind_, PlanRule::bound,
                       "the plan ends at " + to_string(end.n) + ", before its own lower bound of " +
                           to_string(plan_.bound.n) + " ticks after " + to_string(problem_.now.n));
  }

 private:
  struct Delivery {
    explicit Delivery(const Flow& of) : flow(&of) {}
    const Flow* flow;
    boost::container::small_vector<const Reservation*, 1> by;  // most flows are carried at once
  };

  static std::string name(const Reservation& r) {
    const std::string outs = ports_text(r.outs);
    return "flow " + to_string(index(r.flow)) + " (" + to_string(index(r.in)) + " -> " +
           (outs.empty() ? "nowhere" : outs) + ")";
  }

  [[noreturn]] void refuse(PlanRule rule, const Reservation& r, const std::string& what) const {
    throw BrokenRule(kind_, rule, "the plan lets " + name(r) + " " + what);
  }

  /// Where the words of a flow have to go through the switch: not to its own node.
  static Outputs targets(const Flow& flow) {
    Outputs outs = flow.outs;
    if (index(flow.in) < max_ports) outs.reset(index(flow.in));
    return outs;
  }

  void check_alone(const Reservation& r) {
    const auto found = flows_.find(index(r.flow));
    if (found == flows_.end()) refuse(PlanRule::unknown_flow, r, "run, which the problem does not have");
    const Flow& flow = *found->second.flow;
    const auto ports = static_cast<std::size_t>(problem_.ports);
    if (index(r.plane) >= problem_.planes || index(r.in) >= ports || (r.outs >> ports).any())
      refuse(PlanRule::port_range, r,
             "use plane " + to_string(index(r.plane)) + " and ports beyond the switch's " + to_string(problem_.planes) +
                 " planes and " + to_string(ports) + " ports");
    if (r.in != flow.in || r.outs.none() || (r.outs & ~targets(flow)).any())
      refuse(PlanRule::circuit, r, "use a circuit that does not lead from the flow's input to outputs of it");
    for (const Input dead : problem_.dead_in)
      if (dead == r.in) refuse(PlanRule::dead_port, r, "use input " + to_string(index(dead)) + ", which is dead");
    for (const Output dead : problem_.dead_out)
      if (index(dead) < max_ports && r.outs.test(index(dead)))
        refuse(PlanRule::dead_port, r, "use output " + to_string(index(dead)) + ", which is dead");
    const auto times = [&r] {
      return "start at " + to_string(r.start.n) + ", be up at " + to_string(r.up.n) + " and end at " +
             to_string(r.end.n);
    };
    if (r.start > r.up || r.up >= r.end) refuse(PlanRule::times, r, times() + "; these must ascend");
    const Ticks earliest = std::max(problem_.now, flow.release);
    if (r.start < earliest)
      refuse(PlanRule::early, r, times() + ", but it may start at " + to_string(earliest.n) + " at the earliest");
    if (r.offset.n < 0 || r.offset > flow.length || r.end - r.up > flow.length - r.offset)
      refuse(
          PlanRule::part, r,
          times() + " with the part from " + to_string(r.offset.n) + ", but its length is " + to_string(flow.length.n));
    if (flow.word.n > 1 && (r.offset.n % flow.word.n != 0 || (r.end - r.up).n % flow.word.n != 0))
      refuse(PlanRule::part, r,
             times() + " with the part from " + to_string(r.offset.n) + ", which cuts a word of " +
                 to_string(flow.word.n));
    found->second.by.push_back(&r);
  }

  void check_ports() const {
    struct Port {
      Ticks until{std::numeric_limits<std::int64_t>::min()};
      const Reservation* by = nullptr;
    };
    Crossbar crossbar(problem_);
    const auto places = static_cast<std::size_t>(problem_.ports) * static_cast<std::size_t>(problem_.planes);
    std::vector<Port> ins(places), outs(places);
    const auto for_ports = [&](const auto& circuit, const auto& act) {
      act(ins[crossbar.at(circuit.plane, index(circuit.in))], "input ", index(circuit.in));
      for_each_output(circuit.outs,
                      [&](std::size_t out) { act(outs[crossbar.at(circuit.plane, out)], "output ", out); });
    };
    for (const EstablishedCircuit& circuit : problem_.up)
      for_ports(circuit, [&](Port& port, const char*, std::size_t) { port.until = circuit.free_at; });
    for (const Reservation* r : by_start(plan_)) {
      for_ports(*r, [&](Port& port, const char* side, std::size_t number) {
        if (r->start < port.until)
          refuse(PlanRule::conflict, *r,
                 "start at " + to_string(r->start.n) + " while " + side + to_string(number) + " is taken until " +
                     to_string(port.until.n) +
                     (port.by == nullptr ? " by a circuit that is up" : " by " + name(*port.by)));
        port = {r->end, r};
      });
      if (!crossbar.established(r->plane, r->in, r->outs) && r->up - r->start < set_up(problem_, *r))
        refuse(PlanRule::settle, *r,
               "start at " + to_string(r->start.n) + " and be up at " + to_string(r->up.n) +
                   ", but its circuit is not established then and takes " + to_string(set_up(problem_, *r).n) +
                   " to set up");
      crossbar.establish(r->plane, r->in, r->outs);
    }
  }

  void check_all_stop() const {
    const std::vector<const Reservation*> order = by_start(plan_);
    for (int plane = 0; plane < problem_.planes; ++plane) {
      std::vector<const Reservation*> set_ups;  // whose set-up ends later than that of all before
      for (const Reservation* r : order)
        if (index(r->plane) == plane && r->start < r->up && (set_ups.empty() || r->up > set_ups.back()->up))
          set_ups.push_back(r);
      for (const Reservation* r : order) {
        if (index(r->plane) != plane) continue;
        const auto after = std::upper_bound(set_ups.begin(), set_ups.end(), r->up,
                                            [](Ticks up, const Reservation* other) { return up < other->up; });
        if (after != set_ups.end() && (*after)->start < r->end)
          refuse(PlanRule::all_stop, *r,
                 "carry data from " + to_string(r->up.n) + " to " + to_string(r->end.n) + " while " + name(**after) +
                     " is set up from " + to_string((*after)->start.n) + " to " + to_string((*after)->up.n) +
                     ", which stops all circuits");
      }
    }
  }

  /// Whether who asked will ask again before all is done.
  bool partial() const { return problem_.horizon != never<Ticks>; }

  void check_coverage() {
    for (const Flow& flow : problem_.flows) {
      auto& parts = flows_.at(index(flow.id)).by;
      std::sort(parts.begin(), parts.end(), [](auto* a, auto* b) { return a->offset < b->offset; });
      for_each_output(targets(flow), [&](std::size_t out) {
        Ticks covered;
        for (const Reservation* r : parts) {
          if (!r->outs.test(out)) continue;
          if (r->offset != covered) refuse_coverage(flow, out, covered, r->offset);
          covered += r->end - r->up;
        }
        if (covered != flow.length && !partial()) refuse_coverage(flow, out, covered, flow.length);
      });
    }
  }

  [[noreturn]] void refuse_coverage(const Flow& flow, std::size_t out, Ticks covered, Ticks next) const {
    const bool gap = covered < next;
    throw BrokenRule(kind_, gap ? PlanRule::missing : PlanRule::twice,
                     "the plan carries flow " + to_string(index(flow.id)) + " (" + to_string(index(flow.in)) + " -> " +
                         to_string(out) + ", length " + to_string(flow.length.n) + ") " +
                         (gap ? "not at all" : "twice") + " from " + to_string(std::min(covered, next).n) + " to " +
                         to_string(std::max(covered, next).n));
  }

  const Problem& problem_;
  const Plan& plan_;
  ErrorKind kind_;
  std::unordered_map<std::uint32_t, Delivery> flows_;
};

}  // namespace

std::string_view name_of(PlanRule rule) {
  constexpr std::string_view names[] = {"unknown_flow", "port_range", "circuit",  "dead_port", "times",
                                        "early",        "part",       "conflict", "settle",    "all_stop",
                                        "missing",      "twice",      "bound",    "demand",    "placement",
                                        "receivers",    "grant",      "push",     "steps"};
  return names[static_cast<std::size_t>(rule)];
}

Ticks set_up(const Problem& problem, const Reservation& r) {
  if (problem.pair_delta.empty()) return problem.delta;
  Ticks longest;
  const auto ports = static_cast<std::size_t>(problem.ports);
  for_each_output(r.outs,
                  [&](std::size_t out) { longest = std::max(longest, problem.pair_delta[index(r.in) * ports + out]); });
  return longest;
}

void check_plan(const Problem& problem, const Plan& plan, ErrorKind kind) { PlanCheck(problem, plan, kind).run(); }

std::vector<EstablishedCircuit> circuits_after(const Problem& problem, const Plan& plan) {
  Crossbar crossbar(problem);
  Ticks end = problem.now;
  for (const Reservation* r : by_start(plan)) {
    crossbar.establish(r->plane, r->in, r->outs);
    end = std::max(end, r->end);
  }
  return crossbar.circuits(end);
}

}  // namespace ocs
