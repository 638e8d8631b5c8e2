// What a collective needs, and what it doesn't go with.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/collective.hpp"

#include <algorithm>
#include <memory>
#include <numeric>

#include "host/controller/transfers/flow_limit.hpp"
#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/collectives/sum_order.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/fit/horizon.hpp"
#include "testbed/experiment/fit/without_servers.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/nodes/node_job.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr Condition conditions[] = {
    {"job.server_load", [](const Point& p) { return p.job.server_load == "placed"; }, "\"placed\""},
};

bool needs_planes(const Point& point) { return shares_planes(point) || runs_copies(point); }

/// Where what a leg takes depends on maps alone.
constexpr Condition policy_conditions[] = {
    {"network", [](const Point& p) { return !p.packets; }, "\"circuit\""},
    {"fabric.planes", [](const Point& p) { return needs_planes(p) || p.fabric.planes == 1; }, "1"},
    {"fabric.planes", [](const Point& p) { return !needs_planes(p) || p.fabric.planes > 1; }, "2 or more"},
    {"job.workload", [](const Point& p) { return !runs_copies(p) || !p.phased; }, "a table of tensors"},
    {"job.duration", [](const Point& p) { return !runs_copies(p) || p.job.duration.n == 0; }, "\"0 s\""},
    {"compute.gradients", [](const Point& p) { return !runs_copies(p) || !p.job.real_gradients; }, "\"pattern\""},
    {"nodes.rates", [](const Point& p) { return !shares_planes(p) || p.nodes.word_cycles.empty(); }, "\"equal\""},
    {"fabric.outages", [](const Point& p) { return p.fabric.outages.empty(); }, "\"\""},
    {"control.mode", [](const Point& p) { return p.control.mode == "confirmed"; }, "\"confirmed\""},
    {"nodes.rate_trace", [](const Point& p) { return p.nodes.rate_changes.empty(); }, "\"\""},
    {"charge_planning", [](const Point& p) { return p.planning.charge == PlanningSettings::Charge::none; }, "\"none\""},
};

/// Whether a rank can pass words on while more of the same transfer arrive: only where all circuits of a leg begin at
/// once and have one rate, and no word is lost.
bool words_stream(const Point& point) {
  const bool one_switch = point.fabric.planes == 1 || runs_copies(point);
  return !point.packets && !point.beside_others && one_switch && point.nodes.word_cycles.empty() &&
         point.nodes.rate_changes.empty() && point.fabric.outages.empty() && !point.fabric.has_drawn_light() &&
         !point.fabric.disturbs() && point.control.mode == "confirmed";
}

}  // namespace

std::vector<std::string> collective_names() {
  std::vector<std::string> names = {"none"};
  for (const CollectiveKind kind : collective_kinds()) names.emplace_back(name_of(kind));
  return names;
}

std::vector<std::string> algorithm_names() {
  std::vector<std::string> names = {"default"};
  for (const CollectiveEntry& entry : collectives())
    if (std::find(names.begin(), names.end(), entry.name) == names.end()) names.emplace_back(entry.name);
  return names;
}

std::vector<std::string> reconfigure_names() {
  std::vector<std::string> names = {"scheduler"};
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) names.emplace_back(policy.name);
  for (const PlaneRule& rule : plane_rules()) names.emplace_back(rule.name);
  names.emplace_back(copies_name);
  return names;
}

namespace {

CollectiveEntry own_algorithm_of(const JobSettings& job, CollectiveKind kind) {
  if (job.own_algorithm->kind != kind)
    throw Error(ErrorKind::input, in_quotes(job.algorithm) + " is a list of " +
                                      std::string(name_of(job.own_algorithm->kind)) + ", not of " +
                                      std::string(name_of(kind)));
  return *job.own_algorithm;
}

}  // namespace

CollectiveEntry algorithm_of(const JobSettings& job) {
  const CollectiveKind kind = collective_kind(job.collective);
  if (job.own_algorithm) return own_algorithm_of(job, kind);
  if (job.algorithm == "default") return algorithms_of(kind).front();
  return find_algorithm(kind, job.algorithm);
}

