// Two agendas, of commits and of bursts; events only say what has been taken and what has ended.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/timetable.hpp"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>

namespace ocs {
namespace {

[[noreturn]] void impossible(const Reservation& planned, const std::string& why) {
  throw Error(ErrorKind::run, "a timetable can't keep the reservation of flow " + std::to_string(index(planned.flow)) +
                                  " that is up in cycle " + std::to_string(planned.up.n) + ": " + why);
}

}  // namespace

TimetableController::TimetableController(Switch& plane, const ControlTimes& times, bool online)
    : switch_(plane),
      times_(times),
      online_(online),
      ahead_(plane.constants().ahead ? times.lead : Cycles{0}),
      ports_(plane.constants().ports),
      map_(ports_) {}

/// One that needs less than light does finds its circuit established.
bool TimetableController::sets_up(const Reservation& planned) const {
  return planned.up > planned.start &&
         (planned.up - planned.start).n >= times_.light(planned.in, planned.outs, ports_).n;
}

/// What a set-up has more than tuning and locking: half of it after the words of others, half of it before its own.
Cycles TimetableController::guards_of(const Reservation& planned) const {
  return Cycles{(planned.up - planned.start).n} - times_.light(planned.in, planned.outs, ports_);
}

/// From a reservation's start to its commit.
Cycles TimetableController::delay_of_commit(const Reservation& planned) const {
  return Cycles{divide_up(guards_of(planned).n, 2) - 1};
}

/// Longer guards are those of words that were lost before. Without tuning and locking an established circuit may look
/// like one that is set up, with less guard.
/// @param up in which its first word came
bool TimetableController::misses_guard(const Reservation& planned, Cycles up) const {
  const Cycles longer = sets_up(planned) ? Cycles{guards_of(planned).n / 2} : Cycles{0};
  return Cycles{std::abs(up.n - planned.up.n)} > std::max(times_.guard, longer);
}

/// A node that is early may have sent all of a burst before its commit, which is given all the same.
Cycles TimetableController::start_of(const Step& step, Cycles up) const {
  if (step.set_up) return Cycles{step.planned.start.n};
  return sets_up(step.planned) ? step.start : up - Cycles{(step.planned.up - step.planned.start).n};
}

Cycles TimetableController::commit_of(const Reservation& planned) const {
  return Cycles{planned.start.n} + delay_of_commit(planned);
}

/// By the clock of its node. A start that acts in s sends from s + 1.
Cycles TimetableController::begin_of(const Reservation& planned) const {
  const Cycles before{planned.up.n - 1};
  return before + times_.lateness(planned.in, before);
}

void TimetableController::adopt(Plan plan, Cycles from) {
  map_.check(plan);
  from_ = from;
  std::erase_if(steps_, [&](const Step& step) {
    return !step.acts() || (step.state != Step::State::running && step.planned.start.n >= from.n);
  });
  std::stable_sort(plan.list.begin(), plan.list.end(),
                   [](const Reservation& a, const Reservation& b) { return a.start < b.start; });
  const Cycles now = switch_.clock().now();
  for (const Reservation& r : plan.list) {
    const bool set_up = sets_up(r);
    const Cycles begin = begin_of(r);
    if ((set_up && commit_of(r) < now) || begin < now)
      impossible(r, "it is cycle " + std::to_string(now.n) + " already");
    steps_.push_back({.planned = r, .set_up = set_up, .begin = begin});
  }
  queue_bursts();
  commits_.clear();
  starts_.clear();
  ends_.clear();
  bursts_.clear();
  left_ = 0;
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    const Step& step = steps_[n];
    if (step.set_up) commits_.emplace(commit_of(step.planned), n);
    if (step.is_over()) continue;
    ++left_;
    ends_.insert(step.end());
    if (step.state == Step::State::running)
      bursts_.emplace(step.burst, n);
    else
      starts_.emplace(step.begin, n);
  }
}

/// An engine can be started in the cycle in which its last burst shows to have ended, not before.
void TimetableController::queue_bursts() {
  std::map<Input, const Step*> last;
  for (Step& step : steps_) {
    if (step.is_over()) continue;
    const auto [before, first] = last.try_emplace(step.planned.in, &step);
    if (first) continue;
    if (step.planned.up.n - 1 < before->second->planned.end.n)
      impossible(step.planned, "the burst before it on input " + std::to_string(index(step.planned.in)) +
                                   " ends in cycle " + std::to_string(before->second->planned.end.n));
    if (step.state == Step::State::waiting) step.begin = std::max(step.begin, before->second->end());
    before->second = &step;
  }
}

void TimetableController::leave(std::size_t number) {
  Step& step = steps_[number];
  if (step.state == Step::State::waiting) starts_.erase({step.begin, number});
  step.state = Step::State::over;
  ends_.erase(ends_.find(step.end()));
  --left_;
}

