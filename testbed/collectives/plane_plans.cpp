// Plans for planes: three rules, the last by dynamic programming.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/plane_plans.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/core/error.hpp"

namespace ocs {
namespace {

constexpr std::int32_t no_pairs = -1;

struct LabelledStep {
  std::int32_t pairs;  ///< equal for steps with equal pairs
  std::int64_t words;  ///< of its longest transfer
};

std::vector<LabelledStep> labelled(const PlaneSteps& all) {
  std::map<std::vector<std::pair<std::uint16_t, std::uint16_t>>, std::int32_t> known;
  std::vector<LabelledStep> list;
  for (const auto& step : all.steps) {
    std::vector<std::pair<std::uint16_t, std::uint16_t>> pairs;
    std::int64_t words = 0;
    for (const LegTransfer& one : step) {
      pairs.emplace_back(one.sender, one.receiver);
      words = std::max(words, one.words.n);
    }
    list.push_back({known.try_emplace(pairs, static_cast<std::int32_t>(known.size())).first->second, words});
  }
  return list;
}

struct PlaneState {
  std::int32_t pairs = no_pairs;
  std::int64_t up = 0;  ///< when it can carry at the earliest, but for alpha
  friend auto operator<=>(const PlaneState&, const PlaneState&) = default;
};

/// At the beginning of a step. Sorted planes: which is which doesn't matter.
struct PlanesState {
  PlaneCost cost;
  std::vector<PlaneState> planes;
};

/// Least e so that planes that can send from `begins` on pass `words` words before e.
std::int64_t end_of_shares(std::vector<std::int64_t> begins, std::int64_t words) {
  std::sort(begins.begin(), begins.end());
  std::int64_t sum = words;
  for (std::size_t k = 0;; ++k) {
    sum += begins[k];
    const auto used = static_cast<std::int64_t>(k + 1);
    const std::int64_t end = (sum + used - 1) / used;
    if (k + 1 == begins.size() || end <= begins[k + 1]) return end;
  }
}

/// States that no other one is better than in every way, by the pairs of their planes.
class Frontier {
 public:
  void add(PlanesState state) {
    std::sort(state.planes.begin(), state.planes.end());
    std::vector<std::int32_t> pairs;
    pairs.reserve(state.planes.size());
    for (const PlaneState& plane : state.planes) pairs.push_back(plane.pairs);
    auto& alike = states_[pairs];
    for (const PlanesState& other : alike)
      if (beats(other, state)) return;
    number_ -= std::erase_if(alike, [&](const PlanesState& other) { return beats(state, other); });
    alike.push_back(std::move(state));
    if (++number_ > 65'536)
      throw Error(
          ErrorKind::input,
          std::to_string(number_) + " states of planes can be reached at a step; at most 65536 can be planned with");
  }

  std::vector<PlanesState> all() const {
    std::vector<PlanesState> list;
    for (const auto& [pairs, alike] : states_) list.insert(list.end(), alike.begin(), alike.end());
    return list;
  }

 private:
  static bool beats(const PlanesState& a, const PlanesState& b) {
    return a.cost.cycles <= b.cost.cycles && a.cost.changes <= b.cost.changes &&
           std::equal(a.planes.begin(), a.planes.end(), b.planes.begin(),
                      [](const PlaneState& x, const PlaneState& y) { return x.up <= y.up; });
  }

  std::map<std::vector<std::int32_t>, std::vector<PlanesState>> states_;
  std::size_t number_ = 0;
};

/// What can become of a state in one step.
class StepOfPlanes {
 public:
  StepOfPlanes(const std::vector<LabelledStep>& steps, std::size_t step, const SwitchTimes& times, std::size_t planes)
      : steps_(steps), step_(step), times_(times) {
    for (std::size_t s = step; s < std::min(step + planes, steps.size()); ++s)
      if (std::find(choices_.begin(), choices_.end(), steps[s].pairs) == choices_.end())
        choices_.push_back(steps[s].pairs);
  }

