// Time, commits and output states: sections 1 to 6 and 10 of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/core/fabric.hpp"

#include <algorithm>

namespace ocs::sysc {
namespace {

constexpr std::uint64_t longest_tuning = 0xFFFF'FFFF;
constexpr std::uint32_t golden_ratio = 0x9E37'79B9;
constexpr std::uint8_t from_software = 0, from_timer = 1, from_sequencer = 2;
constexpr std::uint8_t device_class = 0, output_class = 1, input_class = 2;
constexpr std::uint8_t event_commit = 0, event_refused = 1, event_wrap = 2;
constexpr std::uint8_t event_done = 0, event_whole = 1;

bool is_dark(State state) { return state != State::idle && state != State::up; }
bool is_moving(State state) { return state == State::tuning || state == State::locking; }
bool needs_light(State state) { return state == State::locking || state == State::held || state == State::up; }

}  // namespace

Fabric::Fabric(std::size_t ports, std::size_t fifo_depth)
    : pair(ports * ports),
      sequencer(ports),
      events(fifo_depth),
      fifo_depth_(fifo_depth),
      outputs_(ports),
      engines_(ports),
      due_(slots()),
      next_(ports),
      select_(ports) {
  reset();
}

void Fabric::reset() {
  const std::size_t n = ports();
  time_ = 0;
  outputs_.assign(n, Output{});
  engines_.assign(n, Engine{});
  due_ = Deadlines(slots());
  software_ = timed_ = stop_ = false;
  all_stop = multicast = false;
  irq_enable = error = 0;
  prog = prog_lanes = 0;
  commit_tag = 0;
  brief = false;
  receivers_on = false;
  warm_time = 0;
  lock_warm = lock_cold = {};
  disturb = disturb_at = 0;
  level_on = false;
  threshold = 0;
  hysteresis = 0;
  los_assert = los_release = ring_after = ring = 0;
  rings = 0;
  left_.assign(n * n, 0);
  commit_at = commits = refused = late = dropped = 0;
  shadow.assign(n, MapEntry{});
  dead.assign(n, false);
  retry.assign(n, false);
  launch_.assign(n, false);
  whole_.assign(n, false);
  shaken_.assign(n, false);
  missing_.assign(n, false);
  turns_.assign(n, false);
  sequencer.reset();
  events = EventFifo(fifo_depth_);
  seed(0);
}

std::size_t Fabric::run_to(Cycle cycle) {
  std::size_t actions = 0;
  while (time_ < cycle) {
    const Cycle action = due_.earliest();
    if (action >= cycle) {
      time_ = cycle;
      break;
    }
    time_ = action;
    act();
    ++time_;
    ++actions;
  }
  return actions;
}

std::uint32_t Fabric::irq_status() const {
  const std::uint32_t others = error & ~error_bit::overflow;
  return (events.empty() ? 0U : 1U) | ((error & error_bit::overflow) != 0 ? 2U : 0U) | (others != 0 ? 4U : 0U);
}

std::uint32_t Fabric::status() const {
  return (software_ ? 1U : 0U) | (timed_ ? 2U : 0U) | (sequencer.running() ? 4U : 0U) | (stop_ ? 8U : 0U);
}

Output& Fabric::output_now(std::size_t o) {
  Output& out = outputs_[o];
  if (out.selected.valid) count_words_until(out.selected.input, time_);
  if (out.cause == Cause::misrouted) count_words_until(out.position.input, time_);
  if (is_dark(out.state)) {
    out.dark += time_ - out.dark_since;
    out.dark_since = time_;
  }
  return out;
}

Engine& Fabric::input_now(std::size_t i) {
  count_words_until(i, time_);
  return engines_[i];
}

void Fabric::command_commit() {
  software_ = true;
  software_tag_ = commit_tag;
  look_now();
}

void Fabric::arm_commit(std::uint64_t at) {
  commit_at = at;
  timed_ = true;
  timed_tag_ = commit_tag;
  due_.set(timed_slot(), std::max(at, time_));
}

void Fabric::load_shadow() {
  for (std::size_t o = 0; o < ports(); ++o) shadow[o] = outputs_[o].selected;
}

void Fabric::seed(std::uint32_t value) {
  for (std::size_t o = 0; o < ports(); ++o) {
    const std::uint32_t x = value ^ golden_ratio * (static_cast<std::uint32_t>(o) + 1);
    outputs_[o].random = x == 0 ? 1 : x;
  }
}

void Fabric::store_entry(std::size_t entry) {
  std::vector<bool> launch(ports());
  for (std::size_t i = 0; i < ports(); ++i) launch[i] = engines_[i].launch;
  sequencer.store(entry, {sequencer.offset, std::move(launch), shadow, commit_tag});
}

std::uint32_t Fabric::draw(std::size_t o) {
  std::uint32_t& x = outputs_[o].random;
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

// ---- one action cycle: section 4 -----------------------------------------------------------------------------------

void Fabric::act() {
  due_.set(now_slot(), no_cycle);
  taken_.reset();
  refused_.reset();
  entry_taken_ = wrapped_ = false;
  for (std::size_t i = 0; i < ports(); ++i)
    if (engines_[i].pin) offer_pin(i);
  watch();
  timers();
  commit();
  retries();
  const bool started = start_programmed();
  filters(started && all_stop);
  find_whole_bursts();
  disturbances();
  lights();
  enter_states();
  look_again();
  engines();
  wrapped_ = sequencer.end_cycle(entry_taken_);
  due_.set(sequencer_slot(), sequencer.running() ? std::max(sequencer.due(), time_ + 1) : no_cycle);
  if (timed_) due_.set(timed_slot(), std::max(commit_at, time_ + 1));
  if (software_) due_.set(now_slot(), time_ + 1);
  close_record();
}

void Fabric::timers() {
  for (std::size_t o = 0; o < ports(); ++o) {
    const Output& out = outputs_[o];
    Next& next = next_[o];
    next = {out.state, out.cause, false, false};
    select_[o] = out.selected;
    const bool ends = due_.of(o) == time_;
    const bool lost = out.state == State::failed && out.cause == Cause::light;
    const bool relit = lost && (level_on ? turns_[o] : light(o, out.selected.input));
    if (ends && out.state == State::tuning)
      finish_tuning(o);
    else if (ends && out.state == State::locking)
      next = {State::up, Cause::none, true, false};
    else if (ends || relit)  // a flap, of up
      arrive(o);
  }
}

/// L of section 2 for what the output selects next.
std::uint64_t Fabric::lock_cycles(std::size_t o) const {
  const Output& out = outputs_[o];
  if (!receivers_on) return out.set.lock;
  const Cycle now = time_ + 1;
  Cycle left = left_[o * ports() + select_[o].input];
  if (out.state == State::up && select_[o] == out.selected) left = now;  // a flap
  const bool warm = left != 0 && now - left < warm_time;
  return out.set.lock + std::uint64_t{(warm ? lock_warm : lock_cold)[out.random >> 28]};
}

/// Section 6: it arrives, or the mirror is stuck; in its position, it may show what comes from there.
void Fabric::finish_tuning(std::size_t o) {
  const Output& out = outputs_[o];
  Next& next = next_[o];
  const bool shows = out.set.keeps && out.position.valid;
  next.arrives = !out.set.stuck || (shows && out.position == select_[o]);
  if (next.arrives) return arrive(o);
  next.state = State::failed;
  next.cause = shows ? Cause::misrouted : Cause::stuck;
  next.entered = true;
}

void Fabric::arrive(std::size_t o) {
  Next& next = next_[o];
  next.lock = lock_cycles(o);
  next.state = next.lock > 0 ? State::locking : State::up;
  next.cause = Cause::none;
  next.entered = true;
}

bool Fabric::start_programmed() {
  bool started = false;
  std::uint64_t rank = 0;
  for (std::size_t o = 0; o < ports(); ++o) {
    if (!next_[o].programmed) continue;
    if (next_[o].starts) start(o, rank);
    started = started || next_[o].starts;
    ++rank;
  }
  return started;
}

void Fabric::start(std::size_t o, std::uint64_t rank) {
  Output& out = outputs_[o];
  const std::uint32_t jitter = draw(o) & out.set.jitter_mask;
  const std::uint64_t queued = rank / std::max(prog_lanes, 1U) * prog;
  const std::uint64_t own = pair[o * ports() + select_[o].input];
  const std::uint64_t tuning = std::min(out.set.base + own + out.set.slow + jitter + queued, longest_tuning);
  ++out.tunings;
  disturb_around(o);
  Next& next = next_[o];
  next.entered = true;
  next.cause = Cause::none;
  next.arrives = false;
  if (tuning == 0) return finish_tuning(o);
  next.state = State::tuning;
  due_.set(o, time_ + tuning);
}

/// Section 2, neighbours: output o starts.
void Fabric::disturb_around(std::size_t o) {
  if (disturb == 0) return;
  for (std::size_t other = 0; other < ports(); ++other) {
    const std::size_t distance = other < o ? o - other : other - o;
    if (distance >= 1 && distance <= 32 && (disturb_at >> (distance - 1) & 1) != 0) shaken_[other] = true;
  }
}

/// Disturbances that end in this cycle, then those that begin with the next one; outputs still select what they did.
void Fabric::disturbances() {
  for (std::size_t o = 0; o < ports(); ++o) {
    const bool ends = due_.of(disturbance_slot(o)) == time_;
    if (!ends && !shaken_[o]) continue;
    Output& out = outputs_[o];
    if (out.selected.valid) count_words_until(out.selected.input, time_ + 1);
    if (shaken_[o] && out.state == State::up) end_segment(o);
    out.disturbed = shaken_[o];
    due_.set(disturbance_slot(o), shaken_[o] ? time_ + disturb : no_cycle);
    shaken_[o] = false;
  }
}

void Fabric::commit() {
  std::uint8_t source = from_software;
  const Map* map = nullptr;
  Cycle wanted = time_;
  if (sequencer.running() && sequencer.due() <= time_) {
    source = from_sequencer;
    map = &sequencer.entry().map;
    tag_ = sequencer.entry().tag;
    wanted = sequencer.due();
    entry_taken_ = true;
    for (std::size_t i = 0; i < ports(); ++i)
      if (sequencer.entry().launch[i]) launch_[i] = true;
  } else if (timed_ && commit_at <= time_) {
    source = from_timer;
    map = &shadow;
    wanted = commit_at;
    tag_ = timed_tag_;
    timed_ = false;
    due_.set(timed_slot(), no_cycle);
  } else if (software_) {
    map = &shadow;
    tag_ = software_tag_;
    software_ = false;
  }
  if (map == nullptr) return;
  if (wanted < time_) {
    error |= error_bit::late;
    ++late;
  }
  if (!map_is_legal(*map)) {
    refused_ = source;
    ++refused;
    return;
  }
  taken_ = source;
  ++commits;
  take_map(*map);
}

bool Fabric::map_is_legal(const Map& map) {
  std::vector<bool> used(ports());
  bool twice = false;
  for (const MapEntry& circuit : map) {
    if (!circuit.valid) continue;
    if (circuit.input >= ports()) {
      error |= error_bit::range;
      return false;
    }
    twice = twice || used[circuit.input];
    used[circuit.input] = true;
  }
  if (!twice || multicast) return true;
  error |= error_bit::conflict;
  return false;
}

void Fabric::take_map(const Map& map) {
  for (std::size_t o = 0; o < ports(); ++o) {
    const Output& out = outputs_[o];
    if (map[o] == out.selected) continue;
    select_[o] = map[o];
    next_[o].commit = next_[o].programmed = true;
    next_[o].starts = map[o].valid;
    if (!map[o].valid)
      next_[o] = {State::idle, Cause::none, true, true, true};
    else if (is_moving(out.state))
      ++outputs_[o].restarts;
  }
}

void Fabric::retries() {
  for (std::size_t o = 0; o < ports(); ++o) {
    if (!retry[o]) continue;
    retry[o] = false;
    if (next_[o].commit || outputs_[o].state != State::failed) continue;
    next_[o].programmed = next_[o].starts = true;
  }
}

/// The light filter finds no light for what the output selects next.
bool Fabric::dark(std::size_t o) const {
  const Output& out = outputs_[o];
  if (!level_on) return !light(o, select_[o].input);
  if (next_[o].arrives) return power_from(o, select_[o].input) < threshold;
  return (out.state == State::failed && out.cause == Cause::light) != turns_[o];
}

void Fabric::filters(bool set_stop) {
  bool moving = false;
  for (std::size_t o = 0; o < ports(); ++o) {
    Next& next = next_[o];
    if (needs_light(next.state) && dark(o)) {
      next.state = State::failed;
      next.cause = Cause::light;
      next.entered = true;
    }
    moving = moving || is_moving(next.state);
  }
  stop_ = (set_stop || stop_) && moving;
  for (Next& next : next_) {
    if (stop_ && next.state == State::up) {
      next.state = State::held;
      next.entered = true;
    } else if (!stop_ && next.state == State::held) {
      next.state = State::up;
      next.entered = true;
    }
  }
}

void Fabric::enter_states() {
  record_.clear();
  const Cycle stamp = time_ + 1;
  for (std::size_t o = 0; o < ports(); ++o) {
    const Next& next = next_[o];
    if (!next.entered) continue;
    record_.push_back({stamp, output_class, static_cast<std::uint8_t>(next.state), static_cast<Port>(o)});
    outputs_[o].changed = true;
    enter(o, next);
  }
}

void Fabric::enter(std::size_t o, const Next& next) {
  Output& out = outputs_[o];
  if (out.selected.valid) count_words_until(out.selected.input, time_ + 1);
  if (out.state == State::up) end_segment(o);
  if (receivers_on && (out.state == State::up || out.state == State::held))
    left_[o * ports() + out.selected.input] = time_ + 1;
  if (is_dark(out.state)) out.dark += time_ + 1 - out.dark_since;
  out.dark_since = time_ + 1;
  const bool tuned = next.state == State::tuning;  // its end is set by start()
  if (next.state == State::locking)
    due_.set(o, time_ + next.lock);
  else if (next.state == State::up && out.set.flap > 0)
    due_.set(o, time_ + out.set.flap);
  else if (!tuned)
    due_.set(o, no_cycle);
  if (out.cause == Cause::misrouted) change_stray(o, false);
  if (next.cause == Cause::misrouted) change_stray(o, true);
  if (next.arrives) out.position = select_[o];
  out.state = next.state;
  out.cause = next.cause;
  if (out.selected != select_[o]) change_selection(o, select_[o]);
  if (out.selected.valid) reopen(out.selected.input);
}

void Fabric::change_selection(std::size_t o, MapEntry to) {
  Output& out = outputs_[o];
  const auto number = static_cast<Port>(o);
  if (out.selected.valid) {
    std::erase(engines_[out.selected.input].fan, number);
    reopen(out.selected.input);
  }
  out.selected = to;
  if (!to.valid) return;
  count_words_until(to.input, time_ + 1);
  engines_[to.input].fan.push_back(number);
}

/// From the next cycle on the words of its position come out of the output, or don't any longer.
void Fabric::change_stray(std::size_t o, bool stray) {
  const Port from = outputs_[o].position.input;
  const auto number = static_cast<Port>(o);
  count_words_until(from, time_ + 1);
  if (stray)
    engines_[from].strays.push_back(number);
  else
    std::erase(engines_[from].strays, number);
}

void Fabric::close_record() {
  const Cycle stamp = time_ + 1;
  std::vector<SwitchEvent> device;
  if (taken_) device.push_back({stamp, device_class, event_commit, *taken_, tag_});
  if (refused_) device.push_back({stamp, device_class, event_refused, *refused_, tag_});
  if (wrapped_) device.push_back({stamp, device_class, event_wrap, from_sequencer});
  record_.insert(record_.begin(), device.begin(), device.end());
  for (const Port i : done_) {
    record_.push_back({stamp, input_class, whole_[i] ? event_whole : event_done, i});
    engines_[i].ended = true;
  }
  done_.clear();
  if (record_.empty()) return;
  if (events.full()) {
    ++dropped;
    error |= error_bit::overflow;
  } else {
    events.push(record_);
  }
}

}  // namespace ocs::sysc