std::string collective_text(const JobSettings& job) {
  if (job.collective == "none") return "none";
  const bool phased = job.collective == phases_name;
  return job.collective + (phased ? "" : "/" + std::string(algorithm_of(job).name)) +
         (job.reconfigure == "scheduler" ? "" : "/" + job.reconfigure);
}

std::int64_t streaming_lag(const Point& point) {
  return words_stream(point) ? 1 + 2 * point.fabric.fibre_cycles.n : no_streaming;
}

namespace {

/// In words, from each rank to each.
DemandMatrix demand_of(const Point& point, std::int64_t words) {
  const auto ranks = static_cast<std::uint32_t>(point.job.workers);
  if (point.job.demand.kind != DemandRule::Kind::file) return drawn_demand(point.job.demand, ranks, words, point.seed);
  DemandMatrix matrix = *point.job.demand_in_file;
  for (auto& row : matrix)
    for (std::int64_t& bytes : row) bytes = to_words(Bytes{bytes}, point.fabric.word.n).n;
  return matrix;
}

}  // namespace

void fit_demand(JobSettings& job, const Names& names, const Origins& origins) {
  if (job.demand.kind != DemandRule::Kind::file) return;
  const std::string origin = origin_of(origins, {"collective.demand"});
  if (!names.load_demand) refuse(origin, "collective.demand names a file, but there are none here");
  try {
    job.demand_in_file = std::make_shared<const DemandMatrix>(names.load_demand(job.demand.file));
  } catch (const Error& error) {
    refuse(origin, "collective.demand is " + in_quotes(job.demand_text) + ", but " + error.what());
  }
}

namespace {

/// One of so many.
struct Share {
  std::uint32_t number, of;
  std::int64_t part(std::int64_t words) const { return block_words(Words{words}, of)[number].n; }
};

PointCollective list_of_point(const Point& point, Share share) {
  const CollectiveEntry algorithm = algorithm_of(point.job);
  PointCollective one;
  one.list = make_collective(algorithm, point.job.workers, point.job.chunks);
  const std::int64_t words = to_words(point.job.workload->total, point.fabric.word.n).n;
  one.words = share.part(words);
  one.sizes = sizes_of(one.list, Words{one.words});
  if (algorithm.kind == CollectiveKind::all_to_all && point.job.demand != DemandRule{}) {
    DemandMatrix demand = demand_of(point, words);
    for (auto& row : demand)
      for (std::int64_t& each : row) each = share.part(each);
    one.sizes = sizes_of(one.list, demand);
    one.words = 0;  // of the rank that sends most
    for (const auto& row : demand)
      one.words = std::max(one.words, std::accumulate(row.begin(), row.end(), std::int64_t{0}));
  }
  one.legs = legs_of(one.list, one.sizes, streaming_lag(point));
  return one;
}

}  // namespace

PointCollective collective_of(const Point& point, std::uint32_t iteration) {
  if (point.phased) {
    PhasedLegs legs = phased_legs(point, iteration, streaming_lag(point));
    PointCollective one;
    one.list = {CollectiveKind::all_to_all, static_cast<std::uint32_t>(point.job.workers), 0, {}};
    one.legs = std::move(legs.legs);
    one.tail = legs.tail;
    one.phases = std::move(legs.lists);
    for (const Leg& leg : one.legs)
      for (const LegTransfer& each : leg.transfers) one.words += each.words.n;
    return one;
  }
  return list_of_point(point, {0, 1});
}

PointCollective copy_of(const Point& point, std::uint32_t plane) {
  return list_of_point(point, {plane, static_cast<std::uint32_t>(point.fabric.planes)});
}

namespace {

/// Pairs that take their own time to set up, and nodes whose words do.
void add_unlike(const Point& point, SwitchTimes& times) {
  const ControlTimes control = control_times(point);
  for (int in = 0; in < point.job.workers && control.by_pair(); ++in)
    for (int out = 0; out < point.job.workers; ++out) {
      const Outputs one = Outputs{}.set(static_cast<std::size_t>(out));
      times.pair_delta.push_back(times.alpha + control.light(static_cast<Input>(in), one, point.fabric.ports).n);
    }
  for (const Cycles word : point.nodes.word_cycles) times.word_cycles.push_back(word.n);
}

SwitchTimes switch_times(const Point& point) {
  const std::int64_t alpha = 1 + point.control.lead_cycles.n + 2 * point.fabric.fibre_cycles.n +
                             to_cycles(point.nodes.control_latency, point.fabric.cycle).n;
  const std::int64_t delta = alpha + point.fabric.tuning_cycles.n + point.fabric.locking_cycles.n;
  SwitchTimes times{delta, alpha, point.job.preset, point.fabric.all_stop};
  add_unlike(point, times);
  return times;
}

}  // namespace

