// Plans for planes: three rules, the last by dynamic programming.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/plane_plans.hpp"

#include <algorithm>
#include <map>
#include <numeric>
#include <string>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

constexpr std::int32_t no_pairs = -1;

struct LabelledStep {
  std::int32_t pairs;  ///< equal for steps with equal pairs
  std::int64_t words;  ///< of its longest transfer
  std::int64_t gap;
};

struct PlaneState {
  std::int32_t pairs = no_pairs;
  std::int64_t up = 0;  ///< when it can carry at the earliest, but for alpha
  std::uint32_t plane = 0;
  friend auto operator<=>(const PlaneState&, const PlaneState&) = default;
};

/// Steps by what their pairs are.
struct LabelledSteps {
  explicit LabelledSteps(const PlaneSteps& all);

  std::vector<LabelledStep> list;
  std::vector<PlaneState> start;  ///< of each plane
};

LabelledSteps::LabelledSteps(const PlaneSteps& all) : start(all.planes) {
  std::map<std::vector<PortPair>, std::int32_t> known;
  for (std::size_t step = 0; step < all.steps.size(); ++step) {
    std::int64_t words = 0;
    for (const LegTransfer& one : all.steps[step]) words = std::max(words, one.words.n);
    const auto label = known.try_emplace(pairs_of(all.steps[step]), static_cast<std::int32_t>(known.size()));
    list.push_back({label.first->second, words, all.gap(step)});
  }
  for (std::uint32_t plane = 0; plane < all.planes; ++plane) {
    start[plane].plane = plane;
    if (plane >= all.start.size()) continue;
    const auto label = known.find(all.start[plane]);
    if (label != known.end()) start[plane].pairs = label->second;
  }
}

/// Least e so that planes that can send from where they begin pass `words` words before e. @param carriers by `from`
std::int64_t end_of_shares(const std::vector<PlaneCarrier>& carriers, std::int64_t words) {
  std::int64_t sum = words;
  for (std::size_t k = 0;; ++k) {
    sum += carriers[k].from;
    const auto used = static_cast<std::int64_t>(k + 1);
    const std::int64_t end = (sum + used - 1) / used;
    if (k + 1 == carriers.size() || end <= carriers[k + 1].from) return end;
  }
}

/// When a plane that is told at the beginning of a step is up.
std::int64_t up_after(std::int64_t now, const LabelledStep& step, const SwitchTimes& times) {
  return now + (times.preset ? 0 : step.gap) + times.delta;
}

/// Who carries the step, and until when. Nobody: no carriers.
PlaneStep carried(const std::vector<PlaneState>& planes, const LabelledStep& step, std::int64_t now,
                  const SwitchTimes& times) {
  PlaneStep one{{}, {}, 0};
  for (const PlaneState& plane : planes)
    if (plane.pairs == step.pairs)
      one.carriers.push_back({plane.plane, std::max(step.gap + times.alpha, plane.up - now)});
  std::sort(one.carriers.begin(), one.carriers.end(), [](const PlaneCarrier& a, const PlaneCarrier& b) {
    return std::pair(a.from, a.plane) < std::pair(b.from, b.plane);
  });
  if (one.carriers.empty()) return one;
  one.cycles = end_of_shares(one.carriers, step.words);
  std::erase_if(one.carriers, [&](const PlaneCarrier& each) { return each.from >= one.cycles; });
  return one;
}

/// At the beginning of a step. Sorted planes: which is which doesn't matter.
struct PlanesState {
  PlaneCost cost;
  std::vector<PlaneState> planes;
  std::size_t before = 0;  ///< the state that it came from, among those at the step before
  PlaneStep step{};        ///< what led here from there
};

/// States that no other one is better than in every way, by the pairs of their planes.
class Frontier {
 public:
  explicit Frontier(std::size_t most) : most_(most) {}

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
    if (++number_ > most_)
      throw Error(ErrorKind::input, std::to_string(number_) + " states of planes can be reached at a step; at most " +
                                        std::to_string(most_) + " can be planned with");
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
  std::size_t most_, number_ = 0;
};

/// What can become of a state in one step.
class StepOfPlanes {
 public:
  StepOfPlanes(const std::vector<LabelledStep>& steps, std::size_t step, const SwitchTimes& times, std::size_t planes)
      : steps_(steps), step_(step), times_(times), planes_(planes) {
    for (std::size_t s = step; s < std::min(step + planes, steps.size()); ++s)
      if (std::none_of(choices_.begin(), choices_.end(),
                       [&](std::size_t known) { return steps[known].pairs == steps[s].pairs; }))
        choices_.push_back(s);
  }

  /// Ways to tell the planes of one state. @throws Error (input) if those of so many states take too long to try
  void check_ways(std::size_t states) const {
    constexpr Wide most = Wide{1} << 26;
    Wide ways = static_cast<std::int64_t>(states);
    for (std::size_t plane = 0; plane < planes_ && ways <= most; ++plane)
      ways *= static_cast<std::int64_t>(choices_.size() + 1);
    if (ways > most)
      throw Error(ErrorKind::input, std::to_string(planes_) + " planes can each be told " +
                                        std::to_string(choices_.size()) + " maps at a step, in " +
                                        std::to_string(states) +
                                        " states; these are more than 2^26 ways, too many to plan with");
  }

