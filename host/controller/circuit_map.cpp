// Selections and states of outputs.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuit_map.hpp"

namespace ocs {

void refused_by_switch(const std::string& what, const Refusal& refusal) {
  throw Error(ErrorKind::run, "the switch refused " + what + ": " + refusal.why);
}

CircuitMap::CircuitMap(int ports)
    : selection_(static_cast<std::size_t>(ports), dark), state_(static_cast<std::size_t>(ports), EventKind::idle) {}

void CircuitMap::check(const Plan& plan) const {
  const std::size_t ports = selection_.size();
  for (const Reservation& r : plan.list) {
    const bool outside = r.outs.none() || (r.outs >> ports).any();
    if (index(r.in) >= ports || outside || index(r.plane) != 0 || r.up < r.start || r.end < r.up)
      throw Error(ErrorKind::internal, "a plan's reservation for flow " + std::to_string(index(r.flow)) +
                                           " doesn't fit one plane of " + std::to_string(ports) + " ports");
  }
}

std::vector<Select> CircuitMap::join(std::span<Join> joins) {
  std::vector<std::uint16_t> wanted = selection_;
  std::vector<bool> moves(selection_.size(), false);  // inputs
  for (const Join& join : joins) moves[index(join.reservation->in)] = true;
  for (std::uint16_t& input : wanted)
    if (input != dark && moves[input]) input = dark;
  for (Join& join : joins) {
    const Reservation& planned = *join.reservation;
    for_each_output(planned.outs, [&](std::size_t out) {
      wanted[out] = index(planned.in);
      join.changes = join.changes || selection_[out] != wanted[out];
    });
  }
  std::vector<Select> change;
  for (std::size_t o = 0; o < wanted.size(); ++o)
    if (wanted[o] != selection_[o])
      change.push_back(
          {Output{static_cast<std::uint16_t>(o)}, wanted[o] == dark ? std::nullopt : std::optional(Input{wanted[o]})});
  selection_ = std::move(wanted);
  return change;
}

void CircuitMap::on(const Event& event) {
  if (event.kind == EventKind::refused)
    throw Error(ErrorKind::run, "the switch refused a commit in cycle " + std::to_string(event.at.n - 1));
  if (event.kind <= EventKind::failed) state_[event.port] = event.kind;
}

std::vector<EstablishedCircuit> CircuitMap::circuits() const {
  const auto ports = static_cast<std::uint16_t>(selection_.size());
  std::vector<EstablishedCircuit> all;
  for (std::uint16_t i = 0; i < ports; ++i) {
    EstablishedCircuit circuit{.in = Input{i}, .outs = {}, .free_at = Ticks{0}};
    bool lit = true;
    for (std::uint16_t o = 0; o < ports; ++o) {
      if (selection_[o] != i) continue;
      circuit.outs.set(o);
      lit = lit && up(o);
    }
    if (circuit.outs.any() && lit) all.push_back(circuit);
  }
  return all;
}

}  // namespace ocs
