// What coflows that come over time need, and what they don't go with.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <set>
#include <span>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/files/node_rates.hpp"
#include "testbed/experiment/fit/horizon.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/planning_charge.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_flows = 10'000'000;  // memory

/// A key that must have its one right value. Tables [[job]] don't say these keys: what the point says holds for all.
struct OneValue {
  const char* key;
  std::string (*value)(const Point&);  ///< as it is shown
  const char* right;
};

std::string size_or_none(Bytes size) { return size.n == 0 ? "\"none\"" : to_text(size.n, Dimension::size); }

constexpr OneValue values[] = {
    {"fabric.all_stop", [](const Point& p) { return std::string(p.fabric.all_stop ? "true" : "false"); }, "false"},
};

/// Besides, of a trace, which computes nothing.
constexpr OneValue values_of_traces[] = {
    {"job.duration", [](const Point& p) { return to_text(p.job.duration.n, Dimension::time); }, "0 ps"},
    {"job.collective", [](const Point& p) { return in_quotes(p.job.collective); }, "\"none\""},
    {"job.peers", [](const Point& p) { return in_quotes(p.job.peers); }, "\"none\""},
    {"job.sync", [](const Point& p) { return in_quotes(is_eager(p.job) ? p.job.sync : "bsp_phase"); }, "\"bsp_phase\""},
    {"job.fusion", [](const Point& p) { return size_or_none(p.job.slicing.fusion); }, "\"none\""},
    {"job.slice", [](const Point& p) { return size_or_none(p.job.slicing.slice); }, "\"none\""},
    {"job.overlap", [](const Point& p) { return in_quotes(p.job.overlap.wait_free ? "wait_free_backprop" : "none"); },
     "\"none\""},
    {"job.priorities", [](const Point& p) { return in_quotes(p.job.overlap.by_layer ? "layer" : "none"); }, "\"none\""},
    {"job.server_load", [](const Point& p) { return in_quotes(p.job.server_load); }, "\"placed\""},
    {"compute.published", [](const Point& p) { return in_quotes(p.job.published); }, "\"\""},
    {"compute.trace", [](const Point& p) { return in_quotes(p.job.trace); }, "\"\""},
    {"compute.factors", [](const Point& p) { return in_quotes(p.job.factors); }, "\"\""},
    {"compute.jitter", [](const Point& p) { return in_quotes(p.job.jitter); }, "\"\""},
    {"compute.stragglers", [](const Point& p) { return in_quotes(p.job.stragglers); }, "\"\""},
};

void check_values(const Point& point, const Origins& origins, std::span<const OneValue> of) {
  const std::string when = point.trace ? " when coflows come over time" : " when jobs come over time";
  for (const OneValue& each : of)
    if (const std::string value = each.value(point); value != each.right)
      refuse(origin_of(origins, {each.key, "jobs", "job.workload"}),
             std::string(each.key).append(" is ").append(value).append(", but must be ").append(each.right) + when);
}

void check_scheduler_of_arrivals(const Point& point, const Origins& origins) {
  const bool ranked = std::any_of(point.jobs.begin(), point.jobs.end(),
                                  [&](const ArrivingJob& job) { return job.priority != point.jobs.front().priority; });
  if (point.packets && ranked)
    refuse(origin_of(origins, {"network", "jobs"}),
           "network is \"packet\", but must be \"circuit\" when jobs have different priorities: packets know none");
  if (point.packets) return;
  const std::string scheduler = scheduler_name(point, find(policies(), point.policy, "policy"));
  if (point.planning.outside && point.planning.outside->plan)
    refuse(origin_of(origins, {"scheduler"}), "scheduler is " + in_quotes(scheduler) +
                                                  ", but must be a scheduler or a program when coflows or jobs come "
                                                  "over time: a plan from a file is of one job");
  if (!plans_around_circuits(point, scheduler))
    refuse(origin_of(origins, {"scheduler", "policy"}),
           "policy is " + in_quotes(point.policy) + " with scheduler " + in_quotes(scheduler) +
               ", but when coflows come over time it must be one that plans around circuits that carry data: " +
               arrivals_schedulers());
  if (ranked && !plans_priorities(scheduler))
    refuse(origin_of(origins, {"scheduler", "policy", "jobs"}),
           "scheduler is " + in_quotes(scheduler) +
               ", but must be one that knows priorities when jobs have different ones: " + priority_schedulers());
}

/// Jobs that bring their nodes are there one by one, so no place is fixed for these.
void check_nodes_of_jobs(const Point& point, const Origins& origins) {
  const NodeSettings& nodes = point.nodes;
  if (nodes.listen.empty() && nodes.expect == 0) return;
  refuse(origin_of(origins, {"nodes.listen", "nodes.expect"}),
         (nodes.listen.empty() ? "nodes.expect is " + std::to_string(nodes.expect) + ", but must be 0"
                               : "nodes.listen is " + in_quotes(nodes.listen) + ", but must be \"\"") +
             " where jobs have nodes of their own, which the program starts");
}