LegSequence leg_sequence(const Point& point, const std::vector<Leg>& legs) {
  const auto nodes = static_cast<std::uint32_t>(point.job.workers);
  LegSequence sequence{nodes, legs, switch_times(point), dark_map(nodes), {}};
  sequence.candidates = candidate_maps(point.job.candidates, nodes, sequence.legs);
  check(sequence);
  return sequence;
}

bool shares_planes(const Point& point) {
  return point.collective() && std::any_of(plane_rules().begin(), plane_rules().end(),
                                           [&](const PlaneRule& rule) { return rule.name == point.job.reconfigure; });
}

bool runs_copies(const Point& point) { return point.collective() && point.job.reconfigure == copies_name; }

NumberedPlaneSteps plane_steps(const Point& point, const std::vector<Leg>& legs) {
  NumberedPlaneSteps all{{{}, static_cast<std::uint32_t>(point.fabric.planes), switch_times(point)}, {}};
  for (const Leg& leg : legs)
    for (std::size_t k = 0; k < leg.steps.size(); ++k) {
      all.steps.steps.push_back(leg.steps[k]);
      all.steps.gaps.push_back(k == 0 ? leg.gap : 0);
      all.numbers.push_back(leg.numbers[k]);
    }
  return all;
}

namespace {

/// Every block has a place of its own; of iterations that are drawn the blocks of all of them.
void check_blocks(const Point& point, const PointCollective& first, const Origins& origins) {
  constexpr std::int64_t most = NodeJob::most_blocks;
  const bool drawn = point.phased->phases->changes();
  const std::int64_t iterations = drawn ? point.job.iterations : 1;
  std::int64_t blocks = 0, k = 0;
  for (; k < iterations && blocks <= most; ++k) {
    const std::vector<PhaseList> lists =
        k == 0 ? first.phases : collective_of(point, static_cast<std::uint32_t>(k)).phases;
    for (const PhaseList& phase : lists) blocks += phase.list.blocks;
  }
  if (blocks > most)
    refuse(origin_of(origins, {"job.payload", "job.iterations", "job.workload"}),
           "job.payload is " + in_quotes(point.job.payload) + ", but must be \"none\" where " +
               (drawn ? "iterations whose traffic is drawn have" : std::string("an iteration has")) + " more than " +
               std::to_string(most) + " blocks" +
               (drawn ? " in all; the first " + std::to_string(k) + " have " : "; it has ") + std::to_string(blocks));
}

/// What ranks keep while sums and blocks that are passed on aren't complete. Of a policy's plan that isn't known yet:
/// what is relayed is as much as crosses, at most.
std::int64_t kept_words_of(const Point& point, const PointCollective& one) {
  if (point.job.real_gradients) return one.words * point.job.workers;
  const bool relays = point.sets_maps() && !shares_planes(point);
  if (relays) return point.phased ? one.words : one.words * point.job.workers;
  const std::vector<PhaseList> lists = point.phased ? one.phases : std::vector{list_of(one.list, one.sizes)};
  return std::accumulate(lists.begin(), lists.end(), std::int64_t{0},
                         [](std::int64_t sum, const PhaseList& phase) { return sum + kept_words(phase); });
}

/// Iterations that differ are kept with all their legs.
void check_drawn_legs(const Point& point, const PointCollective& one, const Origins& origins) {
  constexpr std::int64_t most = 1'000'000;
  if (point.phased == nullptr || !point.phased->phases->changes()) return;
  const Wide legs = Wide{static_cast<std::int64_t>(one.legs.size())} * point.job.iterations;
  if (legs > most)
    refuse(origin_of(origins, {"job.iterations", "job.workload"}),
           "job.iterations is " + std::to_string(point.job.iterations) + ", but must be at most " +
               std::to_string(most / static_cast<std::int64_t>(one.legs.size())) +
               ": iterations whose traffic is drawn have at most 10^6 legs in all, and one has " +
               std::to_string(one.legs.size()));
}

/// A policy plans maps, on which each leg is one.
void check_maps(const Point& point, const std::vector<Leg>& legs) {
  if (!std::all_of(legs.begin(), legs.end(), fits_one_map))
    throw Error(ErrorKind::input,
                "collective.reconfigure must be \"scheduler\" where ranks send to several others at once, for which no "
                "map has circuits");
  if (!shares_planes(point)) leg_sequence(point, legs);
}

/// Cycles that no plan takes longer than: on maps each word goes to every rank, without them one burst is after the
/// other where they have ports in common. @throws Error (input) for a burst that no register holds
Wide longest_iteration(const Point& point, const PointCollective& one, const std::string& origin,
                       const std::string& what) {
  Wide longest = one.tail.n;
  const std::int64_t slowest = slowest_word(point.nodes.word_cycles).n;
  for (const Leg& leg : one.legs) {
    std::int64_t most = 0;
    for (const LegTransfer& transfer : leg.transfers) most = std::max(most, transfer.words.n);
    if (most > max_flow_words)
      refuse(origin, what + ", but a burst must have at most 2^32 - 1 words of " +
                         to_text(point.fabric.word.n, Dimension::size) + "; it would have " + std::to_string(most));
    const Wide in_turn = fits_one_map(leg) ? 1 : static_cast<std::int64_t>(leg.transfers.size());
    const Wide hops = point.sets_maps() ? Wide{one.list.ranks} * static_cast<std::int64_t>(leg.steps.size()) : in_turn;
    longest += Wide{leg.gap} + hops * (Wide{most} * slowest + point.fabric.tuning_cycles.n +
                                       point.fabric.locking_cycles.n + point.fabric.longest_programming().n + 2 +
                                       Wide{point.fabric.fibre_cycles.n + point.control.lead_cycles.n} * 2);
  }
  return longest;
}

}  // namespace

