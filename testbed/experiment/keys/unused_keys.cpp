// The table of effect_conditions, and who meets them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/unused_keys.hpp"

#include <algorithm>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/load_keys.hpp"
#include "testbed/experiment/keys/peer_keys.hpp"
#include "testbed/experiment/keys/phased_keys.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

bool confirmed(const Point& point) { return point.control.mode == "confirmed"; }

bool named_switch(const Point& point) { return !point.fabric.switch_name.empty(); }

/// Nothing is planned by a scheduler over packets.
bool scheduler_draws(const Point& point, const Policy& policy) {
  const std::string scheduler = scheduler_name(point, policy);
  return !point.packets && !point.sets_maps() && (scheduler_traits(scheduler).draws || names_program(scheduler));
}

/// What is drawn of the nodes of a job, or of jobs; of a trace's coflows nothing is.
bool job_draws(const Point& point) {
  if (point.trace) return false;
  const bool places = !point.collective() && !point.peers() && placer_of(point).traits.draws;
  const bool selection_draws = point.peers() && selection_of(point.job).draws;
  const bool routing_draws = point.phased && point.phased->phases->changes();
  return places || routing_draws || point.gaps_drawn || point.nodes.rates == "drawn" || selection_draws ||
         !point.job.jitter.empty() || !point.job.stragglers.empty();
}

bool given_placement(const Point& point) {
  return point.planning.outside->plan && point.planning.outside->plan->placement;
}

/// Some policy is a function of the program that runs the experiment.
bool has_own_policy(const Point& point) {
  const auto job_has = [](const JobSettings& job) { return job.own_sync || job.own_peers || job.own_algorithm; };
  return point.own_placer || job_has(point.job) ||
         std::ranges::any_of(point.jobs, [&](const ArrivingJob& one) { return job_has(one.job); });
}

bool draws_nothing(const Point& point) {
  const Policy& policy = find(policies(), point.policy, "policy");
  return point.job.payload == "none" && !scheduler_draws(point, policy) && !job_draws(point) &&
         (confirmed(point) || (point.nodes.clock_spread.n == 0 && point.nodes.clock_drift_ppm == 0));
}

/// Of a point with jobs: of each of them.
template <bool (*holds)(const JobSettings&)>
bool in_every_job(const Point& point) {
  if (point.jobs.empty()) return holds(point.job);
  return std::ranges::all_of(point.jobs, [](const ArrivingJob& one) { return holds(one.job); });
}

bool job_places_nothing(const JobSettings& job) {
  return job.collective != "none" || job.peers != "none" || by_keys(job);
}
bool places_nothing(const Point& point) { return point.trace || in_every_job<job_places_nothing>(point); }

bool not_over_tcp(const Point& point) { return point.nodes.transport != "tcp"; }
bool keys_unused(const Point& point) { return not_over_tcp(point) || point.nodes.expect == 0; }

enum class SyncKey : std::uint8_t { s, s_lo, s_up, r, strict, batch, p, k, ema_shift, quota, objective, trend, ahead };
constexpr std::string_view setting_names[] = {"s", "s_lo",      "s_up",  "r",         "strict", "batch", "p",
                                              "k", "ema_shift", "quota", "objective", "trend",  "ahead"};

/// The scheme, if there is one, doesn't read sync.`setting`.
template <SyncKey setting>
bool job_ignores(const JobSettings& job) {
  return job.collective != "none" || job.peers != "none" ||
         !reads(scheme_of(job), setting_names[static_cast<std::size_t>(setting)]);
}
template <SyncKey setting>
bool unread(const Point& point) {
  return in_every_job<job_ignores<setting>>(point);
}

bool job_is_not_adaptive(const JobSettings& job) { return job.server_load != "adaptive"; }
constexpr auto not_adaptive = in_every_job<job_is_not_adaptive>;

