// Plans on paper: no device, no network.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/policy_output.hpp"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/results/text/human.hpp"

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

/// Of the run in which each plane has its share; nothing for phases, which are not shared out.
std::optional<LegCost> cost_of_copies(Point point) {
  if (point.phased) return {};
  point.job.reconfigure = copies_name;
  std::vector<ReconfigurationPlan> plans;
  for (int plane = 0; plane < point.fabric.planes; ++plane)
    if (const PointCollective one = copy_of(point, static_cast<std::uint32_t>(plane)); !one.legs.empty())
      plans.push_back(optimal_plan(leg_sequence(point, one.legs)));
  return copies(plans);
}

Json copies_json(const Point& point, const LegCost& cost) {
  return {{"policy", policy_of_copies},
          {"runs", runs_copies(point)},
          {"cycles", cost.cycles},
          {"time_ps", to_picos(Cycles{cost.cycles}, point.fabric.cycle).n},
          {"tunings", cost.tunings}};
}

/// What each rule of planes makes of the steps of one iteration.
struct RulesOnPaper {
  explicit RulesOnPaper(const Point& point) : all(plane_steps(point, collective_of(point).legs).steps) {
    for (const PlaneRule& rule : plane_rules()) plans.emplace_back(rule.name, rule.plan(all));
  }
  PlaneSteps all;
  std::vector<std::pair<std::string_view, PlanePlan>> plans;
};

Json rules_json(const Point& point) {
  const RulesOnPaper paper(point);
  Json steps = Json::array(), rules = Json::array();
  for (const auto& step : paper.all.steps) {
    std::int64_t most = 0;
    for (const LegTransfer& one : step) most = std::max(most, one.words.n);
    steps.push_back({{"pairs", step.size()}, {"longest_words", most}});
  }
  for (const auto& [name, plan] : paper.plans) {
    Json of_steps = Json::array();
    for (const PlaneStep& step : plan.steps) of_steps.push_back(told_json(step));
    rules.push_back({{"rule", name},
                     {"runs", name == point.job.reconfigure},
                     {"cycles", plan.cost.cycles},
                     {"time_ps", to_picos(Cycles{plan.cost.cycles}, point.fabric.cycle).n},
                     {"changes", plan.cost.changes},
                     {"steps", std::move(of_steps)}});
  }
  Json json = job_json(point, paper.all.times);
  json["planes"] = paper.all.planes;
  json["steps"] = std::move(steps);
  json["rules"] = std::move(rules);
  if (const auto cost = cost_of_copies(point)) json["copies"] = copies_json(point, *cost);
  return json;
}

/// "2,248 cycles = 11.51 us"
std::string cycles_text(std::int64_t cycles, Picos cycle) {
  return counted(cycles, "cycle") + " = " + human_time(to_picos(Cycles{cycles}, cycle));
}

/// The job and what its circuits cost. @param what "3 steps on 2 planes"
void print_heading(const Point& point, const std::string& what, const SwitchTimes& times) {
  const Picos cycle = point.fabric.cycle;
  std::printf("collective %s, workload %s, %s: %s; delta %s, alpha %s\n", collective_text(point.job).c_str(),
              point.job.workload_name.c_str(), counted(point.job.workers, "worker").c_str(), what.c_str(),
              cycles_text(times.delta, cycle).c_str(), cycles_text(times.alpha, cycle).c_str());
}

void print_line(std::string_view name, const std::string& cycles, const std::string& time, const std::string& changes,
                const std::string& more) {
  std::printf("  %-12s %14s %12s %8s%s%s\n", std::string(name).c_str(), cycles.c_str(), time.c_str(), changes.c_str(),
              more.empty() ? "" : "  ", more.c_str());
}

void print_cost(const Point& point, std::string_view name, std::int64_t cycles, const std::string& changes,
                const std::string& more) {
  print_line(name, std::to_string(cycles), human_time(to_picos(Cycles{cycles}, point.fabric.cycle)), changes, more);
}

void print_rules(const Point& point) {
  const RulesOnPaper paper(point);
  print_heading(
      point,
      counted(static_cast<std::int64_t>(paper.all.steps.size()), "step") + " on " + counted(paper.all.planes, "plane"),
      paper.all.times);
  print_line("rule", "cycles", "time", "changes", "");
  for (const auto& [name, plan] : paper.plans)
    print_cost(point, name, plan.cost.cycles, std::to_string(plan.cost.changes), "");
  if (const auto cost = cost_of_copies(point))
    print_cost(point, copies_name, cost->cycles, "-", counted(cost->tunings, "output") + " tuned");
  std::printf("\n");
}

}  // namespace

Json policies_json(const Point& point) {
  if (shares_planes(point) || runs_copies(point)) return rules_json(point);
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
  if (shares_planes(point) || runs_copies(point)) return print_rules(point);
  const LegSequence sequence = leg_sequence(point, collective_of(point).legs);
  print_heading(point,
                counted(static_cast<std::int64_t>(sequence.legs.size()), "leg") + ", " +
                    counted(static_cast<std::int64_t>(sequence.candidates.size()), "candidate map"),
                sequence.times);
  print_line("policy", "cycles", "time", "tunings", "moves");
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    if (const auto plan = policy.plan(sequence))
      print_cost(point, policy.name, plan->cost.cycles, std::to_string(plan->cost.tunings), short_text(plan->moves));
    else
      print_line(policy.name, "-", "-", "-", "no candidate reaches every receiver");
  }
  std::printf("\n");
}

}  // namespace ocs
