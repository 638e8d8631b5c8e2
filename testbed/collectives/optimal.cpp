// The fastest sequence of moves by dynamic programming over the maps that can be reached.
//
// What a leg takes depends on the map before it, the one it is served on, and the leg; the state after it is that map
// alone. So a sequence of moves is a path in a layered graph, and the least cost from each map on is found from the
// last leg to the first.
// SPDX-License-Identifier: Apache-2.0
#include <limits>
#include <string>
#include <unordered_map>

#include "host/core/error.hpp"
#include "testbed/collectives/policies.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_states = 65'536;

struct HashOfMap {
  std::size_t operator()(const PortMap& map) const {
    std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
    for (const std::int16_t to : map) hash = (hash ^ static_cast<std::uint16_t>(to)) * 0x100000001b3;
    return static_cast<std::size_t>(hash);
  }
};

/// The maps that can be there before, or after, a leg; each once.
class Layer {
 public:
  std::size_t add(const PortMap& map) {
    const auto [place, is_new] = places_.try_emplace(map, maps_.size());
    if (is_new) maps_.push_back(&place->first);
    return place->second;
  }
  std::size_t size() const { return maps_.size(); }
  const PortMap& operator[](std::size_t k) const { return *maps_[k]; }

 private:
  std::unordered_map<PortMap, std::size_t, HashOfMap> places_;
  std::vector<const PortMap*> maps_;  ///< keys of places_, which stay where they are
};

/// One leg: what can be chosen at each map before it.
struct Stage {
  Layer after;
  static constexpr std::size_t impossible = std::numeric_limits<std::size_t>::max();
  std::vector<std::size_t> stay, own;  ///< of each map before: where it leads in `after`
  std::vector<std::size_t> candidate;  ///< of each candidate
};

/// Of each map before a leg, the rest of the plan.
struct Best {
  LegCost cost;
  MapMove move;
  std::size_t next = 0;
};

Stage stage_of(const LegSequence& sequence, const Leg& leg, const Layer& before) {
  Stage stage;
  const auto place_if_served = [&](const PortMap& map) {
    return LegOnMap::of(leg, map, sequence.times) ? stage.after.add(map) : Stage::impossible;
  };
  for (std::size_t k = 0; k < before.size(); ++k) {
    stage.stay.push_back(place_if_served(before[k]));
    stage.own.push_back(stage.after.add(overlaid(before[k], leg.transfers)));
  }
  for (const PortMap& map : sequence.candidates) stage.candidate.push_back(place_if_served(map));
  if (stage.after.size() > most_states)
    throw Error(ErrorKind::input, std::to_string(stage.after.size()) + " maps can be reached at the leg of steps " +
                                      std::to_string(leg.first) + " to " + std::to_string(leg.last) + "; at most " +
                                      std::to_string(most_states) + " can be planned with");
  return stage;
}

/// From a leg on, when what follows it is known.
std::vector<Best> best_from(const LegSequence& sequence, const Leg& leg, const Layer& before, const Stage& stage,
                            const std::vector<Best>& later) {
  std::vector<LegOnMap> served;
  served.reserve(stage.after.size());
  for (std::size_t k = 0; k < stage.after.size(); ++k)
    served.push_back(*LegOnMap::of(leg, stage.after[k], sequence.times));
  std::vector<Best> all;
  for (std::size_t k = 0; k < before.size(); ++k) {
    Best best{{std::numeric_limits<std::int64_t>::max(), 0}, {}};
    const auto consider = [&](MapMove move, std::size_t next) {
      if (next == Stage::impossible) return;
      const LegCost cost = served[next].cost(before[k]) + later[next].cost;
      if (cost < best.cost) best = {cost, move, next};
    };
    consider({MapMove::stay}, stage.stay[k]);
    consider({MapMove::own}, stage.own[k]);
    for (std::size_t c = 0; c < stage.candidate.size(); ++c)
      consider({static_cast<std::int32_t>(c)}, stage.candidate[c]);
    all.push_back(best);
  }
  return all;
}

}  // namespace

ReconfigurationPlan optimal_plan(const LegSequence& sequence) {
  Layer start;
  start.add(sequence.start);
  std::vector<Stage> stages;
  const auto before = [&](std::size_t leg) -> const Layer& { return leg == 0 ? start : stages[leg - 1].after; };
  stages.reserve(sequence.legs.size());  // layers stay where they are
  for (std::size_t leg = 0; leg < sequence.legs.size(); ++leg)
    stages.push_back(stage_of(sequence, sequence.legs[leg], before(leg)));

  std::vector<std::vector<Best>> best(sequence.legs.size() + 1);
  best.back().resize(before(sequence.legs.size()).size());
  for (std::size_t leg = sequence.legs.size(); leg-- > 0;)
    best[leg] = best_from(sequence, sequence.legs[leg], before(leg), stages[leg], best[leg + 1]);

  ReconfigurationPlan plan{best.front().front().cost, {}};
  for (std::size_t leg = 0, map = 0; leg < sequence.legs.size(); map = best[leg++][map].next)
    plan.moves.push_back(best[leg][map].move);
  return plan;
}

}  // namespace ocs