bool job_learns_nothing(const JobSettings& job) { return !job.real_gradients; }
constexpr auto no_learning = in_every_job<job_learns_nothing>;
constexpr std::string_view gradients_not_real = "gradients aren't real (compute.gradients)";

bool job_has_fixed_batches(const JobSettings& job) {
  return job_ignores<SyncKey::batch>(job) || job.sync_settings.batch == 0;
}
constexpr auto fixed_batches = in_every_job<job_has_fixed_batches>;

bool job_has_peers(const JobSettings& job) { return job.peers != "none"; }
bool job_has_no_peers(const JobSettings& job) { return job.peers == "none"; }
constexpr auto peers = in_every_job<job_has_peers>;
constexpr auto no_peers = in_every_job<job_has_no_peers>;
bool job_has_rounds(const JobSettings& job) { return job.peers == "none" || !selection_of(job).while_sending; }
constexpr auto not_while_sending = in_every_job<job_has_rounds>;

bool job_is_collective(const JobSettings& job) { return job.collective != "none"; }
constexpr auto collective = in_every_job<job_is_collective>;
bool job_is_no_collective(const JobSettings& job) { return job.collective == "none"; }
constexpr auto no_collective = in_every_job<job_is_no_collective>;

bool job_has_duration(const JobSettings& job) { return job.duration.n > 0; }
bool job_knows_its_times(const JobSettings& job) { return !job.trace.empty() || !job.published.empty(); }
bool job_overlaps_nothing(const JobSettings& job) { return !job.overlap.wait_free; }
bool sets_maps(const Point& point) { return point.sets_maps(); }
bool sets_maps_of_planes(const Point& point) { return point.sets_maps() && point.fabric.planes > 1; }
constexpr std::string_view no_scheduler = "collective.reconfigure says which circuits there are";
constexpr std::string_view no_servers = "a collective has no servers";

bool job_is_not_chunked(const JobSettings& job) {
  return job.collective == "none" || job.collective == phases_name || !algorithm_of(job).chunked;
}
constexpr auto not_chunked = in_every_job<job_is_not_chunked>;

bool job_is_not_all_to_all(const JobSettings& job) { return job.collective != name_of(CollectiveKind::all_to_all); }
constexpr auto not_all_to_all = in_every_job<job_is_not_all_to_all>;
bool job_says_its_demand(const JobSettings& job) {
  return !job_is_not_all_to_all(job) && job.demand.kind == DemandRule::Kind::file;
}
constexpr auto demand_in_file = in_every_job<job_says_its_demand>;
bool no_candidates(const Point& point) {
  return !point.sets_maps() || point.job.reconfigure == "always" || point.job.reconfigure == "threshold" ||
         shares_planes(point);
}

bool phased(const Point& point) { return point.phased != nullptr; }
bool phased_without_trace(const Point& point) { return phased(point) && point.job.trace.empty(); }
bool presets_nothing(const Point& point) { return !phased(point) || !point.sets_maps(); }
bool graph(const Point& point) { return graph_of(point) != nullptr; }
bool phased_without_graph(const Point& point) { return phased(point) && !graph(point); }
constexpr std::string_view own_graph = "a trace says all of its computing";
constexpr std::string_view own_algorithms =
    "each collective of a trace goes by the first algorithm of `lightloop list collectives`";
constexpr std::string_view own_phases = "job.workload says the phases, their ranks and their computing";

bool trace(const Point& point) { return point.trace != nullptr; }
constexpr std::string_view no_nodes = "a trace says what its ports carry";

enum class JobKey { workload, workers, servers, colocated, iterations, compute, payload };
constexpr std::string_view job_keys[] = {"workload",   "workers", "servers", "colocated",
                                         "iterations", "compute", "payload"};

template <JobKey key>
bool said_by_all_jobs(const Point& point) {
  const std::vector<std::string>& said = point.said_by_all_jobs;
  return std::find(said.begin(), said.end(), job_keys[static_cast<std::size_t>(key)]) != said.end();
}
constexpr std::string_view own_value = "every table [[job]] says its own";

