// Which phase a problem is, and its plan with the problem's flows and times.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/given_plan.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "testbed/plans/outside_plan.hpp"

namespace ocs {
namespace {

struct Pair {
  Input in;
  std::string outs;
  friend auto operator<=>(const Pair&, const Pair&) = default;
  std::string text() const { return std::to_string(index(in)) + " -> " + outs; }
};

Pair pair_of(const Flow& flow) { return {flow.in, ports_text(flow.outs)}; }

/// Flows by their ports, those of a pair in their order.
using Demands = std::map<Pair, std::vector<const Flow*>>;

Demands demands_of(const std::vector<Flow>& flows) {
  Demands demands;
  for (const Flow& flow : flows) demands[pair_of(flow)].push_back(&flow);
  return demands;
}

std::string lengths(const Demands& demands, const Pair& pair) {
  const auto found = demands.find(pair);
  if (found == demands.end()) return "nothing";
  std::string text;
  for (const Flow* flow : found->second) text += (text.empty() ? "" : " and ") + std::to_string(flow->length.n);
  return text;
}

/// Where the first difference is; none: the demands are the same.
std::optional<std::string> difference(const Demands& asked, const Demands& given) {
  const auto differ = [&](const Pair& pair) -> std::optional<std::string> {
    const std::string here = lengths(asked, pair), there = lengths(given, pair);
    if (here == there) return std::nullopt;
    return pair.text() + " has to carry " + here + ", not " + there;
  };
  for (const auto& [pair, flows] : asked)
    if (auto found = differ(pair)) return found;
  for (const auto& [pair, flows] : given)
    if (auto found = differ(pair)) return found;
  return std::nullopt;
}

/// How many pairs are alike.
std::size_t alike(const Demands& a, const Demands& b) {
  return static_cast<std::size_t>(std::count_if(
      a.begin(), a.end(), [&](const auto& each) { return lengths(a, each.first) == lengths(b, each.first); }));
}

std::string broken(const std::string& name, const char* phase, PlanRule rule, const std::string& sentence) {
  return name + ", " + phase + ", breaks the rule \"" + std::string(name_of(rule)) + "\": " + sentence;
}

}  // namespace

GivenPlan::GivenPlan(FiledPlan plan, std::string name, Ticks latest, std::unique_ptr<Scheduler> rest)
    : plan_(std::move(plan)), name_(std::move(name)), latest_(latest), rest_(std::move(rest)) {}

Plan GivenPlan::plan(const Problem& problem) const {
  struct Phase {
    const FiledPhase& filed;
    const char* name;
    Demands demands;
  };
  const Demands asked = demands_of(problem.flows);
  const Phase phases[] = {{plan_.push, "push", demands_of(plan_.push.problem.flows)},
                          {plan_.pull, "pull", demands_of(plan_.pull.problem.flows)}};
  std::optional<BrokenRule> failure;  // of pushes and pulls with the same demand the one that can be executed
  for (const Phase& phase : phases) {
    if (difference(asked, phase.demands)) continue;
    try {
      return checked_plan(problem, moved(phase.filed, problem), latest_);
    } catch (const BrokenRule& rule) {
      if (!failure) failure.emplace(ErrorKind::input, rule.rule(), broken(name_, phase.name, rule.rule(), rule.what()));
    }
  }
  if (failure) throw BrokenRule(*failure);
  if (rest_) return rest_->plan(problem);
  const Phase& likely = phases[alike(asked, phases[0].demands) < alike(asked, phases[1].demands) ? 1 : 0];
  throw BrokenRule(ErrorKind::input, PlanRule::demand,
                   broken(name_, likely.name, PlanRule::demand, *difference(asked, likely.demands)));
}

std::vector<Reservation> GivenPlan::moved(const FiledPhase& phase, const Problem& problem) const {
  std::unordered_map<std::uint32_t, Id> ids;  // the file's flows to the problem's
  const Demands asked = demands_of(problem.flows), given = demands_of(phase.problem.flows);
  for (const auto& [pair, flows] : given)
    for (std::size_t k = 0; k < flows.size(); ++k)
      if (!ids.emplace(index(flows[k]->id), asked.at(pair)[k]->id).second)
        throw Error(ErrorKind::input, name_ + " has two flows with the number " + std::to_string(index(flows[k]->id)));
  std::vector<Reservation> list = phase.plan.list;
  const Ticks by = problem.now - phase.problem.now;
  for (Reservation& r : list) {
    const auto id = ids.find(index(r.flow));
    if (id == ids.end())
      throw BrokenRule(ErrorKind::input, PlanRule::unknown_flow,
                       "its problem has no flow " + std::to_string(index(r.flow)));
    r.flow = id->second;
    for (Ticks* time : {&r.start, &r.up, &r.end}) *time += by;
  }
  return list;
}

}  // namespace ocs
