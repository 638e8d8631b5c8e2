// The fabric core (sections 2 to 6).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/crossbar.hpp"

#include <algorithm>

namespace ocs::model {
namespace {

/// Section 2: one draw of the generator.
std::uint32_t xorshift(std::uint32_t x) {
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

constexpr std::uint64_t longest_tuning = 0xFFFF'FFFF;
constexpr std::size_t distances = 32;  // bits of DISTURB_AT

bool waits(State s) { return s == State::tuning || s == State::locking; }

}  // namespace

Crossbar::Crossbar(std::size_t ports)
    : outputs_(ports),
      faults_(ports),
      powers_(ports),
      lit_until_(ports * ports),
      pair_(ports * ports),
      fanout_(ports),
      moves_(ports) {
  reset();
}

void Crossbar::reset() {
  std::fill(outputs_.begin(), outputs_.end(), Port{});
  std::fill(faults_.begin(), faults_.end(), Faults{});
  programming_ = {};
  receivers_ = {};
  neighbours_ = {};
  light_settings_ = {};
  std::fill(powers_.begin(), powers_.end(), Powers{});
  detected_ = false;
  turning_.reset();
  std::fill(lit_until_.begin(), lit_until_.end(), Cycle{0});
  stop_ = false;
  seed(0);
  survey();
}

void Crossbar::seed(std::uint32_t value) {
  for (std::size_t o = 0; o < size(); ++o) {
    const std::uint32_t x = value ^ (0x9E3779B9u * static_cast<std::uint32_t>(o + 1));
    outputs_[o].random = x == 0 ? 1 : x;
  }
}

Map Crossbar::active() const {
  Map map;
  map.reserve(size());
  for (const Port& out : outputs_) map.push_back(out.selected);
  return map;
}

bool Crossbar::light(std::size_t o, Selection in) const {
  return !faults_[o].dead && !faults_[index(*in)].los && !faults_[index(*in)].dead;
}

/// The light filter or the recovery of section 6 acts on this output in the present cycle.
bool Crossbar::due_to_faults(std::size_t o) const {
  const Port& out = outputs_[o];
  if (light_settings_.on) return turning_[o];
  if (needs_light(out.state)) return !light(o, out.selected);
  return out.lost() && light(o, out.selected);
}

Cycle Crossbar::next_action(Cycle now) const {
  Cycle next = detects() ? next_of_detectors(now) : no_cycle;
  for (std::size_t o = 0; o < size(); ++o) {
    if (due_to_faults(o)) return now;
    next = std::min(next, outputs_[o].last);
    if (disturbed(o, now)) next = std::min(next, outputs_[o].steady_from - 1);
  }
  return next;
}

void Crossbar::count(Cycle k) {
  for (Port& out : outputs_)
    if (out.state != State::idle && out.state != State::up) out.dark += k;
}

/// L of section 2, if the output arrives at `in` at the end of cycle `c`.
Cycle Crossbar::locking(std::size_t o, Selection in, Cycle c) const {
  const Port& out = outputs_[o];
  if (!receivers_.on) return out.settings.lock;
  const bool flaps = out.state == State::up && in == out.selected;
  const Cycle until = flaps ? c + 1 : lit_until_[o * size() + index(*in)];
  const bool warm = until != 0 && c + 1 - until < receivers_.warm_time;
  const auto& quantiles = warm ? receivers_.warm : receivers_.cold;
  return Cycle{out.settings.lock} + quantiles[out.random >> 28];
}

/// The output arrives at what it selects next: LOCKING, or UP if L = 0.
void Crossbar::arrive(std::size_t o, Cycle c, Move& move) const {
  move.locking = locking(o, move.selected, c);
  move.state = move.locking > 0 ? State::locking : State::up;
}

Crossbar::Move Crossbar::stay(std::size_t o) const {
  const Port& out = outputs_[o];
  return {out.selected, out.state, out.cause};
}

/// Section 4, point 2: what the output would do if it were left alone.
Crossbar::Move Crossbar::timers(std::size_t o, Cycle c) const {
  const Port& out = outputs_[o];
  Move move = stay(o);
  const bool recovers = out.lost() && due_to_faults(o);
  if (out.last != c && !recovers) return move;
  move.tuned = out.state == State::tuning;
  if (out.state == State::locking)
    move.state = State::up;
  else
    arrive(o, c, move);
  move.cause = Cause::none;
  move.entered = true;
  return move;
}

/// start(o) of section 2 with input `in`, as the one of this rank.
void Crossbar::start(std::size_t o, Cycle c, Selection in, std::size_t rank, Move& move) {
  Port& out = outputs_[o];
  out.random = xorshift(out.random);
  ++out.tunings;
  const std::uint64_t group = rank / std::max<std::uint64_t>(programming_.lanes, 1);
  const std::uint64_t sum = std::uint64_t{out.settings.base} + pair(o, index(*in)) + out.settings.slow +
                            (out.random & out.settings.jitter_mask) + group * programming_.cycles;
  const std::uint64_t tuning = std::min(sum, longest_tuning);
  const bool tuned = tuning == 0;
  move = {in, State::tuning, Cause::none, true, tuned, tuning};
  if (tuned) arrive(o, c, move);
}

/// Section 4, points 3 and 4: the commit on changed outputs, else RETRY. @return true if the output starts.
/// @param rank of the output if it is programmed, and then that of the next one
bool Crossbar::connect(std::size_t o, Cycle c, const Orders& orders, std::size_t& rank, Move& move) {
  Port& out = outputs_[o];
  if (orders.commit != nullptr && (*orders.commit)[o] != out.selected) {
    const Selection in = (*orders.commit)[o];
    const std::size_t own_rank = rank++;
    if (!in) {
      move = {in, State::idle, Cause::none, true};
      return false;
    }
    if (waits(out.state)) ++out.restarts;
    start(o, c, in, own_rank, move);
    return true;
  }
  if (!orders.retry[o] || out.state != State::failed) return false;
  start(o, c, out.selected, rank++, move);
  return true;
}

/// Section 4, point 5: stuck goes before light; TUNING isn't touched.
void Crossbar::filter_faults(std::size_t o, Move& move) const {
  const Selection& position = outputs_[o].position;
  const bool shows = faults_[o].keeps && position.has_value();
  const bool stuck = move.tuned && faults_[o].stuck && !(shows && position == move.selected);
  if (!stuck && (!needs_light(move.state) || !dark(o, move))) return;
  move.state = State::failed;
  move.cause = !stuck ? Cause::light : shows ? Cause::misrouted : Cause::stuck;
  move.tuned = move.tuned && !stuck;
  move.entered = true;
}

/// Section 4, point 6: what the next value of `stop` turns into the other, UP or HELD.
State Crossbar::held_back() const { return stop_ ? State::up : State::held; }

void Crossbar::filter_all_stop(Move& move) const {
  if (move.state != held_back()) return;
  move.state = stop_ ? State::held : State::up;
  move.entered = true;
}

/// The output leaves UP or HELD at the end of cycle `c`, be it to enter it again.
void Crossbar::remember(std::size_t o, Cycle c) {
  const Port& out = outputs_[o];
  if (receivers_.on && (out.state == State::up || out.state == State::held))
    lit_until_[o * size() + index(*out.selected)] = c + 1;
}

void Crossbar::enter(std::size_t o, Cycle c, const Move& move) {
  remember(o, c);
  Port& out = outputs_[o];
  out.selected = move.selected;
  out.state = move.state;
  out.cause = move.cause;
  out.last = no_cycle;
  if (move.state == State::tuning) out.last = c + move.tuning;
  if (move.state == State::locking) out.last = c + move.locking;
  if (move.state == State::up && out.settings.flap > 0) out.last = c + out.settings.flap;
  if (move.tuned) out.position = move.selected;
  if (!detects()) out.detector.rest(out.lost());
}

/// Something may change at the output in cycle `c`, but for all-stop.
bool Crossbar::concerned(std::size_t o, Cycle c, const Orders& orders) const {
  const Port& out = outputs_[o];
  return out.last == c || due_to_faults(o) || orders.retry[o] ||
         (orders.commit != nullptr && (*orders.commit)[o] != out.selected);
}

/// Section 2, neighbours: the starts of cycle `c` disturb others. @return those that are disturbed from c + 1 on.
PortMask Crossbar::disturb(Cycle c, const PortMask& started) {
  PortMask shaken;
  if (neighbours_.cycles == 0 || started.none()) return shaken;
  for (std::size_t distance = 1; distance <= distances && distance < size(); ++distance)
    if ((neighbours_.distances >> (distance - 1) & 1) != 0) shaken |= started << distance | started >> distance;
  for (std::size_t o = 0; o < size(); ++o)
    if (shaken[o]) outputs_[o].steady_from = c + 1 + neighbours_.cycles;
  return shaken;
}

Crossbar::Changes Crossbar::act(Cycle c, const Orders& orders, std::vector<Happening>& events) {
  if (detects()) watch(c);
  PortMask moving, started;
  bool waiting = false;
  std::size_t rank = 0;
  for (std::size_t o = 0; o < size(); ++o) {
    State next = outputs_[o].state;
    if (concerned(o, c, orders)) {
      moving.set(o);
      Move& move = moves_[o] = timers(o, c);
      if (connect(o, c, orders, rank, move)) started.set(o);
      filter_faults(o, move);
      next = move.state;
    }
    if (waits(next)) waiting = true;
  }
  const bool stopped = stop_;
  stop_ = (stop_ || (started.any() && orders.all_stop)) && waiting;
  PortMask entered;
  if (moving.none() && stop_ == stopped) return {entered, detects() ? dim(c, entered) : PortMask{}};
  for (std::size_t o = 0; o < size(); ++o) {
    if (!moving[o]) {
      if (outputs_[o].state != held_back()) continue;
      moves_[o] = stay(o);
    }
    filter_all_stop(moves_[o]);
    if (!moves_[o].entered) continue;
    enter(o, c, moves_[o]);
    entered.set(o);
    events.push_back({EventClass::output, static_cast<std::uint16_t>(o), static_cast<std::uint8_t>(outputs_[o].state)});
  }
  if (entered.any()) survey();
  PortMask losing = disturb(c, started);
  if (detects()) losing |= dim(c, entered);
  return {entered, losing};
}

void Crossbar::survey() {
  std::fill(fanout_.begin(), fanout_.end(), Fanout{});
  misroutes_ = false;
  for (const Port& out : outputs_) {
    if (out.cause == Cause::misrouted) misroutes_ = true;
    if (!out.selected) continue;
    Fanout& fanout = fanout_[index(*out.selected)];
    ++fanout.selecting;
    if (out.state == State::up) ++fanout.up;
  }
}

}  // namespace ocs::model
