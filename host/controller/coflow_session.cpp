// What has begun is kept, the rest is planned; the clock goes from one cause to plan to the next.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/coflow_session.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "host/core/error.hpp"

namespace ocs {

void insert_by_release(std::deque<Coflow>& queue, Coflow coflow) {
  const auto place = std::upper_bound(queue.begin(), queue.end(), coflow.release,
                                      [](Cycles at, const Coflow& other) { return at < other.release; });
  queue.insert(place, std::move(coflow));
}

CoflowSession::CoflowSession(Switch* plane, const Scheduler& scheduler, SessionConfig config)
    : plane_(plane), scheduler_(scheduler), config_(std::move(config)), begun_circuits_(config_.ports) {
  if (config_.times.mode != ControlMode::confirmed)
    throw Error(ErrorKind::input, "coflows that are released over time are carried by confirmation, not by timetable");
  if (plane_) {
    if (!config_.check) throw Error(ErrorKind::internal, "a session on a switch needs a plan checker");
    config_.times.lead = std::max(config_.times.lead, plane_->constants().min_lead);
    controller_ = std::make_unique<ConfirmedController>(*plane_, config_.times);
    now_ = plane_->clock().now();
  }
  problem_.ports = config_.ports;
  problem_.delta = Ticks{config_.times.set_up().n};
  problem_.pair_delta = config_.times.pair_set_ups(config_.ports);
  problem_.reuse = Ticks{1} + Ticks{(config_.times.lead + config_.times.fibre).n};
  problem_.seed = config_.seed;
}

void CoflowSession::release(Coflow coflow) {
  if (coflow.parts.empty() || coflow.release < now_ || open_.contains(coflow.id))
    throw Error(ErrorKind::internal, "coflow " + std::to_string(index(coflow.id)) +
                                         " is empty, under way, or released before cycle " + std::to_string(now_.n));
  insert_by_release(pending_, std::move(coflow));
}

Cycles CoflowSession::next() const {
  if (plan_due_) return now_ + Cycles{1};
  Cycles first = on_fibre_.empty() ? next_end_ : std::min(next_end_, on_fibre_.front().at);
  if (!pending_.empty() || (expected_ != never<Cycles> && !open_.empty()))
    first = std::min(first, next_release() + Cycles{1});
  return first == never<Cycles> ? first : std::max(first, now_ + Cycles{1});
}

Words CoflowSession::served(std::uint32_t owner) const {
  const auto found = served_.find(owner);
  return Words{found == served_.end() ? 0 : found->second};
}

/// Coflows that are released by now.
void CoflowSession::take_in(Cycles now) {
  if (expected_ <= now) {  // the plan reaches no further
    plan_due_ = plan_due_ || !open_.empty();
    expected_ = never<Cycles>;
  }
  for (; !pending_.empty() && pending_.front().release <= now; pending_.pop_front()) {
    Coflow& coflow = pending_.front();
    std::sort(coflow.parts.begin(), coflow.parts.end(), [](const CoflowPart& a, const CoflowPart& b) {
      return a.from != b.from ? a.from < b.from : a.to < b.to;
    });
    Open& open = open_[coflow.id];
    open.owner = coflow.owner;
    open.first_flow = Id{last_flow_ + 1};
    for (const CoflowPart& part : coflow.parts) {
      problem_.flows.push_back({.id = Id{++last_flow_},
                                .coflow = coflow.id,
                                .in = Input{part.from},
                                .outs = Outputs{}.set(part.to),
                                .length = Ticks{part.words.n},
                                .release = Ticks{coflow.release.n},
                                .priority = coflow.priority});
      open.to_plan += part.words.n;
    }
    open.under_way = open.to_plan;
    coflow_of_flow_[open.first_flow] = coflow.id;
    plan_due_ = true;
  }
}

Flow& CoflowSession::flow_of(Id flow) {
  return *std::lower_bound(problem_.flows.begin(), problem_.flows.end(), flow,
                           [](const Flow& a, Id id) { return a.id < id; });
}

/// The plan's reservations that start before `now` aren't to be planned again; they change what is joined to what.
void CoflowSession::begin_until(Cycles now) {
  for (; begun_ < plan_.list.size() && plan_.list[begun_].start.n < now.n; ++begun_) {
    const Reservation& r = plan_.list[begun_];
    const std::int64_t words = (r.end - r.up).n;
    Flow& flow = flow_of(r.flow);
    flow.length -= Ticks{words};
    Open& open = open_.at(flow.coflow);
    open.to_plan -= words;
    open.last_end = std::max(open.last_end, Cycles{r.end.n});
    served_[open.owner] += words;
    begun_circuits_.begin(r);
    ++stats_.reservations;
    if (r.up - r.start > problem_.reuse) ++stats_.set_ups;
  }
}

void CoflowSession::plan(Cycles now) {
  begin_until(now);
  std::erase_if(problem_.flows, [](const Flow& flow) { return flow.length.n == 0; });
  problem_.now = Ticks{now.n};
  problem_.horizon = Ticks{next_release().n};
  problem_.up = begun_circuits_.circuits(problem_.now, plane_ != nullptr);
  problem_.attained.clear();
  for (const auto& [id, open] : open_) problem_.attained.push_back({id, Ticks{served(open.owner).n}});
  plan_ = scheduler_.plan(problem_);
  if (config_.check) config_.check(problem_, plan_);
  expect_ends();
  std::stable_sort(plan_.list.begin(), plan_.list.end(),
                   [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
  begun_ = 0;
  plan_due_ = false;
  ++stats_.plans;
  stats_.flows_planned += static_cast<std::int64_t>(problem_.flows.size());
  if (controller_) controller_->adopt(plan_, now);
}

/// When coflows end if everything is carried out as planned.
void CoflowSession::expect_ends() {
  for (auto& [id, open] : open_) {
    open.left_out = open.to_plan;
    open.expected = open.last_end;
  }
  for (const Reservation& r : plan_.list) {
    Open& open = open_.at(flow_of(r.flow).coflow);
    open.left_out -= (r.end - r.up).n;
    open.expected = std::max(open.expected, Cycles{r.end.n});
  }
  next_end_ = never<Cycles>;
  for (auto& [id, open] : open_)
    if (open.left_out == 0) next_end_ = std::min(next_end_, open.expected);
}

void CoflowSession::end(Id coflow) {
  on_fibre_.push_back({coflow, now_ + config_.times.fibre});
  coflow_of_flow_.erase(open_.at(coflow).first_flow);
  open_.erase(coflow);
  plan_due_ = !open_.empty();
}

void CoflowSession::end_on_paper() {
  std::vector<Id> over;
  for (const auto& [id, open] : open_)
    if (open.left_out == 0 && open.expected <= now_) over.push_back(id);
  for (const Id coflow : over) end(coflow);
}

void CoflowSession::end_on_switch() {
  std::vector<Id> over;
  for (const Carried& carried : controller_->take_carried()) {
    const Id coflow = std::prev(coflow_of_flow_.upper_bound(carried.planned.flow))->second;
    Open& open = open_.at(coflow);
    open.under_way -= carried.sent.n;
    begun_circuits_.end(carried.planned, Ticks{carried.end.n});
    if (carried.late()) ++stats_.late;
    if (open.under_way == 0) over.push_back(coflow);
  }
  if (over.empty()) return;
  begin_until(now_);
  std::sort(over.begin(), over.end());
  for (const Id coflow : over) end(coflow);
}

Cycles CoflowSession::advance(Cycles limit, std::vector<CoflowEnd>& ended) {
  while (now_ < limit) {
    take_in(now_);
    if (plan_due_) plan(now_);
    const std::size_t before = on_fibre_.size();
    Cycles stop = std::min(limit, next_release());
    if (before > 0) stop = std::min(stop, on_fibre_.front().at);
    if (!plane_) {
      now_ = std::min(stop, next_end_);
      begin_until(now_);
      end_on_paper();
    } else {
      controller_->act(now_);
      now_ = plane_->clock().run_until(std::min(stop, controller_->next()));
      events_.clear();
      plane_->take_events(events_);
      for (const Event& event : events_) {
        if (config_.on_event) config_.on_event(event);
        controller_->on(event);
      }
      end_on_switch();
    }
    if (on_fibre_.size() > before) next_end_ = never<Cycles>;
    if (on_fibre_.empty() || on_fibre_.front().at > now_) continue;
    for (; !on_fibre_.empty() && on_fibre_.front().at <= now_; on_fibre_.pop_front())
      ended.push_back(on_fibre_.front());
    break;
  }
  return now_;
}

}  // namespace ocs
