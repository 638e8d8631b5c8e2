// Queues per port decide who may start; events say who has ended.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/confirmed.hpp"

#include <algorithm>
#include <string>
#include <utility>

namespace ocs {
namespace {

[[noreturn]] void refused(const std::string& what, const Refusal& refusal) {
  throw Error(ErrorKind::run, "the switch refused " + what + ": " + refusal.why);
}

}  // namespace

ConfirmedController::ConfirmedController(Switch& plane)
    : switch_(plane),
      ports_(plane.constants().ports),
      inputs_(static_cast<std::size_t>(ports_)),
      outputs_(static_cast<std::size_t>(ports_)),
      selection_(static_cast<std::size_t>(ports_), dark),
      state_(static_cast<std::size_t>(ports_), EventKind::idle) {}

template <class F>
void ConfirmedController::for_each_queue(const Step& step, F&& f) {
  f(inputs_[index(step.planned.in)]);
  for (std::size_t o = step.planned.outs._Find_first(); o < max_ports; o = step.planned.outs._Find_next(o))
    f(outputs_[o]);
}

/// The cycle in which its commands must act.
Cycles ConfirmedController::act_of(const Reservation& planned) {
  return {planned.start.n - (planned.up == planned.start ? 1 : 0)};
}

void ConfirmedController::adopt(Plan plan, Cycles from) {
  for (const Reservation& r : plan.list) {
    const bool outside = r.outs.none() || (r.outs >> static_cast<std::size_t>(ports_)).any();
    if (index(r.in) >= ports_ || outside || index(r.plane) != 0 || r.up < r.start || r.end < r.up)
      throw Error(ErrorKind::internal, "a plan's reservation for flow " + std::to_string(index(r.flow)) +
                                           " doesn't fit one plane of " + std::to_string(ports_) + " ports");
  }
  std::erase_if(steps_, [&](const Step& step) {
    return step.state == Step::State::over || (step.state == Step::State::waiting && step.planned.start.n >= from.n);
  });
  std::stable_sort(plan.list.begin(), plan.list.end(),
                   [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
  for (const Reservation& r : plan.list) steps_.push_back({.planned = r});
  rebuild();
}

void ConfirmedController::rebuild() {
  for (Queue& queue : inputs_) queue.clear();
  for (Queue& queue : outputs_) queue.clear();
  ready_.clear();
  ends_.clear();
  bursts_.clear();
  left_ = steps_.size();
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    Step& step = steps_[n];
    step.blocked = 0;
    for_each_queue(step, [&](Queue& queue) {
      if (!queue.empty()) ++step.blocked;
      queue.push_back(n);
    });
    ends_.insert(Cycles{step.planned.end.n});
    if (step.state == Step::State::running)
      bursts_.emplace(step.burst, n);
    else if (step.blocked == 0)
      ready_.emplace(act_of(step.planned), n);
  }
}

/// Out of its queues: whoever comes first now may be ready.
void ConfirmedController::leave(std::size_t number) {
  Step& step = steps_[number];
  if (step.state == Step::State::waiting && step.blocked == 0) ready_.erase({act_of(step.planned), number});
  step.state = Step::State::over;
  for_each_queue(step, [&](Queue& queue) {
    const bool first = queue.front() == number;
    queue.erase(std::find(queue.begin(), queue.end(), number));
    if (!first || queue.empty()) return;
    Step& head = steps_[queue.front()];
    if (--head.blocked == 0) ready_.emplace(act_of(head.planned), queue.front());
  });
  ends_.erase(ends_.find(Cycles{step.planned.end.n}));
  --left_;
}

void ConfirmedController::on(const Event& event) {
  if (event.kind == EventKind::refused)
    throw Error(ErrorKind::run, "the switch refused a commit in cycle " + std::to_string(event.at.n - 1));
  if (event.kind <= EventKind::failed) {
    state_[event.port] = event.kind;
    if (event.kind != EventKind::up) return;
    if (const Queue& queue = outputs_[event.port]; !queue.empty()) {
      Step& step = steps_[queue.front()];
      if (step.state == Step::State::running && step.set_up) step.up = std::max(step.up, event.at);
    }
    return;
  }
  if (event.kind != EventKind::burst_done) return;
  const auto found = bursts_.find(event.burst);
  if (found == bursts_.end()) return;
  Step& step = steps_[found->second];
  carried_.push_back({step.planned, step.burst, step.start, step.up, event.at, event.words.count});
  leave(found->second);
  bursts_.erase(found);
}

Cycles ConfirmedController::next() const { return ready_.empty() ? never<Cycles> : ready_.begin()->first; }

void ConfirmedController::act(Cycles now) {
  std::vector<std::size_t> due;
  while (next() <= now) {
    due.push_back(ready_.begin()->second);
    ready_.erase(ready_.begin());
  }
  if (due.empty()) return;
  set_up(due, now);
  for (const std::size_t number : due) start(number, now);
}

/// One commit for all: it joins the inputs of `due` to their outputs alone.
void ConfirmedController::set_up(const std::vector<std::size_t>& due, Cycles now) {
  std::vector<std::uint16_t> wanted = selection_;
  std::vector<bool> moves(static_cast<std::size_t>(ports_), false);  // inputs
  for (const std::size_t number : due) moves[index(steps_[number].planned.in)] = true;
  for (std::uint16_t& input : wanted)
    if (input != dark && moves[input]) input = dark;
  for (const std::size_t number : due) {
    const Reservation& planned = steps_[number].planned;
    for (std::size_t o = planned.outs._Find_first(); o < max_ports; o = planned.outs._Find_next(o)) {
      wanted[o] = index(planned.in);
      if (selection_[o] != wanted[o]) steps_[number].set_up = true;
    }
  }
  Commit commit{.at = now, .change = {}};
  for (std::size_t o = 0; o < wanted.size(); ++o)
    if (wanted[o] != selection_[o])
      commit.change.push_back(
          {Output{static_cast<std::uint16_t>(o)}, wanted[o] == dark ? std::nullopt : std::optional(Input{wanted[o]})});
  if (commit.change.empty()) return;
  if (const auto refusal = switch_.commit(commit)) refused("a commit", *refusal);
  selection_ = std::move(wanted);
}

void ConfirmedController::start(std::size_t number, Cycles now) {
  Step& step = steps_[number];
  const Reservation& planned = step.planned;
  const bool established = planned.up == planned.start;
  step.burst = Id{++last_burst_};
  step.state = Step::State::running;
  step.start = established ? now + Cycles{1} : now;
  step.up = step.set_up ? now + Cycles{1} : std::max(now + Cycles{1}, Cycles{planned.up.n});
  const Burst burst{.id = step.burst,
                    .in = planned.in,
                    .length = Words{planned.end.n - planned.up.n},
                    .not_before = Cycles{planned.up.n},
                    .gated = true};
  if (const auto refusal = switch_.start(burst))
    refused("the burst of flow " + std::to_string(index(planned.flow)), *refusal);
  bursts_.emplace(step.burst, number);
}

bool ConfirmedController::abort(Id flow) {
  bool running = false;
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    if (steps_[n].planned.flow != flow) continue;
    if (steps_[n].state == Step::State::waiting) leave(n);
    if (steps_[n].state != Step::State::running) continue;
    running = true;
    if (const auto refusal = switch_.stop(steps_[n].burst)) refused("to stop a burst", *refusal);
  }
  return running;
}

Cycles ConfirmedController::earliest_end() const { return ends_.empty() ? never<Cycles> : *ends_.begin(); }

std::vector<Circuit> ConfirmedController::circuits() const {
  std::vector<Circuit> all;
  for (std::uint16_t i = 0; i < ports_; ++i) {
    Circuit circuit{.in = Input{i}, .outs = {}, .free_at = Ticks{0}};
    bool up = true;
    for (std::size_t o = 0; o < selection_.size(); ++o) {
      if (selection_[o] != i) continue;
      circuit.outs.set(o);
      up = up && state_[o] == EventKind::up;
    }
    if (circuit.outs.none() || !up) continue;
    if (const Queue& queue = inputs_[i]; !queue.empty() && steps_[queue.front()].state == Step::State::running)
      circuit.free_at = steps_[queue.front()].planned.end;
    all.push_back(circuit);
  }
  return all;
}

const Reservation* ConfirmedController::running(Id burst) const {
  const auto found = bursts_.find(burst);
  return found == bursts_.end() ? nullptr : &steps_[found->second].planned;
}

std::vector<Carried> ConfirmedController::take_carried() { return std::exchange(carried_, {}); }

}  // namespace ocs
