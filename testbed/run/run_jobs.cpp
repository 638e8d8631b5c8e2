// Puts jobs on one engine as they arrive, and says of each what it came to.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_jobs.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <set>
#include <utility>
#include <vector>

#include "host/scheduler/catalogue.hpp"
#include "testbed/engine/engine.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/nodes/process/memory_use.hpp"
#include "testbed/run/arrival_sums.hpp"
#include "testbed/run/job_at_work.hpp"
#include "testbed/run/job_row.hpp"
#include "testbed/run/paper.hpp"
#include "testbed/run/point_network.hpp"
#include "testbed/run/watched_moments.hpp"

namespace ocs {
namespace {

/// Transfers of all jobs are planned as they come. Only those of one job, in no order of its own, may share flows.
CircuitRules rules_of_jobs(const Point& point) {
  return {.online = true, .join_coflows = point.jobs.size() == 1 && !point.jobs.front().job.overlap.by_layer};
}

Picos in_cycles(Picos time, Picos cycle) { return to_picos(to_cycles(time, cycle), cycle); }

/// From the priorities that jobs were given to their order.
std::map<std::int32_t, std::int32_t> urgencies(const Point& point) {
  std::map<std::int32_t, std::int32_t> of_priority;
  for (const ArrivingJob& one : point.jobs) of_priority.emplace(one.priority, 0);
  std::int32_t next = 0;
  for (auto& [priority, urgency] : of_priority) urgency = next++;
  return of_priority;
}

/// The jobs of a row on an engine. Those that are over have left nothing but their lines.
class JobsOnEngine {
 public:
  JobsOnEngine(const Point& point, const RunOptions& options, Engine& engine)
      : point_(point),
        common_(without_jobs(point)),
        options_(options),
        engine_(engine),
        urgencies_(urgencies(point)),
        entries_(point.jobs.size()) {
    for (std::size_t k = 0; k < point.jobs.size(); ++k) add(k);
  }

  std::vector<JobEntry> take_entries() { return std::move(entries_); }
  const JobResult& sum() const { return sum_; }

 private:
  void add(std::size_t k) {
    const ArrivingJob& one = point_.jobs[k];
    engine_.add({.at = in_cycles(one.arrival, point_.fabric.cycle),
                 .first_node = one.first_node,
                 .ports = point_.fabric.ports,
                 .urgency = urgencies_.at(one.priority),
                 .over = [this, k] { over(k); }},
                [this, k](JobActions& actions) { return begin(k, actions); });
  }

  std::shared_ptr<RunningJob> begin(std::size_t k, JobActions& actions) {
    std::size_t seat = 0;
    while (seats_.contains(seat)) ++seat;
    seats_.insert(seat);
    const ArrivingJob& one = point_.jobs[k];
    Point alone = alone_of(common_, one, k);
    NodePlaces places;
    if (options_.runner) places.runner = options_.runner(alone, seat);
    if (options_.watch != nullptr)
      places.hooks.grant = shown_grants(*options_.watch, one.first_node, point_.fabric.ports);
    const auto job = std::make_shared<JobAtWork>(std::move(alone), actions.now());
    under_way_[k] = {job, seat};
    // The engine may outlive this object when a run fails: what it runs keeps what it refers to, and goes first.
    struct Kept {
      std::shared_ptr<JobAtWork> job;
      std::shared_ptr<RunningJob> running;
    };
    const auto kept = std::make_shared<Kept>(Kept{job, job->begin(places, engine_, actions)});
    return {kept, kept->running.get()};
  }

  void over(std::size_t k) {
    const auto [job, seat] = under_way_.at(k);
    under_way_.erase(k);
    seats_.erase(seat);
    JobEntry& entry = entries_[k] = job->entry();
    entry.job = static_cast<std::int64_t>(k + 1);
    entry.table = static_cast<std::int64_t>(point_.jobs[k].table);
    entry.first_node = point_.jobs[k].first_node;
    add_up(job->result());
  }

  void add_up(const JobResult& one) {
    sum_.crc_errors += one.crc_errors;
    sum_.sum_errors += one.sum_errors;
    sum_.words_delivered += one.words_delivered;
    sum_.retransmissions += one.retransmissions;
    sum_.words_retransmitted += one.words_retransmitted;
    sum_.bytes_delivered += one.bytes_delivered;
    sum_.bytes_local += one.bytes_local;
    sum_.messages += one.messages;
    sum_.peak_rss += one.peak_rss;
  }

  struct UnderWay {
    std::shared_ptr<JobAtWork> job;
    std::size_t seat;
  };

