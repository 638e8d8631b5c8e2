// Reservations of one flow that follow each other without a gap on one circuit are joined to one.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/slots/slot_run.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::uint32_t no_slot = ~std::uint32_t{0};
constexpr std::size_t nothing = ~std::size_t{0};

}  // namespace

SlotRun::SlotRun(const Demand& demand, SlotMode mode)
    : demand_(demand),
      mode_(mode),
      now_(demand.origin),
      left_(demand.ports),
      unserved_(demand.pairs.size()),
      pair_at_(static_cast<std::size_t>(demand.ports) * static_cast<std::size_t>(demand.ports), no_slot) {
  const auto ports = static_cast<std::size_t>(demand.ports);
  for (std::uint32_t p = 0; p < demand.pairs.size(); ++p) {
    const PairDemand& pair = demand.pairs[p];
    left_.at(pair.in, pair.out) = pair.length;
    pair_at_[pair.in * ports + pair.out] = p;
    progress_.push_back({p, pair.first_part, 0, nothing});
  }
  for (std::uint16_t in = 0; in < ports; ++in)
    if (demand.up[in] >= 0) before_.push_back({in, static_cast<std::uint16_t>(demand.up[in])});
}

void SlotRun::play(const Slot& slot) {
  const auto ports = static_cast<std::size_t>(demand_.ports);
  std::int64_t set_up = 0;
  for (const Pair& pair : slot.pairs) set_up = std::max(set_up, demand_.set_up({pair.in, pair.out, 0, 0, 0}));
  const std::int64_t lit = later(now_, set_up), end = later(lit, slot.length);
  for (const Pair& pair : slot.pairs) {
    const std::uint32_t p = pair_at_[pair.in * ports + pair.out];
    if (p == no_slot || left_.at(pair.in, pair.out) == 0) continue;
    const bool held = mode_ == SlotMode::hold && std::find(before_.begin(), before_.end(), pair) != before_.end();
    const std::int64_t own = demand_.set_up(demand_.pairs[p]);
    if (held)
      serve(progress_[p], now_, now_, end);
    else if (mode_ == SlotMode::hold)
      serve(progress_[p], now_, now_ + own, end);
    else
      serve(progress_[p], lit - own, lit, end);
  }
  before_ = slot.pairs;
  now_ = end;
}

void SlotRun::go_on(std::int64_t length) {
  const auto ports = static_cast<std::size_t>(demand_.ports);
  const std::int64_t end = later(now_, length);
  for (const Pair& pair : before_)
    if (const std::uint32_t p = pair_at_[pair.in * ports + pair.out]; p != no_slot && left_.at(pair.in, pair.out) > 0)
      serve(progress_[p], now_, now_, end);
  now_ = end;
}

std::int64_t SlotRun::later(std::int64_t at, std::int64_t by) const {
  if (by > std::numeric_limits<std::int64_t>::max() - at)
    throw Error(ErrorKind::input, "the slots and their set-ups last longer than 2^63 ticks; use a coarser tick");
  return at + by;
}

void SlotRun::serve(Progress& progress, std::int64_t start, std::int64_t up, std::int64_t until) {
  const PairDemand& pair = demand_.pairs[progress.pair];
  std::int64_t& left = left_.at(pair.in, pair.out);
  Outputs outs;
  outs.set(pair.out);
  while (left > 0 && up < until) {
    const Demand::Part& part = demand_.parts[progress.part];
    const std::int64_t length = std::min(until - up, part.length - progress.offset);
    Reservation* last = progress.last == nothing ? nullptr : &plan_.list[progress.last];
    if (last != nullptr && last->flow == part.flow && last->end.n == start && start == up) {
      last->end.n += length;
    } else {
      progress.last = plan_.list.size();
      plan_.list.push_back(
          {part.flow, Plane{0}, Input{pair.in}, outs, {start}, {up}, {up + length}, {progress.offset}});
    }
    start = up = up + length;
    left -= length;
    progress.offset += length;
    if (progress.offset == part.length) {
      ++progress.part;
      progress.offset = 0;
    }
  }
  if (left == 0) --unserved_;
}

Plan SlotRun::finish() {
  plan_.bound = {port_bound(demand_)};
  return std::move(plan_);
}

}  // namespace ocs
