// Builds the planes, carries what comes, and says how long coflows and jobs took.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/run_arrivals.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "testbed/engine/profiled.hpp"
#include "testbed/experiment/arrivals.hpp"
#include "testbed/experiment/point_scheduler.hpp"
#include "testbed/experiment/prepare.hpp"
#include "testbed/jobs/planes.hpp"
#include "testbed/nodes/memory_use.hpp"
#include "testbed/run/circuits.hpp"

namespace ocs {
namespace {

/// On the switches, or on paper if there are none.
std::unique_ptr<PlanesCarrier> carrier_of(const Point& point, const Scheduler& scheduler, const SessionConfig& config,
                                          Fabric* fabric) {
  std::vector<std::unique_ptr<CoflowSession>> sessions;
  for (int p = 0; p < point.fabric.planes; ++p) {
    const auto plane = static_cast<std::size_t>(p);
    SessionConfig own = config;
    if (fabric) own.on_event = fabric->log(plane);
    sessions.push_back(std::make_unique<CoflowSession>(fabric ? &fabric->plane(plane) : nullptr, scheduler, own));
  }
  return std::make_unique<PlanesCarrier>(std::move(sessions), plane_split(point),
                                         fabric ? std::function<void()>([fabric] { fabric->settled(); }) : nullptr);
}

/// What the carrier does is the controller's.
class ProfiledCarrier final : public CoflowCarrier {
 public:
  ProfiledCarrier(CoflowCarrier& inner, Profile& profile) : inner_(inner), profile_(profile) {}
  void release(Coflow coflow) override {
    const Profile::In in(&profile_, Part::network);
    inner_.release(std::move(coflow));
  }
  Cycles next() const override {
    const Profile::In in(&profile_, Part::network);
    return inner_.next();
  }
  Cycles advance(Cycles limit, std::vector<CoflowEnd>& ended) override {
    const Profile::In in(&profile_, Part::network);
    return inner_.advance(limit, ended);
  }

 private:
  CoflowCarrier& inner_;
  Profile& profile_;
};

/// Nearest rank: the least that so many thousandths don't exceed.
template <class T>
T quantile(std::vector<T> values, std::size_t thousandths) {
  std::sort(values.begin(), values.end());
  return values[(values.size() * thousandths + 999) / 1000 - 1];
}

void add_times(ArrivalResults& results, const Carriage& carried, const Carriage& paper, std::span<const Work> works,
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
    results.cct_p95 = to_picos(Cycles{quantile(ccts, 950)}, cycle);
    results.cct_p99 = to_picos(Cycles{quantile(ccts, 990)}, cycle);
    results.cct_max = to_picos(Cycles{quantile(ccts, 1000)}, cycle);
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
  if (!slowdowns.empty()) {
    double all = 0;
    for (const double each : slowdowns) all += each;
    results.slowdown_mean = all / static_cast<double>(slowdowns.size());
    results.slowdown_p95 = quantile(slowdowns, 950);
    results.slowdown_p99 = quantile(slowdowns, 990);
  }
  std::map<std::pair<std::uint32_t, std::uint32_t>, Cycles> planned;
  for (const CoflowTime& time : paper.coflows) planned[{time.work, time.round}] = time.cct();
  for (const CoflowTime& time : carried.coflows) {
    const auto found = planned.find({time.work, time.round});
    if (found == planned.end() || found->second != time.cct()) ++results.off_plan;
  }
}

}  // namespace

Row run_arrivals(const Point& point, const RunOptions& options) {
  const auto started = std::chrono::steady_clock::now();
  reset_peak_rss();
  const Picos cycle = point.fabric.cycle;
  const auto scheduler = make_scheduler(point, find(policies(), point.policy, "policy"));
  Row row = asked_row(point);
  row.version = options.version;
  const std::vector<Work> works = work_of(point);
  SessionConfig config;
  config.ports = point.fabric.ports;
  config.times = control_times(point);
  config.seed = point.seed;

  Fabric fabric(fabric_spec(point), fabric_hooks(options));
  SessionConfig guarded = config;
  guarded.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  std::optional<ProfiledScheduler> profiled_scheduler;
  const auto carrier =
      carrier_of(point, before(profiled_scheduler, std::as_const(*scheduler), options.profile), guarded, &fabric);
  std::optional<ProfiledCarrier> profiled_carrier;
  const std::string waiting = "the switch";
  const auto tick = [&](Cycles now, std::size_t over) {
    if (!options.progress) return;
    const double share = static_cast<double>(over) / static_cast<double>(works.size());
    options.progress->tick({to_picos(now, cycle), share, waiting, {}});
  };
  const Carriage carried =
      carry(works, before(profiled_carrier, static_cast<CoflowCarrier&>(*carrier), options.profile), tick);
  row.wall_time_s = std::chrono::duration<double>(std::chrono::steady_clock::now() - started).count();
  row.peak_rss = peak_rss();

  const auto on_paper = carrier_of(point, *scheduler, config, nullptr);
  const Carriage paper = carry(works, *on_paper);
  ArrivalResults& results = row.arrivals.emplace();
  add_times(results, carried, paper, works,
            carry_alone(works, [&] { return carrier_of(point, *scheduler, config, nullptr); }), cycle);
  for (const auto& session : carrier->sessions()) {
    results.plans += session->stats().plans;
    results.late += session->stats().late;
  }
  row.sim_time = row.sync_time = results.makespan;
  fabric.add_to(row);
  row.bytes_delivered = Bytes{row.words_passed * point.fabric.word.n};
  return row;
}

}  // namespace ocs
