// Selections and states of outputs.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuit_map.hpp"

#include <boost/container/small_vector.hpp>
#include <utility>

namespace ocs {

void refused_by_switch(const std::string& what, const Refusal& refusal) {
  throw Error(ErrorKind::run, "the switch refused " + what + ": " + refusal.why);
}

CircuitMap::CircuitMap(int ports)
    : selection_(static_cast<std::size_t>(ports), dark),
      joined_(static_cast<std::size_t>(ports)),
      state_(static_cast<std::size_t>(ports), EventKind::idle) {}

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
  Outputs touched;  // others keep what they select
  for (const Join& join : joins) touched |= joined_[index(join.reservation->in)] | join.reservation->outs;
  boost::container::small_vector<std::uint16_t, 16> before;
  for_each_output(touched, [&](std::uint16_t out) { before.push_back(selection_[out]); });
  for (Join& join : joins)
    for_each_output(join.reservation->outs, [&](std::uint16_t out) {
      join.changes = join.changes || selection_[out] != index(join.reservation->in);
    });
  for (const Join& join : joins)
    for_each_output(std::exchange(joined_[index(join.reservation->in)], {}),
                    [&](std::uint16_t out) { selection_[out] = dark; });
  for (const Join& join : joins)
    for_each_output(join.reservation->outs, [&](std::uint16_t out) { select(out, index(join.reservation->in)); });
  std::vector<Select> change;
  auto old = before.begin();
  for_each_output(touched, [&](std::uint16_t out) {
    const std::uint16_t now = selection_[out];
    if (now != *old++) change.push_back({Output{out}, now == dark ? std::nullopt : std::optional(Input{now})});
  });
  return change;
}

void CircuitMap::select(std::uint16_t out, std::uint16_t in) {
  if (selection_[out] != dark) joined_[selection_[out]].reset(out);
  selection_[out] = in;
  joined_[in].set(out);
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
    const Outputs& outs = joined_[i];
    bool lit = outs.any();
    for_each_output(outs, [&](std::uint16_t out) { lit = lit && up(out); });
    if (lit) all.push_back({.in = Input{i}, .outs = outs, .free_at = Ticks{0}});
  }
  return all;
}

}  // namespace ocs
