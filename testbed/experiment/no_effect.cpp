// The table of conditions, and who meets them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/no_effect.hpp"

#include <algorithm>

#include "testbed/experiment/point_scheduler.hpp"

namespace ocs {
namespace {

bool confirmed(const Point& point) { return point.control.mode == "confirmed"; }

bool named_switch(const Point& point) { return !point.fabric.switch_name.empty(); }

bool draws_nothing(const Point& point) {
  const Policy& policy = find(policies(), point.policy, "policy");
  const std::string scheduler = scheduler_name(point, policy);
  const bool drawn = scheduler == "sunflow_random" || scheduler == "best" || policy.placer == "random" ||
                     point.nodes.rates == "drawn" || point.job.peers == "random" || !point.job.jitter.empty() ||
                     !point.job.stragglers.empty() || scheduler.starts_with("exec:");
  return point.job.payload == "none" && !drawn && (confirmed(point) || point.nodes.clock_spread.n == 0);
}

enum class Scheme { ssp, dssp, r2sp, p_of_n, elastic, predictive };
constexpr std::string_view scheme_names[] = {"ssp", "dssp", "r2sp", "p_of_n", "elastic", "predictive"};

template <Scheme scheme>
bool not_of(const Point& point) {
  return point.job.sync != scheme_names[static_cast<std::size_t>(scheme)];
}

bool not_adaptive(const Point& point) { return point.job.server_load != "adaptive"; }

bool no_learning(const Point& point) { return !point.job.real_gradients; }
constexpr std::string_view gradients_not_real = "gradients aren't real (compute.gradients)";

bool fixed_batches(const Point& point) { return not_of<Scheme::r2sp>(point) || point.job.sync_settings.batch == 0; }

template <bool or_r2sp>
bool predicts_nothing(const Point& point) {
  return not_of<Scheme::predictive>(point) && point.job.sync != "elastic" && (!or_r2sp || not_of<Scheme::r2sp>(point));
}

bool peers(const Point& point) { return point.peers(); }
bool no_peers(const Point& point) { return !point.peers(); }
bool not_while_sending(const Point& point) { return point.job.peers != "selmcast_ssp"; }

bool packets(const Point& point) { return point.packets; }
constexpr std::string_view no_switch = "network \"packet\" has no switch";
constexpr std::string_view no_circuits = "network \"packet\" has no circuits";

constexpr NoEffect conditions[] = {
    {"fabric.device", packets, no_switch},
    {"fabric.switch", packets, no_switch},
    {"fabric.tuning", packets, no_circuits},
    {"fabric.locking", packets, no_circuits},
    {"fabric.split", packets, no_switch},
    {"fabric.time_warp", packets, no_switch},
    {"control.lead", packets, no_circuits},
    {"nodes.extra_tuning", packets, no_circuits},
    {"scheduler", packets, no_circuits},
    {"job.priorities", packets, "network \"packet\" shares alike"},
    {"fabric.tuning", named_switch, "fabric.switch says how long mirrors move"},
    {"fabric.locking", named_switch, "fabric.switch says how long receivers lock"},
    {"control.lead", [](const Point& point) { return point.fabric.control_latency.has_value(); },
     "fabric.switch says how long its control takes"},
    {"control.guard", confirmed, "by confirmation words wait until their circuit is up"},
    {"job.iterations", [](const Point& point) { return point.job.duration.n > 0; }, "job.duration ends the job"},
    {"job.compute", [](const Point& point) { return !point.job.trace.empty() || !point.job.published.empty(); },
     "compute.trace or compute.published says the times"},
    {"compute.backward", [](const Point& point) { return !point.job.overlap.wait_free; },
     "without job.overlap nothing is pushed before the end of computing"},
    {"job.sync", [](const Point& point) { return point.collective(); }, "job.collective synchronises"},
    {"job.servers", [](const Point& point) { return point.collective(); }, "a collective has no servers"},
    {"job.sync", peers, "job.peers synchronises"},
    {"job.servers", peers, "peers have no servers"},
    {"peers.p", no_peers, "job.peers is \"none\""},
    {"peers.k", no_peers, "job.peers is \"none\""},
    {"peers.layer", no_peers, "job.peers is \"none\""},
    {"peers.delta", no_peers, "job.peers is \"none\""},
    {"peers.s", not_while_sending, "selmcast_ssp alone reads it"},
    {"peers.eta", not_while_sending, "selmcast_ssp alone reads it"},
    {"sync.s", not_of<Scheme::ssp>, "ssp alone reads it"},
    {"sync.s_lo", not_of<Scheme::dssp>, "dssp alone reads it"},
    {"sync.s_up", not_of<Scheme::dssp>, "dssp alone reads it"},
    {"sync.r", not_of<Scheme::r2sp>, "r2sp alone reads it"},
    {"sync.strict", not_of<Scheme::r2sp>, "r2sp alone reads it"},
    {"sync.batch", not_of<Scheme::r2sp>, "r2sp alone reads it"},
    {"sync.batch_min", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.batch_max", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.batch_every", fixed_batches, "without sync.batch, or without r2sp, batches are fixed"},
    {"sync.p", not_of<Scheme::p_of_n>, "p_of_n alone reads it"},
    {"sync.k", not_of<Scheme::p_of_n>, "p_of_n alone reads it"},
    {"sync.ema_shift", predicts_nothing<true>, "r2sp, elastic and predictive alone read it"},
    {"sync.quota", predicts_nothing<false>, "elastic and predictive alone read it"},
    {"sync.objective", predicts_nothing<false>, "elastic and predictive alone read it"},
    {"sync.trend", not_of<Scheme::elastic>, "elastic alone reads it"},
    {"sync.ahead", not_of<Scheme::predictive>, "predictive alone reads it"},
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
    {"job.retransmit", [](const Point& point) { return confirmed(point) && point.fabric.outages.empty(); },
     "by confirmation nothing is lost"},
    {"nodes.clock_offset", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.clock_spread", confirmed, "by confirmation words wait until their circuit is up"},
    {"nodes.listen", [](const Point& point) { return point.nodes.transport == "inproc"; }, "nodes are in this process"},
    {"charge_planning", [](const Point& point) { return point.planning.scheduler.starts_with("plan:"); },
     "a plan of a file has its times already"},
    {"planning_timeout", [](const Point& point) { return !point.planning.scheduler.starts_with("exec:"); },
     "the scheduler is no program"},
    {"seed", draws_nothing, "nothing is drawn at random without payload and by this policy"},
};

}  // namespace

std::span<const NoEffect> keys_with_conditions() { return conditions; }

std::vector<std::string> without_effect(const Experiment& experiment) {
  std::vector<std::string> sentences;
  for (const NoEffect& condition : conditions) {
    const auto setting = std::find_if(experiment.settings.begin(), experiment.settings.end(),
                                      [&](const Setting& each) { return each.key == condition.key; });
    if (setting == experiment.settings.end() || setting->origin == "default") continue;
    const auto rows = std::count_if(experiment.points.begin(), experiment.points.end(), condition.in);
    if (rows == 0) continue;
    const std::size_t all = experiment.points.size();
    const std::string where = static_cast<std::size_t>(rows) == all
                                  ? "in this experiment"
                                  : "in " + std::to_string(rows) + " of " + std::to_string(all) + " rows";
    sentences.push_back(setting->origin + ": " + setting->key + " has no effect " + where + ": " +
                        std::string(condition.why));
  }
  return sentences;
}

}  // namespace ocs
