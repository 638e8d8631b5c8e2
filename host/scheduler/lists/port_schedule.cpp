// Keeps ports and circuits, writes reservations.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/lists/port_schedule.hpp"

#include <utility>

namespace ocs {

PortSchedule::PortSchedule(const Demand& demand)
    : demand_(demand),
      in_taken_(static_cast<std::size_t>(demand.ports), 0),
      out_taken_(static_cast<std::size_t>(demand.ports), 0),
      out_of_(demand.up),
      in_of_(static_cast<std::size_t>(demand.ports), -1) {
  for (std::size_t in = 0; in < out_of_.size(); ++in)
    if (out_of_[in] >= 0) in_of_[static_cast<std::size_t>(out_of_[in])] = static_cast<std::int16_t>(in);
  for (const BusyCircuit& busy : demand.busy) {
    in_taken_[busy.in] = out_taken_[busy.out] = 1;
    ends_.emplace(busy.until, started_, static_cast<std::uint32_t>(demand.pairs.size()) + started_);
    ++started_;
  }
  plan_.list.reserve(demand.parts.size());
}

std::int64_t PortSchedule::start(std::uint32_t number, std::int64_t start, SetUp set_up) {
  const PairDemand& pair = demand_.pairs[number];
  const bool established = out_of_[pair.in] == pair.out;
  if (!established) {
    if (out_of_[pair.in] >= 0) in_of_[static_cast<std::size_t>(out_of_[pair.in])] = -1;
    if (in_of_[pair.out] >= 0) out_of_[static_cast<std::size_t>(in_of_[pair.out])] = -1;
    out_of_[pair.in] = static_cast<std::int16_t>(pair.out);
    in_of_[pair.out] = static_cast<std::int16_t>(pair.in);
  }
  std::int64_t taken = start,
               up = start + (established && set_up == SetUp::if_needed ? demand_.reuse_of(pair) : demand_.set_up(pair));
  Outputs outs;
  outs.set(pair.out);
  const std::int64_t pause = demand_.pause_of(pair);
  for (const Demand::Part& part : demand_.parts_of(pair)) {
    plan_.list.push_back({part.flow, Plane{0}, Input{pair.in}, outs, {taken}, {up}, {up + part.length}, Ticks{0}});
    taken = up + part.length;
    up = taken + pause;
  }
  up = taken;
  in_taken_[pair.in] = out_taken_[pair.out] = 1;
  ends_.emplace(up, started_++, number);
  return up;
}

std::optional<std::int64_t> PortSchedule::next_end() const {
  if (ends_.empty()) return std::nullopt;
  return std::get<0>(ends_.top());
}

std::uint32_t PortSchedule::free_next() {
  const std::uint32_t number = std::get<2>(ends_.top());
  ends_.pop();
  const auto [in, out] = ports_of(number);
  in_taken_[in] = out_taken_[out] = 0;
  return number;
}

std::pair<std::uint16_t, std::uint16_t> PortSchedule::ports_of(std::uint32_t number) const {
  if (number < demand_.pairs.size()) return {demand_.pairs[number].in, demand_.pairs[number].out};
  const BusyCircuit& busy = demand_.busy[number - demand_.pairs.size()];
  return {busy.in, busy.out};
}

Plan PortSchedule::finish() {
  plan_.bound = {port_bound(demand_)};
  return std::move(plan_);
}

}  // namespace ocs
