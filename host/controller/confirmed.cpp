// Queues per port decide who may start; events say who has ended.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/confirmed.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace ocs {

ConfirmedController::ConfirmedController(Switch& plane, const ControlTimes& times)
    : switch_(plane),
      times_(times),
      ahead_(plane.constants().ahead ? times.lead : Cycles{0}),
      map_(plane.constants().ports),
      inputs_(static_cast<std::size_t>(plane.constants().ports)),
      outputs_(inputs_.size()),
      tuned_since_(inputs_.size()) {}

template <class F>
void ConfirmedController::for_each_queue(const Step& step, F&& f) {
  f(inputs_[index(step.planned.in)]);
  for_each_output(step.planned.outs, [&](std::size_t out) { f(outputs_[out]); });
}

/// The cycle in which its commands act if they are decided on in `now` at the earliest.
Cycles ConfirmedController::act_of(const Reservation& planned, Cycles now) const {
  if (planned.up == planned.start)
    return std::max(Cycles{planned.start.n - 1}, now + times_.lead + times_.fibre.of(index(planned.in)));
  return std::max(Cycles{planned.start.n}, now) + times_.lead;
}

void ConfirmedController::adopt(Plan plan, Cycles from) {
  map_.check(plan);
  std::erase_if(steps_, [&](const Step& step) {
    return step.state == Step::State::over || (step.state == Step::State::waiting && step.planned.start.n >= from.n);
  });
  const auto earlier = [](const Reservation& a, const Reservation& b) { return a.start < b.start; };
  if (!std::is_sorted(plan.list.begin(), plan.list.end(), earlier))  // most schedulers plan in this order
    std::stable_sort(plan.list.begin(), plan.list.end(), earlier);
  steps_.reserve(steps_.size() + plan.list.size());
  for (const Reservation& r : plan.list) steps_.push_back({.planned = r});
  rebuild();
}

void ConfirmedController::rebuild() {
  for (Queue& queue : inputs_) queue.clear();
  for (Queue& queue : outputs_) queue.clear();
  ready_.clear();
  bursts_.clear();
  left_ = steps_.size();
  const Cycles now = switch_.clock().now();
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    Step& step = steps_[n];
    step.blocked = 0;
    for_each_queue(step, [&](Queue& queue) {
      if (!queue.empty()) ++step.blocked;
      queue.push_back(n);
    });
    if (step.state == Step::State::running)
      bursts_.emplace(step.burst, n);
    else if (step.blocked == 0)  // what has been decided on already keeps its cycle
      ready_.emplace(step.act = step.act == Cycles{} ? act_of(step.planned, now) : step.act, n);
  }
  by_end_.resize(left_);
  std::iota(by_end_.begin(), by_end_.end(), std::size_t{0});
  std::sort(by_end_.begin(), by_end_.end(),
            [this](std::size_t a, std::size_t b) { return planned_end(a) < planned_end(b); });
  first_end_ = 0;
  behind_ends_ = left_;
}

/// Of steps that are over: those before the first end and behind the last one of what is left.
void ConfirmedController::forget_ends() {
  while (first_end_ < behind_ends_ && steps_[by_end_[first_end_]].is_over()) ++first_end_;
  while (first_end_ < behind_ends_ && steps_[by_end_[behind_ends_ - 1]].is_over()) --behind_ends_;
}

/// Takes a step out of its queues: the one that is first now may be ready.
void ConfirmedController::leave(std::size_t number) {
  Step& step = steps_[number];
  if (step.state == Step::State::waiting && step.blocked == 0) ready_.erase({step.act, number});
  step.state = Step::State::over;
  const Cycles now = switch_.clock().now();
  for_each_queue(step, [&](Queue& queue) {
    if (queue.front() != number) {
      queue.erase(std::find(queue.begin(), queue.end(), number));
      return;
    }
    queue.pop_front();
    if (queue.empty()) return;
    Step& head = steps_[queue.front()];
    if (--head.blocked == 0) ready_.emplace(head.act = act_of(head.planned, now), queue.front());
  });
  forget_ends();
  --left_;
}

void ConfirmedController::note_state(const Event& event) {
  up_.set(event.port, event.kind == EventKind::up);
  if (event.kind == EventKind::tuning) tuned_since_[event.port] = event.at;
  if (event.kind == EventKind::up || event.kind == EventKind::idle) tuned_since_[event.port].reset();
  if (event.kind != EventKind::up || outputs_[event.port].empty()) return;
  Step& step = steps_[outputs_[event.port].front()];
  if (step.state != Step::State::running || step.lit.test(event.port)) return;
  if (step.set_up) step.up = std::max(step.up, event.at);
  step.lit.set(event.port);
}

void ConfirmedController::on(const Event& event) {
  map_.on(event);
  if (event.kind <= EventKind::failed) return note_state(event);
  if (event.kind != EventKind::burst_done) return;
  const auto found = bursts_.find(event.burst);
  if (found == bursts_.end()) return;
  Step& step = steps_[found->second];
  carried_.push_back({step.planned, step.burst, step.start, step.up, event.at, event.words.count});
  leave(found->second);
  bursts_.erase(found);
}

