// What has begun leaves the list of what is to be planned.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/replanning.hpp"

#include <algorithm>

namespace ocs {

void Replanning::add(const std::vector<Flow>& flows) {
  for (const Flow& flow : flows) left_.emplace(flow.id, Left{flow, {}});
}

void Replanning::begin_until(Cycles now) {
  for (; next_ < plan_.size() && plan_[next_].start.n < now.n; ++next_) {
    const Reservation& r = plan_[next_];
    circuits_.begin(r);
    beginnings_.try_emplace(r.flow, Cycles{r.start.n});
    const auto found = left_.find(r.flow);
    found->second.begun += r.end - r.up;
    if (on_begin_) on_begin_(found->second.flow, r);
    if (found->second.begun == found->second.flow.length) left_.erase(found);
  }
}

void Replanning::prioritise(Id flow, std::int32_t priority) {
  if (const auto found = left_.find(flow); found != left_.end()) found->second.flow.priority = priority;
}

void Replanning::drop(Id flow) {
  left_.erase(flow);
  const auto is_its = [&](const Reservation& r) { return r.flow == flow; };
  plan_.erase(std::remove_if(plan_.begin() + static_cast<std::ptrdiff_t>(next_), plan_.end(), is_its), plan_.end());
}

void Replanning::fill(Problem& problem, Cycles now) {
  for (const auto& [id, left] : left_) {
    problem.flows.push_back(left.flow);
    problem.flows.back().length -= left.begun;
  }
  problem.up = circuits_.circuits(Ticks{now.n}, true);
}

void Replanning::adopt(Plan& plan) {
  std::stable_sort(plan.list.begin(), plan.list.end(),
                   [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
  std::map<Id, Ticks> offsets;
  for (Reservation& r : plan.list) {
    Ticks& offset = offsets.try_emplace(r.flow, left_.at(r.flow).begun).first->second;
    r.offset = offset;
    offset += r.end - r.up;
  }
  plan_ = plan.list;
  next_ = 0;
}

Cycles Replanning::take_beginning(Id flow) {
  const auto found = beginnings_.find(flow);
  if (found == beginnings_.end()) return never<Cycles>;
  const Cycles at = found->second;
  beginnings_.erase(found);
  return at;
}

}  // namespace ocs
