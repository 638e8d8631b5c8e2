// Coflow after coflow: each is planned on the circuits that the one before has left.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/jobs/alone.hpp"

#include <algorithm>
#include <map>

#include "host/controller/circuits/started_circuits.hpp"

namespace ocs {
namespace {

class Alone {
 public:
  Alone(const AloneRules& rules, const Scheduler& scheduler)
      : rules_(rules),
        scheduler_(scheduler),
        split_(rules.split),
        circuits_(rules.planes, StartedCircuits(rules.ports)) {
    problem_.ports = rules.ports;
    problem_.delta = Ticks{rules.times.set_up().n};
    problem_.pair_delta = rules.times.pair_set_ups(rules.ports);
    problem_.reuse = Ticks{rules.times.reuse().n};
    problem_.seed = rules.seed;
  }

  Cycles time(const Work& work) {
    Cycles now{0};
    for (std::size_t iteration = 0; iteration < static_cast<std::size_t>(work.iterations); ++iteration) {
      now = carry(work.push, now + work.compute_of(iteration));
      now = carry(work.pull, now);
    }
    return now;
  }

 private:
  /// @returns when it is known that its last word is with its node
  Cycles carry(std::vector<CoflowPart> parts, Cycles now) {
    if (parts.empty()) return now;
    std::sort(parts.begin(), parts.end());
    std::vector<SplitFlow> flows;
    flows.reserve(parts.size());
    for (const CoflowPart& part : parts) flows.push_back({part.from, part.to, part.words});
    const auto shares = split_.split(flows);
    ++coflow_;
    Cycles end = now;
    for (std::size_t plane = 0; plane < shares.size(); ++plane) {
      if (shares[plane].empty()) continue;
      problem_.flows.clear();
      for (const PlaneShare& share : shares[plane]) {
        const SplitFlow& flow = flows[share.flow];
        const Ticks word{std::max(word_of(flow.from), word_of(flow.to)).n};
        problem_.flows.push_back({.id = Id{++flow_},
                                  .coflow = Id{coflow_},
                                  .in = Input{flow.from},
                                  .outs = Outputs{}.set(flow.to),
                                  .length = Ticks{share.words.n * word.n},
                                  .release = Ticks{now.n},
                                  .word = word});
      }
      end = std::max(end, plan(plane, now));
      for (const PlaneShare& share : shares[plane]) split_.done(plane, flows[share.flow], share.words);
    }
    return end + rules_.times.fibre.longest() + rules_.heard;
  }

  Cycles word_of(std::size_t port) const { return rules_.word_cycles.empty() ? Cycles{1} : rules_.word_cycles[port]; }

  /// @returns the first cycle without any of it
  Cycles plan(std::size_t plane, Cycles now) {
    StartedCircuits& circuits = circuits_[plane];
    problem_.now = Ticks{rules_.times.online_origin(now).n};
    problem_.up = circuits.circuits(problem_.now, true);
    Plan plan = scheduler_.plan(problem_);
    std::stable_sort(plan.list.begin(), plan.list.end(),
                     [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
    Ticks end = problem_.now;
    for (const Reservation& r : plan.list) {
      circuits.begin(r);
      end = std::max(end, r.end);
    }
    for (const Reservation& r : plan.list) circuits.end(r, r.end);
    return Cycles{end.n};
  }

  const AloneRules& rules_;
  const Scheduler& scheduler_;
  PlaneSplit split_;
  std::vector<StartedCircuits> circuits_;  ///< of each plane
  Problem problem_;
  std::uint32_t coflow_ = 0, flow_ = 0;
};

}  // namespace

std::vector<Cycles> times_alone(std::span<const Work> works, const std::function<Cycles(const Work&)>& time) {
  std::vector<Cycles> lengths;
  std::multimap<std::size_t, std::size_t> known;  // by number of parts: places of works that have been timed
  for (std::size_t w = 0; w < works.size(); ++w) {
    const Work& work = works[w];
    const auto same = [&](const auto& place) {
      const Work& other = works[place.second];
      return other.compute == work.compute && other.iterations == work.iterations && other.push == work.push &&
             other.pull == work.pull;
    };
    const auto [first, last] = known.equal_range(work.push.size());
    if (const auto found = std::find_if(first, last, same); found != last) {
      lengths.push_back(lengths[found->second]);
      continue;
    }
    known.emplace(work.push.size(), w);
    lengths.push_back(time(work));
  }
  return lengths;
}

std::vector<Cycles> times_alone(std::span<const Work> works, const AloneRules& rules, const Scheduler& scheduler) {
  return times_alone(works, [&](const Work& work) { return Alone(rules, scheduler).time(work); });
}

}  // namespace ocs
