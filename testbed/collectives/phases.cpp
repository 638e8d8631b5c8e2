// One list for all nodes from the lists of groups.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/phases.hpp"

#include <algorithm>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse_phase(std::size_t phase, const std::string& what) {
  throw Error(ErrorKind::input, "phase " + std::to_string(phase) + " " + what);
}

void check_groups(const GroupPhase& one, std::size_t phase, std::uint32_t nodes) {
  std::vector<bool> taken(nodes, false);
  if (one.groups.empty()) refuse_phase(phase, "has no groups");
  for (const auto& group : one.groups) {
    if (group.size() != one.list.ranks)
      refuse_phase(phase, "has groups of " + std::to_string(one.list.ranks) + " and of " +
                              std::to_string(group.size()) + " ranks; all must be of one size");
    for (const std::uint16_t node : group) {
      if (node >= nodes || taken[node])
        refuse_phase(phase, "names node " + std::to_string(node) +
                                (node >= nodes ? " of " + std::to_string(nodes) : std::string(" twice")));
      taken[node] = true;
    }
  }
}

/// What all groups do in each step, as one list of all nodes.
Collective spread(const GroupPhase& one, std::uint32_t nodes) {
  Collective all{one.list.kind, nodes, static_cast<std::uint32_t>(one.groups.size() * one.list.blocks), {}};
  for (const CollectiveStep& step : one.list.steps) {
    CollectiveStep& together = all.steps.emplace_back();
    for (std::uint32_t k = 0; k < one.groups.size(); ++k)
      for (CollectiveTransfer transfer : step) {
        transfer.sender = one.groups[k][transfer.sender];
        transfer.receiver = one.groups[k][transfer.receiver];
        for (std::uint32_t& block : transfer.blocks) block += k * one.list.blocks;
        together.push_back(std::move(transfer));
      }
    std::sort(together.begin(), together.end(),
              [](const CollectiveTransfer& a, const CollectiveTransfer& b) { return a.sender < b.sender; });
  }
  return all;
}

std::vector<Leg> legs_of_groups(const GroupPhase& one, std::size_t phase, std::uint32_t nodes, std::int64_t lag) {
  check_groups(one, phase, nodes);
  std::vector<Words> sizes;
  const bool own = one.sizes.size() == one.groups.size() * one.list.blocks;
  for (std::size_t k = 0; k < (own ? 1 : one.groups.size()); ++k)
    sizes.insert(sizes.end(), one.sizes.begin(), one.sizes.end());
  return legs_of(spread(one, nodes), sizes, lag);
}

std::vector<Leg> legs_of_pairs(const PairPhase& one, std::size_t phase, std::uint32_t nodes) {
  std::vector<bool> sends(nodes, false), receives(nodes, false);
  Leg leg{0, 0, {}};
  for (const LegTransfer& pair : one.pairs) {
    if (pair.sender >= nodes || pair.receiver >= nodes || pair.sender == pair.receiver)
      refuse_phase(phase, "has a pair of nodes " + std::to_string(pair.sender) + " and " +
                              std::to_string(pair.receiver) + ", which aren't two of " + std::to_string(nodes));
    if (sends[pair.sender] || receives[pair.receiver])
      refuse_phase(phase, "uses a port of pair " + std::to_string(pair.sender) + " to " +
                              std::to_string(pair.receiver) + " twice; pairs must be a partial permutation");
    sends[pair.sender] = receives[pair.receiver] = true;
    if (pair.words > Words{0}) leg.transfers.push_back(pair);
  }
  std::sort(leg.transfers.begin(), leg.transfers.end(),
            [](const LegTransfer& a, const LegTransfer& b) { return a.sender < b.sender; });
  leg.steps.push_back(leg.transfers);
  leg.numbers.push_back(0);
  return leg.transfers.empty() ? std::vector<Leg>{} : std::vector{leg};
}

}  // namespace

std::vector<Leg> legs_of(std::span<const TrafficPhase> phases, std::uint32_t nodes, std::int64_t lag,
                         std::uint32_t repeat) {
  std::vector<Leg> once, all;
  std::uint32_t steps = 0;
  for (std::size_t k = 0; k < phases.size(); ++k) {
    const auto* groups = std::get_if<GroupPhase>(&phases[k].what);
    std::vector<Leg> legs = groups != nullptr ? legs_of_groups(*groups, k, nodes, lag)
                                              : legs_of_pairs(std::get<PairPhase>(phases[k].what), k, nodes);
    if (legs.empty()) refuse_phase(k, "has no words");
    legs.front().gap = phases[k].gap;
    for (Leg& leg : legs) {
      leg.first += steps, leg.last += steps;
      for (std::uint32_t& number : leg.numbers) number += steps;
      once.push_back(std::move(leg));
    }
    steps += groups != nullptr ? static_cast<std::uint32_t>(groups->list.steps.size()) : 1;
  }
  for (std::uint32_t k = 0; k < repeat; ++k) all.insert(all.end(), once.begin(), once.end());
  return all;
}

}  // namespace ocs
