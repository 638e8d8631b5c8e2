// What has begun leaves the list of what is to be planned.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/circuits/online_plan.hpp"

#include <algorithm>
#include <utility>

namespace ocs {

std::size_t OnlinePlan::place_of(Id flow) const {
  const auto found =
      std::lower_bound(flows_.begin(), flows_.end(), flow, [](const Flow& one, Id wanted) { return one.id < wanted; });
  if (found == flows_.end() || found->id != flow || found->length.n == 0) return flows_.size();
  return static_cast<std::size_t>(found - flows_.begin());
}

void OnlinePlan::add(const std::vector<Flow>& flows) {
  for (const Flow& flow : flows) {
    // Most are the latest; one that has waited for a port may be older.
    const auto behind = std::upper_bound(flows_.begin(), flows_.end(), flow.id,
                                         [](Id added, const Flow& other) { return added < other.id; });
    begun_.insert(begun_.begin() + (behind - flows_.begin()), Ticks{});
    flows_.insert(behind, flow);
    ++open_;
  }
}

void OnlinePlan::begin_until(Cycles now) {
  for (; next_ < plan_.size() && plan_[next_].start.n < now.n; ++next_) {
    const Reservation& r = plan_[next_];
    circuits_.begin(r);
    const std::size_t place = place_of(r.flow);
    if (place == flows_.size()) {  // dropped: its circuit is set up, and that is all
      circuits_.end(r, r.up);
      continue;
    }
    if (on_begin_)
      on_begin_(flows_[place], r);
    else
      beginnings_.try_emplace(r.flow, Cycles{r.start.n});
    begun_[place] += r.end - r.up;
    flows_[place].length -= r.end - r.up;
    if (flows_[place].length.n == 0) --open_;
  }
}

void OnlinePlan::prioritise(Id flow, std::int32_t priority) {
  if (const std::size_t place = place_of(flow); place < flows_.size()) flows_[place].priority = priority;
}

void OnlinePlan::drop(Id flow) {
  if (const std::size_t place = place_of(flow); place < flows_.size()) {
    flows_[place].length = {};
    --open_;
  }
  if (!confirmed_) return;  // others of the plan may use its circuit
  const auto is_its = [&](const Reservation& r) { return r.flow == flow; };
  plan_.erase(std::remove_if(plan_.begin() + static_cast<std::ptrdiff_t>(next_), plan_.end(), is_its), plan_.end());
}

void OnlinePlan::fill(Problem& problem, Cycles now) {
  std::size_t kept = 0;
  for (std::size_t place = 0; place < flows_.size(); ++place) {
    if (flows_[place].length.n == 0) continue;
    if (kept != place) flows_[kept] = flows_[place], begun_[kept] = begun_[place];
    ++kept;
  }
  flows_.resize(kept);
  begun_.resize(kept);
  problem.flows = std::move(flows_);
  problem.up = circuits_.circuits(Ticks{now.n}, confirmed_);
}

void OnlinePlan::adopt(Problem& problem, Plan& plan) {
  flows_ = std::move(problem.flows);
  std::stable_sort(plan.list.begin(), plan.list.end(),
                   [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
  std::vector<Ticks> offsets = begun_;
  for (Reservation& r : plan.list) {
    Ticks& offset = offsets[place_of(r.flow)];
    r.offset = offset;
    offset += r.end - r.up;
  }
  plan_ = plan.list;
  next_ = 0;
}

Cycles OnlinePlan::take_beginning(Id flow) {
  const auto found = beginnings_.find(flow);
  if (found == beginnings_.end()) return never<Cycles>;
  const Cycles at = found->second;
  beginnings_.erase(found);
  return at;
}

}  // namespace ocs