  void choose(PlanesState state, std::size_t plane, Frontier& next) const {
    if (plane == state.planes.size()) return carry(std::move(state), next);
    choose(state, plane + 1, next);
    for (const std::size_t choice : choices_) {
      if (steps_[choice].pairs == state.planes[plane].pairs) continue;
      PlanesState told = state;
      PlaneState& one = told.planes[plane];
      one.pairs = steps_[choice].pairs;
      one.up = up_after(state.cost.cycles, steps_[step_], times_);
      told.step.told.push_back({one.plane, static_cast<std::uint32_t>(choice)});
      ++told.cost.changes;
      choose(std::move(told), plane + 1, next);
    }
  }

 private:
  void carry(PlanesState state, Frontier& next) const {
    PlaneStep step = carried(state.planes, steps_[step_], state.cost.cycles, times_);
    if (step.carriers.empty()) return;
    state.cost.cycles += step.cycles;
    step.told = std::move(state.step.told);
    state.step = std::move(step);
    for (PlaneState& plane : state.planes) {
      if (!is_needed(plane.pairs)) plane = {.plane = plane.plane};
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
  std::size_t planes_;
  std::vector<std::size_t> choices_;  ///< steps with the pairs that a plane may be told
};

/// A plan in the making where it is known who is told what.
class PlaneWalk {
 public:
  explicit PlaneWalk(const PlaneSteps& steps) : times_(steps.times), all_(steps) {}

  std::size_t step() const { return plan_.steps.size(); }
  bool over() const { return step() == all_.list.size(); }

  void tell(std::uint32_t plane, std::size_t step) {
    if (step >= all_.list.size() || all_.start[plane].pairs == all_.list[step].pairs) return;
    all_.start[plane].pairs = all_.list[step].pairs;
    all_.start[plane].up = up_after(plan_.cost.cycles, all_.list[this->step()], times_);
    told_.push_back({plane, static_cast<std::uint32_t>(step)});
    ++plan_.cost.changes;
  }

  /// By these planes of those that have its pairs.
  void carry(std::span<const std::uint32_t> by) {
    std::vector<PlaneState> planes;
    for (const std::uint32_t plane : by) planes.push_back(all_.start[plane]);
    PlaneStep one = carried(planes, all_.list[step()], plan_.cost.cycles, times_);
    one.told = std::exchange(told_, {});
    plan_.cost.cycles += one.cycles;
    plan_.steps.push_back(std::move(one));
  }

  PlanePlan take() { return std::move(plan_); }

 private:
  SwitchTimes times_;
  LabelledSteps all_;  ///< `start`: the planes as they are
  PlanePlan plan_;
  std::vector<PlaneStep::Told> told_;
};

constexpr PlaneRule entries_of_rules[] = {
    {"together", "all planes are told the pairs of each step, and share its words", together},
    {"alternate", "planes carry one step each in turn, and are told the next of theirs meanwhile", alternate},
    {"overlap", "the fastest: planes carry a step together, or some are told one of the next", overlap},
};

}  // namespace

std::span<const PlaneRule> plane_rules() { return entries_of_rules; }

std::vector<PortPair> pairs_of(const std::vector<LegTransfer>& step) {
  std::vector<PortPair> pairs;
  pairs.reserve(step.size());
  for (const LegTransfer& one : step) pairs.emplace_back(one.sender, one.receiver);
  return pairs;
}

std::vector<std::vector<PortPair>> pairs_after(const PlaneSteps& steps, const PlanePlan& plan) {
  std::vector<std::vector<PortPair>> pairs = steps.start;
  pairs.resize(steps.planes);
  for (const PlaneStep& step : plan.steps)
    for (const PlaneStep::Told& told : step.told) pairs[told.plane] = pairs_of(steps.steps[told.step]);
  return pairs;
}

PlanePlan together(const PlaneSteps& steps) {
  std::vector<std::uint32_t> all(steps.planes);
  std::iota(all.begin(), all.end(), 0U);
  PlaneWalk walk(steps);
  while (!walk.over()) {
    for (const std::uint32_t plane : all) walk.tell(plane, walk.step());
    walk.carry(all);
  }
  return walk.take();
}

PlanePlan alternate(const PlaneSteps& steps) {
  PlaneWalk walk(steps);
  for (std::uint32_t plane = 0; plane < steps.planes; ++plane) walk.tell(plane, plane);
  while (!walk.over()) {
    const auto plane = static_cast<std::uint32_t>(walk.step() % steps.planes);
    walk.carry(std::span(&plane, 1));
    if (!walk.over()) walk.tell(plane, walk.step() + steps.planes - 1);
  }
  return walk.take();
}

PlanePlan overlap(const PlaneSteps& steps) { return overlap_within(65'536, steps); }

PlanePlan overlap_within(std::size_t most_states, const PlaneSteps& steps) {
  const LabelledSteps all(steps);
  std::vector<std::vector<PlanesState>> states = {{{{}, all.start}}};  // at the beginning of each step, and at the end
  for (std::size_t step = 0; step < all.list.size(); ++step) {
    const StepOfPlanes one(all.list, step, steps.times, steps.planes);
    one.check_ways(states.back().size());
    Frontier next(most_states);
    for (std::size_t k = 0; k < states.back().size(); ++k) {
      const PlanesState& from = states.back()[k];
      one.choose({from.cost, from.planes, k}, 0, next);
    }
    states.push_back(next.all());
  }
  const PlanesState* at = &*std::min_element(states.back().begin(), states.back().end(),
                                             [](const auto& a, const auto& b) { return a.cost < b.cost; });
  PlanePlan plan{at->cost, std::vector<PlaneStep>(all.list.size())};
  for (std::size_t step = all.list.size(); step-- > 0;) {
    plan.steps[step] = at->step;
    at = &states[step][at->before];
  }
  return plan;
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