/// A bound for the end of a step whose planned end may be past: it has all its words to send while it hasn't begun, or
/// while one of its outputs has had no light.
Cycles ConfirmedController::end_of(const Step& step, Cycles now) const {
  const Cycles planned{step.planned.end.n}, length{step.planned.end.n - step.planned.up.n};
  if (step.state == Step::State::waiting) return std::max(planned, now + length);
  Cycles begin = step.up;
  if ((step.planned.outs & ~step.lit).any()) begin = std::max(begin, now);
  for_each_output(step.planned.outs & ~step.lit, [&](std::size_t out) {
    if (tuned_since_[out])
      begin = std::max(begin, *tuned_since_[out] +
                                  times_.light(step.planned.in, Outputs{}.set(out), static_cast<int>(outputs_.size())));
  });
  return std::max(planned, begin + length);
}

Cycles ConfirmedController::earliest_end(Cycles now) const {
  if (left_ == 0) return never<Cycles>;
  if (const Cycles planned = planned_end(by_end_[first_end_]); planned > now) return planned;
  Cycles first = never<Cycles>;
  for (const Step& step : steps_)
    if (!step.is_over() && step.blocked == 0) first = std::min(first, end_of(step, now));
  return first;  // a blocked one ends after the one before it
}

Cycles ConfirmedController::next() const { return ready_.empty() ? never<Cycles> : ready_.begin()->first - ahead_; }

/// What acts in one cycle is given together; where commands may be given ahead, that is a lead before.
void ConfirmedController::act(Cycles now) {
  while (next() <= now) {
    const Cycles at = std::max(now, ready_.begin()->first);
    std::vector<std::size_t> due;
    while (!ready_.empty() && ready_.begin()->first <= at) {
      due.push_back(ready_.begin()->second);
      ready_.erase(ready_.begin());
    }
    set_up(due, at);
    for (const std::size_t number : due) start(number, at);
  }
}

/// One commit for all: it joins the inputs of `due` to their outputs alone.
void ConfirmedController::set_up(const std::vector<std::size_t>& due, Cycles now) {
  std::vector<CircuitMap::Join> joins;
  joins.reserve(due.size());
  for (const std::size_t number : due) joins.push_back({&steps_[number].planned});
  std::vector<Select> change = map_.join(joins);
  for (std::size_t k = 0; k < due.size(); ++k) {
    Step& step = steps_[due[k]];
    step.set_up = joins[k].changes;
    if (step.set_up) step.light = light_of(step.planned, change);
  }
  for (const Select& one : change) tuned_since_[index(one.out)].reset();
  if (change.empty()) return;
  if (const auto refusal = switch_.commit({now, std::move(change)})) refused_by_switch("a commit", *refusal);
}

/// @param change of its commit, by output: that is the order of programming, in which what is made dark counts, too
Cycles ConfirmedController::light_of(const Reservation& planned, const std::vector<Select>& change) const {
  const auto ports = static_cast<int>(outputs_.size());
  Cycles most = times_.light(planned.in, planned.outs, ports);
  if (times_.programming.n == 0) return most;
  for (std::size_t rank = 0; rank < change.size(); ++rank) {
    const std::size_t out = index(change[rank].out);
    if (planned.outs.test(out))
      most = std::max(most, times_.light(planned.in, Outputs{}.set(out), ports) + times_.programming_of(rank));
  }
  return most;
}

void ConfirmedController::start(std::size_t number, Cycles now) {
  Step& step = steps_[number];
  const Reservation& planned = step.planned;
  const bool established = planned.up == planned.start;
  step.burst = Id{++last_burst_};
  step.state = Step::State::running;
  if (!step.set_up) step.lit = up_ & planned.outs;
  step.start = established ? now + Cycles{1} : now - times_.lead;
  // At the earliest: a circuit that is up later than it should be keeps its words waiting.
  step.up = std::max(Cycles{planned.up.n}, now + Cycles{1});
  if (step.set_up) step.up = std::max(step.up, now + Cycles{1} + step.light + times_.fibre.of(index(planned.in)));
  const Burst burst{.id = step.burst,
                    .in = planned.in,
                    .length = words_of(planned),
                    .not_before = step.up,
                    .gated = true,
                    .word = Cycles{planned.word.n}};
  if (const auto refusal = switch_.start(burst))
    refused_by_switch("the burst of flow " + std::to_string(index(planned.flow)), *refusal);
  bursts_.emplace(step.burst, number);
}

bool ConfirmedController::abort(Id flow) {
  bool running = false;
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    if (steps_[n].planned.flow != flow) continue;
    if (steps_[n].state == Step::State::waiting) leave(n);
    if (steps_[n].state != Step::State::running) continue;
    running = true;
    if (const auto refusal = switch_.stop(steps_[n].burst)) refused_by_switch("to stop a burst", *refusal);
  }
  return running;
}

std::vector<EstablishedCircuit> ConfirmedController::circuits() const {
  std::vector<EstablishedCircuit> all = map_.circuits();
  for (EstablishedCircuit& circuit : all)
    if (const Queue& queue = inputs_[index(circuit.in)];
        !queue.empty() && steps_[queue.front()].state == Step::State::running)
      circuit.free_at = steps_[queue.front()].planned.end;
  return all;
}

const Reservation* ConfirmedController::running(Id burst) const {
  const auto found = bursts_.find(burst);
  return found == bursts_.end() ? nullptr : &steps_[found->second].planned;
}

std::optional<Expected> ConfirmedController::last_of(Id flow) const { return last_step_of(steps_, flow); }

const std::vector<Carried>& ConfirmedController::take_carried() {
  taken_.clear();
  taken_.swap(carried_);
  return taken_;
}

}  // namespace ocs