/// Each job as if it were the only one.
void check_each(const Point& point, const Origins& origins, const std::string& origin) {
  Origins of_jobs = origins;
  for (const Key& key : experiment_keys()) of_jobs.try_emplace(std::string(key.name), origin);
  for (auto& [key, place] : of_jobs)
    if (place == "default") place = origin;
  const Point common = without_jobs(point);
  std::set<std::size_t> tables;
  for (std::size_t k = 0; k < point.jobs.size(); ++k) {
    const ArrivingJob& one = point.jobs[k];
    const bool is_new = tables.insert(one.table).second;
    if (!is_new && point.nodes.word_cycles.empty()) continue;
    if (one.job.collective != "none" && one.job.reconfigure != "scheduler")
      refuse(origin, "job " + std::to_string(one.table) + ": collective.reconfigure is " +
                         in_quotes(one.job.reconfigure) +
                         ", but must be \"scheduler\" for a job among others: a policy sets the whole map");
    try {
      check_job(alone_of(common, one, k), of_jobs);
    } catch (const Error& failure) {
      const std::string who = "job " + std::to_string(one.table) + ": ", sentence = failure.what();
      const bool placed = sentence.starts_with(origin + ": ");
      if (!placed) throw Error(ErrorKind::input, sentence + " (" + who.substr(0, who.size() - 2) + ")");
      refuse(origin, who + sentence.substr(origin.size() + 2));
    }
  }
}

/// Nodes have one kind of payload, and count the coflows that have it.
void check_payload(const Point& point, const std::string& origin) {
  const std::string payload = arriving_payload(point);
  for (const ArrivingJob& one : point.jobs)
    if (one.job.payload != "none" && one.job.payload != payload)
      refuse(origin, "one job has payload " + in_quotes(payload) + " and another " + in_quotes(one.job.payload) +
                         ", but those that have any must have the same");
  std::int64_t coflows = point.trace ? static_cast<std::int64_t>(point.trace->coflows.size()) : 0;
  for (const ArrivingJob& one : point.jobs)
    if (one.job.payload != "none") coflows += std::int64_t{2} * one.job.iterations;
  if (payload != "none" && coflows > most_payload_coflows)
    refuse(origin, "there are " + std::to_string(coflows) + " coflows with payload, but must be at most " +
                       std::to_string(most_payload_coflows));
}

void check_ports(const Point& point, const Origins& origins, const std::string& origin) {
  if (point.trace && point.trace->ports > point.fabric.ports)
    refuse(origin_of(origins, {"fabric.ports", "job.workload"}),
           "fabric.ports is " + std::to_string(point.fabric.ports) + ", but must be at least " +
               std::to_string(point.trace->ports) + ", the ports of the trace");
  std::int64_t flows = 0;
  for (const ArrivingJob& one : point.jobs) {
    const JobSettings& job = one.job;
    if (kind_of(job) == JobKind::servers && job.colocated && job.servers > job.workers)
      refuse(origin, "a job has " + std::to_string(job.servers) + " servers on the nodes of " +
                         std::to_string(job.workers) + " workers, but must have at most as many");
    const int nodes = node_count(job);
    if (nodes > point.fabric.ports)
      refuse(origin, "a job has " + std::to_string(nodes) + " nodes, but must fit the " +
                         std::to_string(point.fabric.ports) + " ports of the switch");
    flows += std::int64_t{2} * job.workers * job.servers;
  }
  if (flows > most_flows)
    refuse(origin, "the jobs have " + std::to_string(flows) +
                       " pairs of a worker and a server, each way, but must have at most " +
                       std::to_string(most_flows));
}

/// One circuit after another is slower than any plan.
void check_length(const Point& point, const std::string& origin) {
  const Wide set_up = Wide{longest_set_up(point).n} + to_cycles(point.planning.fixed, point.fabric.cycle).n;
  const Wide slowest = slowest_word(point.nodes.word_cycles).n;
  Wide longest = 0;
  const auto add = [&](const Work& work) {
    Wide words = 0;
    for (const auto* parts : {&work.push, &work.pull})
      for (const CoflowPart& part : *parts) words += part.words.n * slowest + set_up;
    longest = std::max<Wide>(longest, work.arrival.n) + words * work.iterations + work.compute_of_all().n;
  };
  try {
    for (const Work& work : work_of(point)) add(work);
  } catch (const Error& failure) {
    refuse(origin, failure.what());
  }
  if (longest * point.fabric.cycle.n + replayed_time(point.planning) > horizon_ps)
    refuse(origin, "everything that comes, one after the other, must end " + std::string(within_horizon));
}

}  // namespace

void check_arrivals(const Point& point, const Origins& origins) {
  const std::string origin = origin_of(origins, {"jobs", "job.workload"});
  check_values(point, origins, values);
  if (point.trace) check_values(point, origins, values_of_traces);
  check_deaths(point, origins);
  check_scheduler_of_arrivals(point, origins);
  check_ports(point, origins, origin);
  if (point.whole_jobs) {
    check_nodes_of_jobs(point, origins);
    return check_each(point, origins, origin);
  }
  check_length(point, origin);
  check_payload(point, origin);
}

}  // namespace ocs