bool packets(const Point& point) { return point.packets; }
constexpr std::string_view no_switch = "network \"packet\" has no switch";
constexpr std::string_view no_circuits = "network \"packet\" has no circuits";

constexpr UnusedKey effect_conditions[] = {
    {"fabric.device", packets, no_switch},
    {"fabric.switch", packets, no_switch},
    {"fabric.tuning", packets, no_circuits},
    {"fabric.locking", packets, no_circuits},
    {"fabric.program_time", packets, no_circuits},
    {"fabric.program_lanes", packets, no_circuits},
    {"fabric.jitter", packets, no_circuits},
    {"fabric.mirror_faults", packets, no_circuits},
    {"fabric.receivers", packets, no_circuits},
    {"fabric.neighbours", packets, no_circuits},
    {"fabric.light", packets, no_circuits},
    {"fabric.light",
     [](const Point& point) {
       return !point.packets && point.fabric.light && !point.fabric.rings() && !point.fabric.reports_late();
     },
     "light is never lost, or as without a level: no mirror rings, and no outage is reported late"},
    {"fabric.neighbours",
     [](const Point& point) {
       return !point.packets && point.fabric.neighbour_times.distances != 0 && !point.fabric.disturbs();
     },
     "no two outputs are so far apart (fabric.ports)"},
    {"fabric.program_lanes",
     [](const Point& point) { return !point.packets && !named_switch(point) && point.fabric.program_time.n == 0; },
     "mirrors are programmed all at once (fabric.program_time)"},
    {"fabric.program_time",
     [](const Point& point) {
       return !point.packets && !named_switch(point) && point.fabric.program_time.n > 0 &&
              !point.fabric.programs_in_turn();
     },
     "the mirrors of all ports are programmed at once (fabric.program_lanes)"},
    {"fabric.split", packets, no_switch},
    {"fabric.split", sets_maps_of_planes, "collective.reconfigure says which plane carries what"},
    {"fabric.split", [](const Point& point) { return !point.packets && point.fabric.planes == 1; },
     "there is one plane (fabric.planes)"},
    {"fabric.time_warp", packets, no_switch},
    {"control.lead", packets, no_circuits},
    {"nodes.extra_tuning", packets, no_circuits},
    {"scheduler", packets, no_circuits},
    {"job.priorities", packets, "network \"packet\" shares alike"},
    {"fabric.tuning", named_switch, "fabric.switch says how long mirrors move"},
    {"fabric.locking", named_switch, "fabric.switch says how long receivers lock"},
    {"fabric.program_time", named_switch, "fabric.switch says how mirrors are programmed"},
    {"fabric.program_lanes", named_switch, "fabric.switch says how mirrors are programmed"},
    {"control.lead", [](const Point& point) { return point.fabric.control_latency.has_value(); },
     "fabric.switch says how long its control takes"},
    {"control.guard", confirmed, "by confirmation words wait until their circuit is up"},
    {"job.iterations", in_every_job<job_has_duration>, "job.duration ends the job"},
    {"job.compute", in_every_job<job_knows_its_times>, "compute.trace or compute.published says the times"},
    {"compute.backward", in_every_job<job_overlaps_nothing>,
     "without job.overlap nothing is pushed before the end of computing"},
    {"job.sync", collective, "job.collective synchronises"},
    {"policy", sets_maps, no_scheduler},
    {"scheduler", sets_maps, no_scheduler},
    {"job.retransmit", sets_maps, "words wait until their circuit is up, so none are lost"},
    {"job.algorithm", no_collective, "job.collective is \"none\""},
    {"collective.reconfigure", no_collective, "job.collective is \"none\""},
    {"collective.chunks", not_chunked, "only a broadcast in a chain is cut"},
    {"collective.demand", not_all_to_all, "only an all_to_all has a demand"},
    {"job.workload", demand_in_file, "collective.demand says who sends how much"},
    {"collective.candidates", no_candidates, "never, best_static and optimal alone choose a map"},
    {"collective.preset", presets_nothing, "only maps of a policy are set before the computing of a phase"},
    {"compute.fixed", graph, own_graph},
    {"compute.trace", graph, own_graph},
    {"nodes.control_latency", graph, "a trace has no nodes that talk"},
    {"job.workers", phased, own_phases},
    {"job.algorithm", graph, own_algorithms},
    {"job.algorithm", phased_without_graph, own_phases},
    {"job.compute", phased, own_phases},
    {"compute.published", phased, own_phases},
    {"compute.factors", phased_without_trace, own_phases},
    {"compute.jitter", phased_without_trace, own_phases},
    {"compute.stragglers", phased_without_trace, own_phases},
    {"job.servers", collective, no_servers},
    {"job.colocated", collective, no_servers},
    {"job.sync", peers, "job.peers synchronises"},
    {"job.servers", peers, "peers have no servers"},
    {"job.colocated", peers, "peers have no servers"},
    {"job.workload", said_by_all_jobs<JobKey::workload>, own_value},
    {"job.workers", said_by_all_jobs<JobKey::workers>, own_value},
    {"job.servers", said_by_all_jobs<JobKey::servers>, own_value},
    {"job.colocated", said_by_all_jobs<JobKey::colocated>, own_value},
    {"job.iterations", said_by_all_jobs<JobKey::iterations>, own_value},
    {"job.compute", said_by_all_jobs<JobKey::compute>, own_value},
    {"job.payload", said_by_all_jobs<JobKey::payload>, own_value},
    {"job.workers", trace, no_nodes},
    {"job.servers", trace, no_nodes},
    {"job.colocated", trace, no_nodes},
    {"job.iterations", trace, no_nodes},
    {"job.compute", trace, no_nodes},
    {"compute.fixed", trace, no_nodes},
    {"peers.p", no_peers, "job.peers is \"none\""},
    {"peers.k", no_peers, "job.peers is \"none\""},
    {"peers.layer", no_peers, "job.peers is \"none\""},
    {"peers.delta", no_peers, "job.peers is \"none\""},
    {"peers.s", not_while_sending, "selmcast_ssp alone reads it"},
    {"peers.eta", not_while_sending, "selmcast_ssp alone reads it"},
    {"sync.s", unread<SyncKey::s>, "ssp alone reads it"},
    {"sync.s_lo", unread<SyncKey::s_lo>, "dssp alone reads it"},
    {"sync.s_up", unread<SyncKey::s_up>, "dssp alone reads it"},
    {"sync.r", unread<SyncKey::r>, "r2sp alone reads it"},
    {"sync.strict", unread<SyncKey::strict>, "r2sp alone reads it"},
    {"sync.batch", unread<SyncKey::batch>, "r2sp alone reads it"},
    {"sync.batch_min", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.batch_min", [](const Point& point) { return !fixed_batches(point); },
     "batches begin at sync.batch and only grow"},
    {"sync.batch_max", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.batch_every", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.p", unread<SyncKey::p>, "p_of_n alone reads it"},
    {"sync.k", unread<SyncKey::k>, "p_of_n alone reads it"},
    {"sync.ema_shift", unread<SyncKey::ema_shift>, "r2sp, elastic and predictive alone read it"},
    {"sync.quota", unread<SyncKey::quota>, "elastic and predictive alone read it"},
    {"sync.objective", unread<SyncKey::objective>, "elastic and predictive alone read it"},
    {"sync.trend", unread<SyncKey::trend>, "elastic alone reads it"},
    {"sync.ahead", unread<SyncKey::ahead>, "predictive alone reads it"},
    {"learning.data", no_learning, gradients_not_real},
    {"learning.shards", no_learning, gradients_not_real},
    {"learning.rate", no_learning, gradients_not_real},
    {"learning.batch", no_learning, gradients_not_real},
    {"learning.every", no_learning, gradients_not_real},
    {"learning.target", no_learning, gradients_not_real},
    {"learning.batch", [](const Point& point) { return !no_learning(point) && !fixed_batches(point); },
     "sync.batch says the samples"},
    {"load.hysteresis", not_adaptive, "adaptive server load alone reads it"},
    {"load.ema_shift", not_adaptive, "adaptive server load alone reads it"},
    {"load.budget", not_adaptive, "adaptive server load alone reads it"},
    {"job.retransmit",
     [](const Point& point) {
       return confirmed(point) && point.fabric.outages.empty() && !point.fabric.disturbs() &&
              !point.fabric.loses_light_late();
     },
     "by confirmation nothing is lost"},
    {"job.retransmit", [](const Point& point) { return point.packets && !point.fabric.outages.empty(); },
     "packets are held back, and none is lost"},
    {"nodes.clock_offset", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.clock_spread", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.clock_drift", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.clock_sync", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.clock_sync", [](const Point& point) { return !confirmed(point) && point.nodes.clock_drift_ppm == 0; },
     "no clock drifts without nodes.clock_drift"},
    {"nodes.listen", [](const Point& point) { return point.nodes.transport == "inproc"; }, "nodes are in this process"},
    {"nodes.keys", keys_unused, "no nodes come from elsewhere over tcp"},
    {"nodes.insecure", not_over_tcp, "no nodes are reached over tcp"},
    {"charge_planning",
     [](const Point& point) {
       return names_outside_scheduler(point.planning.scheduler) && !names_program(point.planning.scheduler);
     },
     "a plan of a file has its times already"},
    {"placer", places_nothing, "there are no servers to place, or they own keys of the whole model (job.server_load)"},
    {"placer", [](const Point& point) { return point.planning.outside && given_placement(point); },
     "the plan of a file has its placement already"},
    {"planning_timeout",
     [](const Point& point) { return !names_program(point.planning.scheduler) && !has_own_policy(point); },
     "no policy is a program or a function"},
    {"seed", draws_nothing, "nothing is drawn at random without payload and by this policy"},
};

}  // namespace

