// Flows find their places in the file, and the places become priorities.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/given_order.hpp"

#include <algorithm>
#include <tuple>

#include "host/scheduler/check_plan.hpp"

namespace ocs {
namespace {

/// What the file gives a transfer.
struct Given {
  Ticks start;
  Plane plane;
  Id flow;
  Input in;
  std::string outs;
  std::int64_t length;
};

/// By their first starts.
std::vector<Given> transfers_of(const std::vector<Reservation>& filed) {
  std::map<std::pair<Plane, Id>, Given> found;
  for (const Reservation& r : filed) {
    const auto [given, is_new] =
        found.try_emplace({r.plane, r.flow}, Given{r.start, r.plane, r.flow, r.in, ports_text(r.outs), 0});
    given->second.start = std::min(given->second.start, r.start);
    given->second.length += (r.end - r.up).n;
  }
  std::vector<Given> all;
  all.reserve(found.size());
  for (auto& [key, given] : found) all.push_back(std::move(given));
  std::sort(all.begin(), all.end(), [](const Given& a, const Given& b) {
    return std::tie(a.start, a.plane, a.flow) < std::tie(b.start, b.plane, b.flow);
  });
  return all;
}

}  // namespace

GivenOrder::GivenOrder(const std::vector<Reservation>& filed, std::string name, std::unique_ptr<Scheduler> by_priority,
                       bool keys_move)
    : name_(std::move(name)), by_priority_(std::move(by_priority)), keys_move_(keys_move) {
  for (const Given& given : transfers_of(filed)) {
    Places& places = places_[{given.in, given.outs}];
    places.ends.push_back((places.ends.empty() ? 0 : places.ends.back()) + std::max<std::int64_t>(given.length, 1));
    places.ranks.push_back(transfers_++);
  }
}

/// In the order of the file, iteration after iteration.
std::int64_t GivenOrder::rank_of(const Flow& flow) const {
  if (const auto known = ranks_.find(index(flow.id)); known != ranks_.end()) return known->second;
  const std::string outs = ports_text(flow.outs);
  const auto found = places_.find({flow.in, outs});
  if (found == places_.end() && keys_move_) return ranks_.emplace(index(flow.id), transfers_).first->second;
  if (found == places_.end())
    throw BrokenRule(ErrorKind::input, PlanRule::demand,
                     name_ + " breaks the rule \"" + std::string(name_of(PlanRule::demand)) +
                         "\": " + std::to_string(index(flow.in)) + " -> " + outs + " has to carry " +
                         std::to_string(flow.length.n) + ", not nothing");
  Places& places = found->second;
  const std::int64_t all = places.ends.back(), at = places.asked % all;
  const auto place = std::upper_bound(places.ends.begin(), places.ends.end(), at) - places.ends.begin();
  const std::int64_t iteration = keys_move_ ? 0 : places.asked / all;
  const std::int64_t rank = iteration * transfers_ + places.ranks[static_cast<std::size_t>(place)];
  places.asked += flow.length.n;
  return ranks_.emplace(index(flow.id), rank).first->second;
}

Plan GivenOrder::plan(const Problem& problem) const {
  std::vector<std::pair<std::int64_t, std::size_t>> order;
  order.reserve(problem.flows.size());
  for (std::size_t k = 0; k < problem.flows.size(); ++k) order.emplace_back(rank_of(problem.flows[k]), k);
  std::sort(order.begin(), order.end());
  Problem ranked = problem;
  ranked.attained.clear();
  for (std::size_t turn = 0; turn < order.size(); ++turn) {
    Flow& flow = ranked.flows[order[turn].second];
    flow.priority = static_cast<std::int32_t>(turn);
    flow.coflow = Id{static_cast<std::uint32_t>(turn)};
  }
  return by_priority_->plan(ranked);
}

}  // namespace ocs