  void choose(PlanesState state, std::size_t plane, Frontier& next) const {
    if (plane == state.planes.size()) return carry(std::move(state), next);
    choose(state, plane + 1, next);
    for (const std::int32_t pairs : choices_) {
      if (pairs == state.planes[plane].pairs) continue;
      PlanesState told = state;
      told.planes[plane] = {pairs, state.cost.cycles + times_.delta};
      ++told.cost.changes;
      choose(std::move(told), plane + 1, next);
    }
  }

 private:
  void carry(PlanesState state, Frontier& next) const {
    std::vector<std::int64_t> begins;
    for (const PlaneState& plane : state.planes)
      if (plane.pairs == steps_[step_].pairs) begins.push_back(std::max(state.cost.cycles + times_.alpha, plane.up));
    if (begins.empty()) return;
    state.cost.cycles = end_of_shares(std::move(begins), steps_[step_].words);
    for (PlaneState& plane : state.planes) {
      if (!is_needed(plane.pairs)) plane = {};
      plane.up = std::max(plane.up, state.cost.cycles);
    }
    next.add(std::move(state));
  }

  bool is_needed(std::int32_t pairs) const {
    return std::any_of(steps_.begin() + static_cast<std::ptrdiff_t>(step_) + 1, steps_.end(),
                       [&](const LabelledStep& later) { return later.pairs == pairs; });
  }

  const std::vector<LabelledStep>& steps_;
  std::size_t step_;
  SwitchTimes times_;
  std::vector<std::int32_t> choices_;
};

}  // namespace

PlaneCost together(const PlaneSteps& steps) {
  PlaneCost cost;
  std::int32_t there = no_pairs;
  for (const LabelledStep& step : labelled(steps)) {
    const bool told = step.pairs != there;
    there = step.pairs;
    if (told) cost.changes += steps.planes;
    cost.cycles += (told ? steps.times.delta : steps.times.alpha) + (step.words + steps.planes - 1) / steps.planes;
  }
  return cost;
}

PlaneCost alternate(const PlaneSteps& steps) {
  const std::vector<LabelledStep> list = labelled(steps);
  std::vector<PlaneState> planes(steps.planes);
  PlaneCost cost;
  const auto change_pairs = [&](std::size_t step) {
    if (step >= list.size() || planes[step % planes.size()].pairs == list[step].pairs) return;
    planes[step % planes.size()] = {list[step].pairs, cost.cycles + steps.times.delta};
    ++cost.changes;
  };
  for (std::size_t step = 0; step < planes.size(); ++step) change_pairs(step);
  for (std::size_t step = 0; step < list.size(); ++step) {
    const PlaneState& plane = planes[step % planes.size()];
    cost.cycles = std::max(cost.cycles + steps.times.alpha, plane.up) + list[step].words;
    change_pairs(step + planes.size());
  }
  return cost;
}

PlaneCost overlap(const PlaneSteps& steps) {
  const std::vector<LabelledStep> list = labelled(steps);
  std::vector<PlanesState> states = {{{}, std::vector<PlaneState>(steps.planes)}};
  for (std::size_t step = 0; step < list.size(); ++step) {
    const StepOfPlanes one(list, step, steps.times, steps.planes);
    Frontier next;
    for (PlanesState& state : states) one.choose(std::move(state), 0, next);
    states = next.all();
  }
  PlaneCost best = states.front().cost;
  for (const PlanesState& state : states) best = std::min(best, state.cost);
  return best;
}

LegCost copies(std::span<const ReconfigurationPlan> plans) {
  LegCost cost;
  for (const ReconfigurationPlan& plan : plans) {
    cost.cycles = std::max(cost.cycles, plan.cost.cycles);
    cost.tunings += plan.cost.tunings;
  }
  return cost;
}

}  // namespace ocs
