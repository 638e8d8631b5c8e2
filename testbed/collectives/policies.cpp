// Policies that look at one leg at a time, and the catalogue of all.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/policies.hpp"

#include <algorithm>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

using Plan = std::optional<ReconfigurationPlan>;

/// Carries moves out, one after the other.
class Walk {
 public:
  explicit Walk(const LegSequence& sequence) : of_(sequence), map_(sequence.start) {}

  std::optional<LegCost> cost(MapMove move) const {
    const PortMap next = after(move);
    const auto served = LegOnMap::of(of_.legs[plan_.moves.size()], next, of_.times);
    if (!served) return std::nullopt;
    return served->cost(map_);
  }

  bool go(MapMove move) {
    const auto taken = cost(move);
    if (!taken) return false;
    map_ = after(move);
    plan_.cost = plan_.cost + *taken;
    plan_.moves.push_back(move);
    return true;
  }

  bool over() const { return plan_.moves.size() == of_.legs.size(); }
  const PortMap& map() const { return map_; }
  ReconfigurationPlan plan() const { return plan_; }

 private:
  PortMap after(MapMove move) const {
    if (move.what == MapMove::stay) return map_;
    if (move.what == MapMove::own) return overlaid(map_, of_.legs[plan_.moves.size()].transfers);
    return of_.candidates[static_cast<std::size_t>(move.what)];
  }

  const LegSequence& of_;
  PortMap map_;
  ReconfigurationPlan plan_;
};

Plan always(const LegSequence& sequence) {
  Walk walk(sequence);
  while (!walk.over()) walk.go({MapMove::own});
  return walk.plan();
}

Plan one_map(const LegSequence& sequence, std::size_t candidate) {
  Walk walk(sequence);
  MapMove move{static_cast<std::int32_t>(candidate)};
  for (; !walk.over(); move = {MapMove::stay})
    if (!walk.go(move)) return std::nullopt;
  return walk.plan();
}

Plan never_again(const LegSequence& sequence) { return sequence.candidates.empty() ? Plan{} : one_map(sequence, 0); }

Plan best_static(const LegSequence& sequence) {
  Plan best;
  for (std::size_t k = 0; k < sequence.candidates.size(); ++k)
    if (Plan plan = one_map(sequence, k); plan && (!best || plan->cost < best->cost)) best = std::move(plan);
  return best;
}

Plan threshold(const LegSequence& sequence) {
  Walk walk(sequence);
  while (!walk.over()) {
    const auto stay = walk.cost({MapMove::stay}), own = walk.cost({MapMove::own});
    walk.go({stay && stay->cycles <= own->cycles ? MapMove::stay : MapMove::own});
  }
  return walk.plan();
}

constexpr ReconfigurationPolicy entries_of_policies[] = {
    {"always", "every leg's own circuits are set up: a scheduler that sets up every burst", always},
    {"never", "the first candidate is set up once; where there is no circuit, ranks relay", never_again},
    {"best_static", "the fastest candidate is set up once; where there is no circuit, ranks relay", best_static},
    {"threshold", "a leg's own circuits are set up if that makes this leg faster", threshold},
    {"optimal", "the fastest sequence of maps: each leg keeps its map, sets up its own, or a candidate",
     [](const LegSequence& sequence) -> Plan { return optimal_plan(sequence); }},
};

}  // namespace

std::string to_text(MapMove move) {
  if (move.what == MapMove::stay) return "stay";
  return move.what == MapMove::own ? "own" : "c" + std::to_string(move.what);
}

std::span<const ReconfigurationPolicy> reconfiguration_policies() { return entries_of_policies; }

std::vector<PortMap> maps_of(const LegSequence& sequence, std::span<const MapMove> moves) {
  Walk walk(sequence);
  std::vector<PortMap> maps;
  for (const MapMove move : moves) {
    if (walk.over() || !walk.go(move))
      throw Error(ErrorKind::internal, "move " + std::to_string(maps.size()) + " of a plan, " + to_text(move) +
                                           ", doesn't reach every receiver");
    maps.push_back(walk.map());
  }
  return maps;
}

void check(const LegSequence& sequence) {
  const SwitchTimes& times = sequence.times;
  if (times.alpha < 1 || times.delta < times.alpha)
    throw Error(ErrorKind::input, "delta is " + std::to_string(times.delta) + " cycles and alpha " +
                                      std::to_string(times.alpha) + ", but 1 <= alpha <= delta is needed");
  for (const std::int64_t delta : times.pair_delta)
    if (delta < times.alpha || delta > times.delta)
      throw Error(ErrorKind::input, "delta of a pair is " + std::to_string(delta) + " cycles, but must be from " +
                                        std::to_string(times.alpha) + " to " + std::to_string(times.delta));
  if (!std::all_of(sequence.legs.begin(), sequence.legs.end(), fits_one_map))
    throw Error(ErrorKind::input, "ranks send to several others at once, for which no map has circuits");
  std::int64_t slowest = 1;
  for (const std::int64_t word : times.word_cycles) slowest = std::max(slowest, word);
  check_map(sequence.start, sequence.nodes, "the map at the start");
  for (std::size_t k = 0; k < sequence.candidates.size(); ++k)
    check_map(sequence.candidates[k], sequence.nodes, "candidate " + std::to_string(k));
  Wide longest = 0;  // every step's longest message makes as many hops as there are nodes
  for (const Leg& leg : sequence.legs) {
    longest += Wide{leg.gap} + times.delta;
    for (const auto& step : leg.steps) {
      std::int64_t most = 0;
      for (const LegTransfer& one : step) most = std::max(most, one.words.n);
      longest += (Wide{most} * slowest + times.alpha) * sequence.nodes;
    }
  }
  if (longest > Wide{1} << 62)
    throw Error(ErrorKind::input, "words, gaps and delta must be so small that no plan can last 2^62 cycles");
}

}  // namespace ocs
