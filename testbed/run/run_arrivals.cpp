// Carries what comes, and says how long coflows and jobs took.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_arrivals.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <span>
#include <utility>

#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/jobs/coflows_job.hpp"
#include "testbed/run/arrival_sums.hpp"
#include "testbed/run/point_network.hpp"

namespace ocs {
namespace {

CircuitRules rules() { return {.online = true, .join_coflows = false, .at_ends = true}; }

/// Plans that take as long as others took, one after the other; more of them take as long as the last.
class AsCharged final : public Scheduler {
 public:
  AsCharged(const Scheduler& inner, const std::vector<Cycles>& charges) : inner_(inner), charges_(charges) {}

  Plan plan(const Problem& problem) const override {
    Plan plan = inner_.plan(problem);
    if (charges_.empty()) return plan;
    last_ = charges_[std::min(next_++, charges_.size() - 1)];
    delay(plan, last_);
    return plan;
  }
  Cycles last() const { return last_; }

 private:
  const Scheduler& inner_;
  const std::vector<Cycles>& charges_;
  mutable std::size_t next_ = 0;
  mutable Cycles last_{0};
};

AloneRules alone_rules(const Point& point) {
  return {.ports = point.fabric.ports,
          .planes = static_cast<std::size_t>(point.fabric.planes),
          .split = plane_split(point),
          .times = control_times(point),
          .seed = point.seed,
          .heard = to_cycles(point.nodes.control_latency, point.fabric.cycle),
          .word_cycles = point.nodes.word_cycles};
}

CoflowsSpec coflows_spec(const Point& point, std::span<const Work> works, PayloadMode payload) {
  return {.works = works,
          .cycle = point.fabric.cycle,
          .word_bytes = point.fabric.word.n,
          .payload = payload,
          .seed = point.seed,
          .nodes = all_have_nodes(point),
          .attempts = point.job.retransmit ? JobSpec{}.attempts : 1,
          .control_latency = point.nodes.control_latency,
          .deaths = point.job.deaths,
          .timeout = std::chrono::milliseconds(point.nodes.timeout.n / 1'000'000'000)};
}

/// Without payload, and nobody dies.
CoflowsSpec undisturbed_spec(const Point& point, std::span<const Work> works) {
  CoflowsSpec spec = coflows_spec(point, works, PayloadMode::none);
  spec.deaths.clear();
  return spec;
}

std::int64_t off_plan(const Point& point, const PointNetwork& network, std::vector<Work> works,
                      const CarriedCoflows& carried) {
  for (Work& work : works) work.payload = false;
  const AsCharged scheduler(*network.scheduler(), network.charged());
  CircuitRules on_paper = rules();
  on_paper.charged = [&] { return scheduler.last(); };
  Circuits circuits(point, scheduler, on_paper);
  const CoflowsSpec spec = undisturbed_spec(point, works);
  const CarriedCoflows paper = run_coflows(spec, circuits.network(), nullptr, nullptr).carried;
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycles> planned;
  for (const CoflowTime& time : paper.coflows) planned[{time.work, time.round}] = time.cct();
  return std::count_if(carried.coflows.begin(), carried.coflows.end(), [&](const CoflowTime& time) {
    const auto found = planned.find({time.work, time.round});
    return found == planned.end() || found->second != time.cct();
  });
}

void add_times(ArrivalResults& results, const CarriedCoflows& carried, std::span<const Work> works,
               std::span<const Cycles> alone, Picos cycle) {
  std::vector<std::int64_t> ccts;
  std::int64_t sum = 0;
  for (const CoflowTime& time : carried.coflows) {
    ccts.push_back(time.cct().n);
    sum += time.cct().n;
  }
  results.jobs = static_cast<std::int64_t>(works.size());
  results.coflows = static_cast<std::int64_t>(ccts.size());
  results.makespan = to_picos(carried.last - carried.first, cycle);
  if (!ccts.empty()) {
    const auto count = static_cast<std::int64_t>(ccts.size());
    results.cct_mean = to_picos(Cycles{(sum + count / 2) / count}, cycle);
    results.cct_p95 = to_picos(Cycles{nearest_rank(ccts, 950)}, cycle);
    results.cct_p99 = to_picos(Cycles{nearest_rank(ccts, 990)}, cycle);
    results.cct_max = to_picos(Cycles{nearest_rank(ccts, 1000)}, cycle);
  }
  std::int64_t iteration_sum = 0;
  for (std::size_t w = 0; w < works.size(); ++w)
    iteration_sum += (carried.ended[w] - works[w].arrival).n / works[w].iterations;
  if (!works.empty())
    results.iteration_mean = to_picos(Cycles{iteration_sum / static_cast<std::int64_t>(works.size())}, cycle);
  std::vector<double> slowdowns;
  for (std::size_t w = 0; w < works.size(); ++w)
    if (alone[w].n > 0)
      slowdowns.push_back(static_cast<double>((carried.ended[w] - works[w].arrival).n) /
                          static_cast<double>(alone[w].n));
  add_slowdowns(results, slowdowns);
}

/// From the release of each iteration's pushes to the end of its pulls, by work.
std::vector<std::vector<std::int64_t>> synchronisations(const CarriedCoflows& carried, std::size_t works, Picos cycle) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::pair<Cycles, Cycles>> spans;  // by work and iteration
  for (const CoflowTime& time : carried.coflows) {
    const auto [span, is_new] = spans.try_emplace({time.work, time.round / 2}, std::pair(time.released, time.ended));
    if (is_new) continue;
    auto& [first, last] = span->second;
    first = std::min(first, time.released);
    last = std::max(last, time.ended);
  }
  std::vector<std::vector<std::int64_t>> of_works(works);
  for (const auto& [key, span] : spans) of_works[key.first].push_back(to_picos(span.second - span.first, cycle).n);
  return of_works;
}

/// A line for each job; of coflows alone nobody waits at a gate.
std::vector<JobEntry> entries_of(const Point& point, const CarriedCoflows& carried, std::span<const Work> works,
                                 std::span<const Cycles> alone) {
  const Picos cycle = point.fabric.cycle;
  const auto synchronised = synchronisations(carried, works.size(), cycle);
  std::vector<JobEntry> entries;
  for (std::size_t k = 0; k < works.size(); ++k) {
    const ArrivingJob& one = point.jobs[k];
    const Cycles time = carried.ended[k] - works[k].arrival;
    JobEntry& entry = entries.emplace_back();
    entry.job = static_cast<std::int64_t>(k + 1);
    entry.table = static_cast<std::int64_t>(one.table);
    entry.kind = "servers";
    entry.workload = one.job.workload_name;
    entry.scheme = one.job.sync;
    entry.workers = one.job.workers;
    entry.nodes = node_count(one.job);
    entry.first_node = one.first_node;
    entry.iterations = one.job.iterations;
    entry.arrival = to_picos(works[k].arrival, cycle);
    entry.end = to_picos(carried.ended[k], cycle);
    if (alone[k].n > 0) entry.slowdown = static_cast<double>(time.n) / static_cast<double>(alone[k].n);
    entry.iteration_mean = to_picos(Cycles{time.n / works[k].iterations}, cycle);
    std::int64_t words = 0;
    for (const auto* parts : {&works[k].push, &works[k].pull})
      for (const CoflowPart& part : *parts) words += part.words.n * works[k].iterations;
    entry.bytes_delivered = Bytes{words * point.fabric.word.n};
    if (synchronised[k].empty()) continue;
    const Spread pst = spread_of(synchronised[k]);
    entry.pst_mean = Picos{pst.mean};
    entry.pst_min = Picos{*std::min_element(synchronised[k].begin(), synchronised[k].end())};
    entry.pst_max = Picos{pst.max};
  }
  return entries;
}

/// What the nodes say of their payload.
void add_payload(Row& row, const JobResult& job) {
  row.crc_errors = job.crc_errors;
  row.sum_errors = job.sum_errors;
  row.retransmissions = job.retransmissions;
  row.words_retransmitted = job.words_retransmitted;
  row.messages = job.messages;
  row.peak_rss = job.peak_rss;
}

/// When a work that is alone on an empty network ends: on paper, or over packets.
Cycles end_alone(const Point& point, const PointNetwork& network, Work work) {
  work.payload = false;
  const CoflowsSpec spec = undisturbed_spec(point, std::span(&work, 1));
  const auto ended_on = [&](Network& empty) {
    return run_coflows(spec, empty, nullptr, nullptr).carried.ended.front();
  };
  if (point.packets) {
    PacketConfig config = packet_config(point);
    config.outages.clear();
    PacketNetwork empty(std::move(config));
    return ended_on(empty);
  }
  Circuits empty(point, *network.scheduler(), rules());
  return ended_on(empty.network());
}

/// How long works take alone; where rates change, each at its own time. Where mirrors are programmed in turn, no plan
/// says how long, but paper does.
std::vector<Cycles> lengths_alone(const Point& point, const PointNetwork& network, std::span<const Work> works) {
  if (!point.nodes.rate_changes.empty()) {
    std::vector<Cycles> lengths;
    for (const Work& work : works) lengths.push_back(end_alone(point, network, work) - work.arrival);
    return lengths;
  }
  if (!point.packets && !point.fabric.programs_in_turn())
    return times_alone(works, alone_rules(point), *network.scheduler());
  return times_alone(works, [&](Work work) {
    work.arrival = Cycles{0};
    return end_alone(point, network, work);
  });
}

/// What plans came to; on paper everything is executed in exactly its cycles, and no port dies.
void add_plans(ArrivalResults& results, const Point& point, const PointNetwork& network, const std::vector<Work>& works,
               const CarriedCoflows& carried) {
  add_plan_counts(results, *network.circuits(), static_cast<std::size_t>(point.fabric.planes));
  if (results.late > 0 || !point.fabric.outages_cycles.empty())
    results.off_plan = off_plan(point, network, works, carried);
}

}  // namespace

Row run_arrivals(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Row row = requested_row(point);
  row.version = options.version;
  row.payload = arriving_payload(point);
  const std::vector<Work> works = work_of(point);
  PointNetwork network(point, options, find(policies(), point.policy, "policy"), rules());
  const CoflowsSpec spec = coflows_spec(point, works, payload_mode(row.payload));
  NodeRunner* const runner = options.runner ? options.runner(point, 0) : nullptr;
  const CoflowsResult result = run_coflows(spec, network.network(), runner, options.progress);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_payload(row, result.job);
  ArrivalResults& results = row.arrivals.emplace();
  const std::vector<Cycles> alone = lengths_alone(point, network, works);
  add_times(results, result.carried, works, alone, point.fabric.cycle);
  if (!point.jobs.empty()) row.jobs = entries_of(point, result.carried, works, alone);
  if (!point.packets) add_plans(results, point, network, works, result.carried);
  row.sim_time = row.sync_time = results.makespan;
  network.add_to(row, result.job);
  row.bytes_delivered = Bytes{row.words_passed * point.fabric.word.n};
  return row;
}

}  // namespace ocs
