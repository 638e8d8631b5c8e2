// Plans on paper: no device, no network.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/policy_output.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/results/human.hpp"

namespace ocs {
namespace {

std::int64_t longest_burst(const Leg& leg) {
  std::int64_t most = 0;
  for (const LegTransfer& one : leg.transfers) most = std::max(most, one.words.n);
  return most;
}

/// "own, 3 stay, c1": equal moves that follow one another are counted.
std::string short_text(const std::vector<MapMove>& moves) {
  std::string text;
  for (std::size_t k = 0; k < moves.size();) {
    std::size_t end = k + 1;
    while (end < moves.size() && moves[end] == moves[k]) ++end;
    text += (text.empty() ? "" : ", ") + (end - k > 1 ? std::to_string(end - k) + " " : "") + to_text(moves[k]);
    k = end;
  }
  return text;
}

Json told_json(const PlaneStep& step) {
  Json told = Json::array(), carriers = Json::array();
  for (const PlaneStep::Told& one : step.told) told.push_back({{"plane", one.plane}, {"step", one.step}});
  for (const PlaneCarrier& one : step.carriers) carriers.push_back({{"plane", one.plane}, {"from", one.from}});
  return {{"cycles", step.cycles}, {"told", std::move(told)}, {"carriers", std::move(carriers)}};
}

/// What all plans say of their job and its switch.
Json job_json(const Point& point, const SwitchTimes& times) {
  return {{"job", "collective " + collective_text(point.job)},
          {"workload", point.job.workload_name},
          {"workers", point.job.workers},
          {"cycle_ps", point.fabric.cycle.n},
          {"word_bytes", point.fabric.word.n},
          {"delta_cycles", times.delta},
          {"alpha_cycles", times.alpha}};
}

Json rules_json(const Point& point) {
  const PlaneSteps all = plane_steps(point, collective_of(point).legs).steps;
  Json steps = Json::array(), rules = Json::array();
  for (const auto& step : all.steps) {
    std::int64_t most = 0;
    for (const LegTransfer& one : step) most = std::max(most, one.words.n);
    steps.push_back({{"pairs", step.size()}, {"longest_words", most}});
  }
  for (const PlaneRule& rule : plane_rules()) {
    const PlanePlan plan = rule.plan(all);
    Json of_steps = Json::array();
    for (const PlaneStep& step : plan.steps) of_steps.push_back(told_json(step));
    rules.push_back({{"rule", rule.name},
                     {"runs", rule.name == point.job.reconfigure},
                     {"cycles", plan.cost.cycles},
                     {"time_ps", to_picos(Cycles{plan.cost.cycles}, point.fabric.cycle).n},
                     {"changes", plan.cost.changes},
                     {"steps", std::move(of_steps)}});
  }
  Json all_json = job_json(point, all.times);
  all_json["planes"] = all.planes;
  all_json["steps"] = std::move(steps);
  all_json["rules"] = std::move(rules);
  return all_json;
}

void print_rules(const Point& point) {
  const PlaneSteps all = plane_steps(point, collective_of(point).legs).steps;
  std::printf(
      "collective %s, workload %s, %s: %s on %s; delta %lld, alpha %lld cycles\n", collective_text(point.job).c_str(),
      point.job.workload_name.c_str(), counted(point.job.workers, "worker").c_str(),
      counted(static_cast<std::int64_t>(all.steps.size()), "step").c_str(), counted(all.planes, "plane").c_str(),
      static_cast<long long>(all.times.delta), static_cast<long long>(all.times.alpha));
  std::printf("  %-12s %14s %8s\n", "rule", "cycles", "changes");
  for (const PlaneRule& rule : plane_rules()) {
    const PlaneCost cost = rule.plan(all).cost;
    std::printf("  %-12s %14lld %8lld\n", std::string(rule.name).c_str(), static_cast<long long>(cost.cycles),
                static_cast<long long>(cost.changes));
  }
  std::printf("\n");
}

}  // namespace

Json policies_json(const Point& point) {
  if (shares_planes(point)) return rules_json(point);
  const LegSequence sequence = leg_sequence(point, collective_of(point).legs);
  Json legs = Json::array(), candidates = Json::array(), policies = Json::array();
  for (const Leg& leg : sequence.legs)
    legs.push_back({{"first_step", leg.first},
                    {"last_step", leg.last},
                    {"pairs", leg.transfers.size()},
                    {"longest_words", longest_burst(leg)}});
  for (const PortMap& map : sequence.candidates) candidates.push_back(map);
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    const auto plan = policy.plan(sequence);
    Json one = {{"policy", policy.name}, {"runs", policy.name == point.job.reconfigure}};
    one["cycles"] = plan ? Json(plan->cost.cycles) : Json();
    one["time_ps"] = plan ? Json(to_picos(Cycles{plan->cost.cycles}, point.fabric.cycle).n) : Json();
    one["tunings"] = plan ? Json(plan->cost.tunings) : Json();
    one["moves"] = plan ? Json::array() : Json();
    if (plan)
      for (const MapMove move : plan->moves) one["moves"].push_back(to_text(move));
    policies.push_back(std::move(one));
  }
  Json all = job_json(point, sequence.times);
  all["legs"] = std::move(legs);
  all["candidates"] = std::move(candidates);
  all["policies"] = std::move(policies);
  return all;
}

void print_policies(const Point& point) {
  if (shares_planes(point)) return print_rules(point);
  const LegSequence sequence = leg_sequence(point, collective_of(point).legs);
  std::printf("collective %s, workload %s, %s: %s, %s; delta %lld, alpha %lld cycles\n",
              collective_text(point.job).c_str(), point.job.workload_name.c_str(),
              counted(point.job.workers, "worker").c_str(),
              counted(static_cast<std::int64_t>(sequence.legs.size()), "leg").c_str(),
              counted(static_cast<std::int64_t>(sequence.candidates.size()), "candidate map").c_str(),
              static_cast<long long>(sequence.times.delta), static_cast<long long>(sequence.times.alpha));
  std::printf("  %-12s %14s %8s  %s\n", "policy", "cycles", "tunings", "moves");
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    const std::string name(policy.name);
    if (const auto plan = policy.plan(sequence))
      std::printf("  %-12s %14lld %8lld  %s\n", name.c_str(), static_cast<long long>(plan->cost.cycles),
                  static_cast<long long>(plan->cost.tunings), short_text(plan->moves).c_str());
    else
      std::printf("  %-12s %14s %8s  no candidate reaches every receiver\n", name.c_str(), "-", "-");
  }
  std::printf("\n");
}

}  // namespace ocs
