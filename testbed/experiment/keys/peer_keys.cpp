// What peers need, and what they don't go with.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/peer_keys.hpp"

#include "host/controller/transfers/flow_limit.hpp"
#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/fit/horizon.hpp"
#include "testbed/experiment/fit/without_servers.hpp"
#include "testbed/experiment/keys/sync_keys.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

bool while_sending(const Point& point) { return selection_of(point.job).while_sending; }

/// Whether peers go in rounds, each model to one receiver at a time: neither priorities nor multicast are needed.
bool plain_rounds(const Point& point) {
  return !while_sending(point) && point.job.peer_settings.layer != Layer::network;
}

constexpr Condition peer_conditions[] = {
    {"network", [](const Point& p) { return !p.packets || plain_rounds(p); },
     "\"circuit\", which knows priorities and multicast,"},
    {"fabric.all_stop", [](const Point& p) { return !p.fabric.all_stop || plain_rounds(p); }, "false"},
    {"job.collective", [](const Point& p) { return !p.collective(); }, "\"none\""},
    {"job.server_load", [](const Point& p) { return p.job.server_load == "placed"; }, "\"placed\""},
};

void check_scheduler(const Point& point, const Origins& origins) {
  const std::string scheduler = scheduler_name(point, find(policies(), point.policy, "policy"));
  const std::string is =
      "policy is " + in_quotes(point.policy) + " with scheduler " + in_quotes(scheduler) + ", but must be ";
  const std::string origin = origin_of(origins, {"scheduler", "policy", "peers.layer", "job.peers"});
  if (point.job.peer_settings.layer == Layer::network && !point.planning.outside &&
      !scheduler_traits(scheduler).multicast)
    refuse(origin, is + "\"multicast\" with peers.layer \"L3\" of job.peers " + in_quotes(point.job.peers) +
                       ", whose circuits go to several nodes");
  if (while_sending(point) && !plans_priorities(scheduler))
    refuse(origin, is + "one that plans around circuits that carry data and knows priorities with job.peers " +
                       in_quotes(point.job.peers) + ": " + priority_schedulers());
}

}  // namespace

std::vector<std::string> selection_names() {
  std::vector<std::string> names = {"none"};
  for (const SelectionEntry& entry : receiver_selections()) names.emplace_back(entry.name);
  return names;
}

const SelectionEntry& selection_of(const JobSettings& job) {
  return job.own_peers ? *job.own_peers : find_selection(job.peers);
}

void read_eta(std::string_view text, PeerSettings& settings) {
  const auto [num, den] = parse_fraction(text);
  if (num > den) throw Error(ErrorKind::input, "must be from 0 to 1: a share of a model");
  settings.eta_num = num;
  settings.eta_den = den;
}

std::string peer_text(const JobSettings& job) {
  if (job.peers == "none") return {};
  const PeerSettings& s = job.peer_settings;
  std::string text = "p=" + std::to_string(s.p) + " k=" + (s.k ? std::to_string(*s.k) : "any") +
                     " layer=" + (s.layer == Layer::network ? "L3" : "L7") + " delta=" + (s.delta ? "1" : "0");
  if (selection_of(job).while_sending)
    text += " s=" + std::to_string(s.s) + " eta=" + std::to_string(s.eta_num) + "/" + std::to_string(s.eta_den);
  return text;
}

void check_peers(const Point& point, const Origins& origins) {
  const JobSettings& job = point.job;
  const std::string name = in_quotes(job.peers);
  check_without_servers(point, origins, "job.peers", job.peers, peer_conditions);
  if (job.peer_settings.p + 1 > static_cast<std::uint32_t>(job.workers))
    refuse(origin_of(origins, {"peers.p", "job.workers", "job.peers"}),
           "peers.p is " + std::to_string(job.peer_settings.p) + ", but must be at most " +
               std::to_string(job.workers - 1) + ", the number of other workers");
  check_scheduler(point, origins);
  check_deaths(point, origins);
  const std::int64_t words = to_words(job.workload->total, point.fabric.word.n).n;
  if (words > max_flow_words)
    refuse(origin_of(origins, {"job.workload", "fabric.word"}),
           "job.workload is " + in_quotes(job.workload_name) + ", but must have at most 2^32 - 1 words of " +
               to_text(point.fabric.word.n, Dimension::size) + " with job.peers " + name + "; it has " +
               std::to_string(words));
  check_payload_without_servers(point, origins, "job.peers", job.peers, words * job.workers);
  const std::int64_t slowest = slowest_word(point.nodes.word_cycles).n;
  const Wide circuit = Wide{words} * slowest + point.fabric.tuning_cycles.n + point.fabric.locking_cycles.n +
                       point.fabric.longest_programming().n + 2 +
                       Wide{point.fabric.fibre_cycles.n + point.control.lead_cycles.n} * 2;
  const Wide round = (circuit * point.fabric.cycle.n + point.planning.fixed.n) * job.workers * job.workers +
                     job.compute.n + job.compute_fixed.n +
                     Wide{point.nodes.control_latency.n} * 4;  // one circuit after another, each planned by itself
  check_horizon(point, round, origins);
}

}  // namespace ocs