void TimetableController::forget_commit(std::size_t number) {
  Step& step = steps_[number];
  if (step.set_up) commits_.erase({commit_of(step.planned), number});
  step.set_up = false;
}

void TimetableController::on(const Event& event) {
  map_.on(event);
  if (event.kind == EventKind::committed) given_ = false;
  if (event.kind != EventKind::burst_done) return;
  const auto found = bursts_.find(event.burst);
  if (found == bursts_.end()) return;
  const Step& step = steps_[found->second];
  const Cycles up = event.at - Cycles{event.words.count.n * step.planned.word.n};  // blind: word after word
  carried_.push_back({.planned = step.planned,
                      .burst = step.burst,
                      .start = start_of(step, up),
                      .up = up,
                      .end = event.at,
                      .sent = event.words.count,
                      .missed_guard = misses_guard(step.planned, up)});
  leave(found->second);
  bursts_.erase(found);
}

/// The first start that can be given: with those that are given ahead, the burst before may still run.
TimetableController::Agenda::const_iterator TimetableController::first_start() const {
  if (ahead_.n == 0) return starts_.begin();
  return std::find_if(starts_.begin(), starts_.end(), [&](const auto& start) {
    return std::none_of(bursts_.begin(), bursts_.end(), [&](const auto& burst) {
      return steps_[burst.second].planned.in == steps_[start.second].planned.in;
    });
  });
}

/// When the next commit may be given; never while one is on its way.
Cycles TimetableController::next_commit() const {
  if (given_ || commits_.empty()) return never<Cycles>;
  return commits_.begin()->first - ahead_;
}

Cycles TimetableController::next() const {
  const auto start = first_start();
  return std::min(next_commit(), start == starts_.end() ? never<Cycles> : start->first - ahead_);
}

void TimetableController::act(Cycles now) {
  give_commits(now);
  for (auto next = first_start(); next != starts_.end() && next->first - ahead_ <= now; next = first_start()) {
    const std::size_t number = next->second;
    starts_.erase(next);
    Step& step = steps_[number];
    step.burst = Id{++last_burst_};
    step.state = Step::State::running;
    const Reservation& planned = step.planned;
    const Burst burst{.id = step.burst,
                      .in = planned.in,
                      .length = words_of(planned),
                      .not_before = step.first_word(),
                      .gated = false,
                      .word = Cycles{planned.word.n}};
    if (const auto refusal = switch_.start(burst))
      refused_by_switch("the burst of flow " + std::to_string(index(planned.flow)), *refusal);
    bursts_.emplace(step.burst, number);
  }
}

/// The next commit that changes something. Where the plan may be made anew it is given when it is due, not before: what
/// is given can't be taken back, and another may have to come first.
void TimetableController::give_commits(Cycles now) {
  while (online_ ? next_commit() <= now : next_commit() != never<Cycles>) {
    const Cycles at = std::max(now, commits_.begin()->first);
    std::vector<CircuitMap::Join> joins;
    while (!commits_.empty() && commits_.begin()->first <= at) {
      Step& step = steps_[commits_.begin()->second];
      commits_.erase(commits_.begin());
      step.set_up = false;
      step.start = at - delay_of_commit(step.planned);
      joins.push_back({&step.planned});
    }
    const std::vector<Select> change = map_.join(joins);
    if (change.empty()) continue;
    if (const auto refusal = switch_.commit({at, change})) refused_by_switch("a commit", *refusal);
    given_ = true;
  }
}

bool TimetableController::abort(Id flow) {
  bool running = false;
  const Cycles kept = std::max(switch_.clock().now(), from_);
  for (std::size_t n = 0; n < steps_.size(); ++n) {
    const Step& step = steps_[n];
    if (step.planned.flow != flow) continue;
    if (step.state == Step::State::waiting) {
      const Cycles start{step.planned.start.n}, up{step.planned.up.n};
      if (!online_)
        forget_commit(n);
      else if (start < kept)  // its ports are busy until its circuit is up
        carried_.push_back({step.planned, {}, start, up, up, Words{0}});
      leave(n);
    }
    if (steps_[n].state != Step::State::running) continue;
    running = true;
    if (const auto refusal = switch_.stop(steps_[n].burst)) refused_by_switch("to stop a burst", *refusal);
  }
  return running;
}

const Reservation* TimetableController::running(Id burst) const {
  const auto found = bursts_.find(burst);
  return found == bursts_.end() ? nullptr : &steps_[found->second].planned;
}

std::optional<Expected> TimetableController::last_of(Id flow) const { return last_step_of(steps_, flow); }

const std::vector<Carried>& TimetableController::take_carried() {
  taken_.clear();
  taken_.swap(carried_);
  return taken_;
}

}  // namespace ocs