  const Point& point_;
  const Point common_;  ///< of all jobs
  const RunOptions& options_;
  Engine& engine_;
  std::map<std::int32_t, std::int32_t> urgencies_;
  std::map<std::size_t, UnderWay> under_way_;
  std::set<std::size_t> seats_;  ///< taken: each has its nodes
  std::vector<JobEntry> entries_;
  JobResult sum_;
};

/// How long a job takes on a network that has nothing else to do.
class TimesAlone {
 public:
  TimesAlone(const Point& point, const PointNetwork& network) : point_(point), network_(network) {}

  Picos of(std::size_t k) {
    const ArrivingJob& one = point_.jobs[k];
    const bool like_others =
        point_.nodes.word_cycles.empty() && point_.nodes.rate_changes.empty() && !one.job.compute_model.varies();
    if (!like_others) return time(k);
    const auto [known, is_new] = by_table_.try_emplace(one.table, Picos{0});
    if (is_new) known->second = time(k);
    return known->second;
  }

 private:
  Picos time(std::size_t k) {
    Point paper = on_paper(point_, 0);
    paper.job.deaths.clear();
    paper.jobs = {paper.jobs[k]};
    Point alone = alone_of(paper, 0);
    alone.job.compute_model = alone_of(point_, k).job.compute_model;
    if (paper.packets) {
      PacketNetwork empty(packet_config(paper));
      return on(empty, paper, std::move(alone));
    }
    Circuits empty(paper, *network_.scheduler(), rules_of_jobs(paper));
    return on(empty.network(), paper, std::move(alone));
  }

  Picos on(Network& empty, const Point& paper, Point alone) const {
    const ArrivingJob& one = paper.jobs.front();
    const Picos arrival = paper.nodes.rate_changes.empty() ? Picos{0} : in_cycles(one.arrival, paper.fabric.cycle);
    JobAtWork job(std::move(alone), arrival);
    Engine engine(empty);
    engine.add({.at = arrival, .first_node = one.first_node, .ports = paper.fabric.ports},
               [&](JobActions& actions) { return job.begin({}, engine, actions); });
    engine.run();
    return job.result().end - arrival;
  }

  const Point& point_;
  const PointNetwork& network_;
  std::map<std::size_t, Picos> by_table_;
};

void add_slowdowns(ArrivalResults& results, std::vector<JobEntry>& jobs, TimesAlone& alone) {
  std::vector<double> slowdowns;
  for (std::size_t k = 0; k < jobs.size(); ++k) {
    const Picos time = alone.of(k);
    if (time.n <= 0) continue;
    jobs[k].slowdown = static_cast<double>((jobs[k].end - jobs[k].arrival).n) / static_cast<double>(time.n);
    slowdowns.push_back(*jobs[k].slowdown);
  }
  add_slowdowns(results, slowdowns);
}

void add_totals(Row& row, const std::vector<JobEntry>& jobs, const PointNetwork& network) {
  ArrivalResults& results = row.arrivals.emplace();
  results.by_coflow = false;
  results.jobs = static_cast<std::int64_t>(jobs.size());
  Picos first = never<Picos>, last{0}, iterations{0};
  for (const JobEntry& job : jobs) {
    first = std::min(first, job.arrival);
    last = std::max(last, job.end);
    iterations += job.iteration_mean.value_or(job.end - job.arrival);
  }
  results.makespan = last - first;
  results.iteration_mean = {iterations.n / results.jobs};
  row.sim_time = row.sync_time = results.makespan;
  if (network.circuits() != nullptr)
    add_plan_counts(results, *network.circuits(), static_cast<std::size_t>(row.planes));
}

void add_sums(Row& row, const JobResult& sum) {
  row.crc_errors = sum.crc_errors;
  row.sum_errors = sum.sum_errors;
  row.retransmissions = sum.retransmissions;
  row.words_retransmitted = sum.words_retransmitted;
  row.bytes_delivered = sum.bytes_delivered;
  row.bytes_local = sum.bytes_local;
  row.messages = sum.messages;
  row.peak_rss = sum.peak_rss + peak_rss();
}

}  // namespace

Row run_jobs(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  Row row = requested_row(point);
  row.version = options.version;
  PointNetwork network(point, options, find(policies(), point.policy, "policy"), rules_of_jobs(point));
  reset_peak_rss();
  Engine engine(network.network(), options.progress);
  JobsOnEngine jobs(point, options, engine);
  engine.run();
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  add_sums(row, jobs.sum());
  network.add_to(row, jobs.sum());
  row.jobs = jobs.take_entries();
  add_totals(row, row.jobs, network);
  TimesAlone alone(point, network);
  add_slowdowns(*row.arrivals, row.jobs, alone);
  return row;
}

}  // namespace ocs
