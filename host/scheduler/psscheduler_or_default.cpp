// Places in all ways, plans, compares.
// SPDX-License-Identifier: Apache-2.0
#include "host/scheduler/psscheduler_or_default.hpp"

#include <map>
#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/job_traffic.hpp"
#include "host/scheduler/lists/psscheduler.hpp"
#include "host/scheduler/placers/mxnet_placer.hpp"
#include "host/scheduler/placers/psscheduler_placer.hpp"
#include "host/scheduler/placers/simple_placers.hpp"

namespace ocs {
namespace {

bool cut_by_the_block_rule(const Job& job) {
  std::map<std::uint32_t, std::size_t> parts;
  for (const Block& block : job.blocks) ++parts[block.tensor];
  for (const auto& [tensor, count] : parts)
    if (count != 1 && count != job.servers) return false;
  return true;
}

}  // namespace

Ticks synchronisation_time(const Job& job, const Placement& placement) {
  Problem problem;
  problem.ports = static_cast<int>(job.rate_bps.size());
  problem.delta = delta_ticks(job);
  problem.flows = push_flows(job, placement);
  const Plan pushes = Psscheduler().plan(problem);
  const Ticks pushed = plan_end(pushes, problem.now);
  problem.up = circuits_after(problem, pushes);
  for (EstablishedCircuit& circuit : problem.up) circuit.free_at = Ticks{0};
  problem.flows = pull_flows(job, placement);
  return pushed + plan_end(Psscheduler().plan(problem), problem.now);
}

Placement PsschedulerOrDefault::place(const Job& job) const {
  Placement best = PsschedulerPlacer().place(job);
  Ticks best_time = synchronisation_time(job, best);
  const auto consider = [&](const Placer& placer) {
    Placement other = placer.place(job);
    const Ticks time = synchronisation_time(job, other);
    if (time >= best_time) return;
    best = std::move(other);
    best_time = time;
  };
  if (cut_by_the_block_rule(job)) consider(MxnetPlacer());
  consider(RoundRobinPlacer());
  consider(DefaultPlacer());
  return best;
}

}  // namespace ocs