std::span<const UnusedKey> keys_with_conditions() { return effect_conditions; }

std::vector<std::string> without_effect(const Experiment& experiment) {
  std::vector<std::string> sentences = experiment.left_out;
  const auto add = [&](const Setting& setting, std::ptrdiff_t rows, std::string_view why) {
    if (rows == 0 || setting.origin == "default") return;
    const std::size_t all = experiment.points.size();
    const std::string where = static_cast<std::size_t>(rows) == all
                                  ? "in this experiment"
                                  : "in " + std::to_string(rows) + " of " + std::to_string(all) + " rows";
    sentences.push_back(setting.origin + ": " + setting.key + " has no effect " + where + ": " + std::string(why));
  };
  for (const UnusedKey& condition : effect_conditions) {
    const auto setting = std::ranges::find(experiment.settings, condition.key, &Setting::key);
    if (setting == experiment.settings.end()) continue;
    add(*setting, std::count_if(experiment.points.begin(), experiment.points.end(), condition.in), condition.why);
  }
  for (const Setting& setting : experiment.settings) {
    const bool listed = std::ranges::count(job_keys, setting.key.substr(setting.key.find('.') + 1)) > 0;
    const std::string name = setting.key.starts_with("job.") ? setting.key.substr(4) : setting.key;
    if (!listed || name.find('.') != std::string::npos)
      add(setting,
          std::ranges::count_if(
              experiment.points,
              [&](const Point& point) { return std::ranges::count(point.said_by_all_jobs, name) > 0; }),
          own_value);
  }
  return sentences;
}

}  // namespace ocs