void check_collective(const Point& point, const Origins& origins) {
  if (graph_of(point)) return check_graph(point, origins);
  const std::string name = in_quotes(point.job.collective);
  const std::string what =
      point.phased ? "job.workload is " + in_quotes(point.job.workload_name) : "job.collective is " + name;
  check_without_servers(point, origins, "job.collective", point.job.collective, conditions);
  if (point.sets_maps())
    check_without_servers(point, origins, "collective.reconfigure", point.job.reconfigure, policy_conditions);
  check_deaths(point, origins);
  const std::string origin = origin_of(origins, {"job.algorithm", "job.collective", "job.workers", "job.workload"});
  PointCollective one;
  try {
    one = collective_of(point);
    if (point.sets_maps()) check_maps(point, one.legs);
    if (point.job.real_gradients && !adds_alike(one.list))
      throw Error(ErrorKind::input,
                  "job.algorithm must add in one order at every worker with compute.gradients "
                  "\"real\": else models drift apart by rounding");
  } catch (const BrokenRule& broken) {
    throw BrokenRule(ErrorKind::input, broken.rule(), origin + ": " + what + ", but " + broken.what());
  } catch (const Error& error) {
    refuse(origin, what + ", but " + error.what());
  }
  check_drawn_legs(point, one, origins);
  if (one.legs.empty()) refuse(origin, what + ", but nobody sends anything");
  const Wide longest = longest_iteration(point, one, origin, what);
  const Wide latency = Wide{point.nodes.control_latency.n} * static_cast<std::int64_t>(one.legs.size() + 1);
  const Wide compute = Wide{point.job.compute.n} + point.job.compute_fixed.n;
  const Wide planning = Wide{point.planning.fixed.n} * static_cast<std::int64_t>(one.legs.size());
  check_horizon(point, longest * point.fabric.cycle.n + compute + latency + planning, origins);
  if (point.phased && point.job.payload != "none") check_blocks(point, one, origins);
  if (point.job.payload == "full")
    check_payload_without_servers(point, origins, point.phased ? "job.workload" : "job.collective",
                                  point.phased ? point.job.workload_name : point.job.collective,
                                  kept_words_of(point, one));
}

}  // namespace ocs
