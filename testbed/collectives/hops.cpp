// From moves to bursts.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/hops.hpp"

#include <algorithm>
#include <iterator>

namespace ocs {
namespace {

/// The hops of the messages of one step, on a map that reaches all receivers.
std::vector<std::vector<HopBurst>> relayed(const std::vector<LegTransfer>& step, const PortMap& map) {
  std::vector<std::vector<HopBurst>> hops;
  for (const LegTransfer& message : step) {
    std::uint16_t at = message.sender;
    for (std::size_t hop = 0; at != message.receiver; ++hop) {
      const auto next = static_cast<std::uint16_t>(map[at]);
      if (hop == hops.size()) hops.emplace_back();
      hops[hop].push_back({at, next, message.sender, message.receiver, message.words});
      at = next;
    }
  }
  return hops;
}

std::vector<Hop> hops_of_leg(const Leg& leg, std::uint32_t number, const PortMap& map, bool direct) {
  std::vector<Hop> hops;
  if (direct) {
    hops.push_back({.leg = number, .first = leg.first, .last = leg.last});
    for (const LegTransfer& one : leg.transfers)
      hops.back().bursts.push_back({one.sender, one.receiver, one.sender, one.receiver, one.words});
    return hops;
  }
  for (std::size_t step = 0; step < leg.steps.size(); ++step)
    for (std::vector<HopBurst>& bursts : relayed(leg.steps[step], map))
      hops.push_back(
          {.leg = number, .first = leg.numbers[step], .last = leg.numbers[step], .bursts = std::move(bursts)});
  return hops;
}

}  // namespace

std::vector<Hop> hops_of(const LegSequence& sequence, std::span<const MapMove> moves) {
  const std::vector<PortMap> maps = maps_of(sequence, moves);
  std::vector<Hop> all;
  PortMap before = sequence.start;
  for (std::uint32_t number = 0; number < maps.size(); ++number) {
    const Leg& leg = sequence.legs[number];
    const auto served = LegOnMap::of(leg, maps[number], sequence.times);
    std::vector<Hop> hops = hops_of_leg(leg, number, maps[number], served->direct());
    hops.front().gap = leg.gap;
    if (maps[number] != before) hops.front().maps = {{0, maps[number]}};
    // A leg of several steps waits for the last circuit that it uses.
    if (served->direct() && leg.steps.size() > 1) hops.front().wait = served->latest_start(before);
    if (const std::int64_t least = served->tuning(before); least > 0) hops.back().least = least;
    all.insert(all.end(), std::make_move_iterator(hops.begin()), std::make_move_iterator(hops.end()));
    before = maps[number];
  }
  return all;
}

std::vector<Hop> hops_of(const PlaneSteps& steps, const PlanePlan& plan, std::span<const std::uint32_t> numbers) {
  std::vector<Hop> hops;
  for (std::uint32_t step = 0; step < plan.steps.size(); ++step) {
    const PlaneStep& planned = plan.steps[step];
    Hop& hop =
        hops.emplace_back(Hop{.leg = step, .first = numbers[step], .last = numbers[step], .gap = steps.gap(step)});
    for (const PlaneStep::Told& told : planned.told) {
      PortMap map;
      for (const auto& [from, to] : pairs_of(steps.steps[told.step])) {
        if (map.size() <= std::max(from, to)) map.resize(std::size_t{std::max(from, to)} + 1, -1);
        map[from] = static_cast<std::int16_t>(to);
      }
      hop.maps.push_back({told.plane, std::move(map)});
    }
    for (const PlaneCarrier& one : planned.carriers)
      hop.parts.push_back({one.plane, one.from - steps.times.alpha - hop.gap, Words{planned.cycles - one.from}});
    for (const LegTransfer& one : steps.steps[step])
      hop.bursts.push_back({one.sender, one.receiver, one.sender, one.receiver, one.words});
  }
  return hops;
}

}  // namespace ocs
