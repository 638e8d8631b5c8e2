// One list for all nodes from the lists of groups.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/phases.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

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
  all.at_once = one.list.at_once;
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

/// Words of the blocks of all groups.
std::vector<Words> sizes_of_groups(const GroupPhase& one) {
  std::vector<Words> sizes;
  const bool own = one.sizes.size() == one.groups.size() * one.list.blocks;
  for (std::size_t k = 0; k < (own ? 1 : one.groups.size()); ++k)
    sizes.insert(sizes.end(), one.sizes.begin(), one.sizes.end());
  return sizes;
}

/// What must be where in the end, in `group`, whose blocks begin at `first`.
void add_held(const Collective& list, const std::vector<std::uint16_t>& group, std::uint32_t first,
              std::vector<HeldBlock>& to) {
  const std::int64_t sum = std::accumulate(group.begin(), group.end(), static_cast<std::int64_t>(group.size()));
  for (std::uint32_t block = 0; block < list.blocks; ++block) {
    const auto holds = [&](std::uint16_t node, std::int64_t weight) { to.push_back({node, first + block, weight}); };
    const auto all_hold = [&](std::int64_t weight) {
      for (const std::uint16_t node : group) holds(node, weight);
    };
    switch (list.kind) {
      case CollectiveKind::all_reduce:
        all_hold(sum);
        break;
      case CollectiveKind::reduce_scatter:
        holds(group[list.homes.at(block)], sum);
        break;
      case CollectiveKind::all_gather:
        all_hold(std::int64_t{group.at(block)} + 1);
        break;
      case CollectiveKind::all_to_all:
        holds(group[block % list.ranks], std::int64_t{group[block / list.ranks]} + 1);
        break;
      case CollectiveKind::broadcast:
        all_hold(std::int64_t{group.front()} + 1);
        break;
    }
  }
}

PhaseList list_of_groups(const GroupPhase& one, std::uint32_t nodes) {
  PhaseList phase{spread(one, nodes), sizes_of_groups(one), {}};
  for (std::uint32_t k = 0; k < one.groups.size(); ++k)
    add_held(one.list, one.groups[k], k * one.list.blocks, phase.held);
  std::sort(phase.held.begin(), phase.held.end());
  return phase;
}

/// One step, in which a receiver takes what its sender begins with.
PhaseList list_of_pairs(const PairPhase& one, std::uint32_t nodes) {
  const auto blocks = static_cast<std::uint32_t>(one.pairs.size());
  PhaseList phase{{CollectiveKind::all_to_all, nodes, blocks, {{}}}, {}, {}};
  for (std::uint32_t block = 0; block < blocks; ++block) {
    const LegTransfer& pair = one.pairs[block];
    phase.list.steps.front().push_back({pair.sender, pair.receiver, {block}, false});
    phase.sizes.push_back(pair.words);
    phase.held.push_back({pair.receiver, block, std::int64_t{pair.sender} + 1});
  }
  std::sort(phase.held.begin(), phase.held.end());
  return phase;
}

std::vector<Leg> legs_of_groups(const GroupPhase& one, std::size_t phase, std::uint32_t nodes, std::int64_t lag) {
  check_groups(one, phase, nodes);
  return legs_of(spread(one, nodes), sizes_of_groups(one), lag);
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

std::vector<PhaseList> lists_of(std::span<const TrafficPhase> phases, std::uint32_t nodes) {
  std::vector<PhaseList> lists;
  lists.reserve(phases.size());
  for (const TrafficPhase& phase : phases) {
    const auto* groups = std::get_if<GroupPhase>(&phase.what);
    lists.push_back(groups != nullptr ? list_of_groups(*groups, nodes)
                                      : list_of_pairs(std::get<PairPhase>(phase.what), nodes));
  }
  return lists;
}

PhaseList list_of(const Collective& collective, const std::vector<Words>& sizes) {
  std::vector<std::uint16_t> all(collective.ranks);
  std::iota(all.begin(), all.end(), std::uint16_t{0});
  PhaseList phase{collective, sizes, {}};
  add_held(collective, all, 0, phase.held);
  std::sort(phase.held.begin(), phase.held.end());
  return phase;
}

std::int64_t kept_words(const PhaseList& phase) {
  enum : std::uint8_t { untouched, received, kept };
  std::vector<std::uint8_t> states(std::size_t{phase.list.ranks} * phase.list.blocks, untouched);
  std::int64_t words = 0;
  const auto keep = [&](std::uint8_t& state, std::uint32_t block) {
    if (std::exchange(state, kept) != kept) words += phase.sizes[block].n;
  };
  const auto of = [&](std::uint16_t node, std::uint32_t block) -> std::uint8_t& {
    return states[std::size_t{node} * phase.list.blocks + block];
  };
  for (const CollectiveStep& step : phase.list.steps) {
    for (const CollectiveTransfer& one : step)
      for (const std::uint32_t block : one.blocks)
        if (of(one.sender, block) != untouched) keep(of(one.sender, block), block);
    for (const CollectiveTransfer& one : step)
      for (const std::uint32_t block : one.blocks) {
        std::uint8_t& state = of(one.receiver, block);
        if (one.adds) keep(state, block);
        if (state == untouched) state = received;
      }
  }
  return words;
}

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
