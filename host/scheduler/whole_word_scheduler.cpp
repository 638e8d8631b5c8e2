// The same problem in larger units, and its plan in ticks again.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/whole_word_scheduler.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <unordered_map>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "host/scheduler/check_plan.hpp"

namespace ocs {
namespace {

using Flows = std::unordered_map<std::uint32_t, const Flow*>;

Ticks unit_of(const Problem& problem) {
  constexpr std::int64_t most = std::int64_t{1} << 31;
  std::int64_t unit = 1;
  for (const Flow& flow : problem.flows) {
    unit = std::lcm(unit, flow.word.n);
    if (unit > most)
      throw Error(ErrorKind::input,
                  "whole words of all flows together take more than 2^31 ticks; the scheduler cuts "
                  "flows, so fewer kinds of rates are right");
  }
  return {unit};
}

bool cuts_no_word(const Plan& plan, const Flows& flows) {
  return std::all_of(plan.list.begin(), plan.list.end(), [&](const Reservation& r) {
    const auto flow = flows.find(index(r.flow));
    if (flow == flows.end()) return true;  // the checker's affair
    const std::int64_t word = flow->second->word.n;
    return r.offset.n % word == 0 && (r.end - r.up).n % word == 0;
  });
}

Problem in_units(const Problem& problem, std::int64_t unit) {
  const auto units = [&](Ticks t) { return Ticks{divide_up(t.n, unit)}; };
  const auto since = [&](Ticks t) { return t <= problem.now ? Ticks{0} : units(t - problem.now); };
  Problem coarse = problem;
  coarse.now = Ticks{0};
  coarse.delta = units(problem.delta);
  coarse.reuse = units(problem.reuse);
  if (problem.horizon != never<Ticks>) coarse.horizon = since(problem.horizon);
  for (Ticks& delta : coarse.pair_delta) delta = units(delta);
  for (EstablishedCircuit& circuit : coarse.up) circuit.free_at = since(circuit.free_at);
  for (Flow& flow : coarse.flows) {
    flow.length = units(flow.length);
    flow.release = since(flow.release);
    flow.word = Ticks{1};
  }
  return coarse;
}

Reservation in_ticks(const Problem& problem, const Flow& flow, const Reservation& coarse, std::int64_t unit) {
  Reservation r = coarse;
  const auto ticks = [&](Ticks t) { return Ticks{problem.now.n + t.n * unit}; };
  r.up = ticks(coarse.up);
  const bool established = (coarse.up - coarse.start).n <= divide_up(problem.reuse.n, unit);
  r.start = std::max(ticks(coarse.start), r.up - (established ? problem.reuse : set_up(problem, r)));
  r.offset = Ticks{coarse.offset.n * unit};
  const Ticks part = std::min(Ticks{(coarse.end - coarse.up).n * unit}, flow.length - r.offset);
  r.end = r.up + part;
  return r;
}

}  // namespace

Plan WholeWordScheduler::plan(const Problem& problem) const {
  Plan plan = scheduler_->plan(problem);
  Flows flows;
  bool slow = false;
  for (const Flow& flow : problem.flows) {
    flows.emplace(index(flow.id), &flow);
    slow = slow || flow.word.n > 1;
  }
  if (!slow || cuts_no_word(plan, flows)) return plan;
  const std::int64_t unit = unit_of(problem).n;
  const Plan coarse = scheduler_->plan(in_units(problem, unit));
  plan.list.clear();
  for (const Reservation& r : coarse.list) plan.list.push_back(in_ticks(problem, *flows.at(index(r.flow)), r, unit));
  plan.best_effort = coarse.best_effort;
  return plan;
}

}  // namespace ocs
