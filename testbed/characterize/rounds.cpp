// Commits, and the events that follow them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/rounds.hpp"

#include <algorithm>
#include <utility>

#include "host/core/error.hpp"

namespace ocs::characterize {

Rounds::Rounds(Switch& plane, const MeasureOptions& options)
    : switch_(plane),
      clock_(plane.clock()),
      options_(options),
      ports_(plane.constants().ports),
      reads_power_(plane.constants().power) {}

std::vector<CircuitSetUp> Rounds::all() {
  std::vector<Cycles> dark_before(size());
  for (std::size_t o = 0; o < size(); ++o) dark_before[o] = switch_.counters(static_cast<std::uint16_t>(o)).dark;
  const int rounds = 2 * ports_ * options_.repeats;
  for (int round = 0; round < rounds; ++round) {
    if (options_.progress) options_.progress(round, rounds);
    const bool from_idle = round / ports_ % 2 == 0;
    if (from_idle) disconnect(Cycles{0});
    connect(round % ports_, from_idle ? From::idle : From::circuit);
  }
  for (std::size_t o = 0; o < size(); ++o) check_counter(o, dark_before[o]);
  return std::move(found_);
}

std::vector<CircuitSetUp> Rounds::one_by_one() {
  for (std::uint16_t o = 0; o < count(); ++o) {
    disconnect(Cycles{0});
    set_up({{ocs::Output{o}, Input{o}}});
    note(o, o, From::idle);
  }
  return std::move(found_);
}

void Rounds::commit(const std::vector<Select>& change) {
  if (const auto refusal = switch_.commit({.at = clock_.now(), .change = change}))
    throw Error(ErrorKind::run, "the switch refused a map: " + refusal->why);
}

/// Pure disconnections take no time: all outputs are idle a cycle later. Waits so long, and `wait` cycles more.
void Rounds::disconnect(Cycles wait) {
  std::vector<Select> none;
  none.reserve(count());
  for (std::uint16_t o = 0; o < count(); ++o) none.push_back({ocs::Output{o}, std::nullopt});
  commit(none);
  wait_until(clock_.now() + Cycles{1} + wait);
}

void Rounds::wait_until(Cycles until) {
  while (clock_.now() < until) {
    clock_.run_until(until);
    events_.clear();
    switch_.take_events(events_);
    for (const Event& event : events_)
      if (event.kind == EventKind::committed) taken_ = event.at;
  }
}

void Rounds::connect(int shift, From from) {
  std::vector<Select> map;
  const auto input_of = [&](std::uint16_t o) { return static_cast<std::uint16_t>((o + shift) % ports_); };
  map.reserve(count());
  for (std::uint16_t o = 0; o < count(); ++o) map.push_back({ocs::Output{o}, Input{input_of(o)}});
  set_up(map);
  for (std::uint16_t o = 0; o < count(); ++o) note(o, input_of(o), from);
}

/// Waits until all outputs of `map` are up, or for as long as is allowed.
void Rounds::set_up(const std::vector<Select>& map) {
  outputs_.assign(size(), {});
  waiting_ = map.size();
  taken_ = Cycles{-1};
  const Cycles limit = clock_.now() + Cycles{1} + options_.limit;
  commit(map);
  while (waiting_ > 0 && clock_.now() < limit) {
    clock_.run_until(limit);
    events_.clear();
    switch_.take_events(events_);
    for (const Event& event : events_) on(event);
  }
  if (taken_.n < 0) throw Error(ErrorKind::run, "the switch never took a map that it was given");
}

void Rounds::on(const Event& event) {
  if (event.kind == EventKind::committed) taken_ = event.at;
  if (event.kind != EventKind::locking && event.kind != EventKind::up && event.kind != EventKind::failed) return;
  Output& output = outputs_.at(event.port);
  if (output.over) return;
  if (event.kind == EventKind::locking) {
    output.light = event.at;
    return;
  }
  output.over = true;
  output.failed = event.kind == EventKind::failed;
  output.up = event.at;
  --waiting_;
}

void Rounds::note(std::uint16_t o, std::uint16_t in, From from) {
  const Output& output = outputs_[o];
  const Picos cycle = clock_.cycle();
  const Cycles end = output.over ? output.up : clock_.now();
  const Cycles light = output.light.n < 0 ? end : output.light;
  const bool up = output.over && !output.failed;
  found_.push_back({.out = o,
                    .in = in,
                    .from = from,
                    .at = to_picos(taken_, cycle),
                    .tuning = to_picos(light - taken_, cycle),
                    .locking = to_picos(end - light, cycle),
                    .up = up,
                    .power = up && reads_power_ ? switch_.power(ocs::Output{o}) : std::nullopt});
}

/// Stamps and counters are two ways to the same number.
void Rounds::check_counter(std::size_t o, Cycles before) const {
  const Picos cycle = clock_.cycle();
  Picos sum;
  for (const CircuitSetUp& set_up : found_) {
    if (set_up.out != o) continue;
    if (!set_up.up) return;  // a failed output is dark between rounds too
    sum += set_up.together();
  }
  const Cycles dark = switch_.counters(static_cast<std::uint16_t>(o)).dark - before;
  if (to_picos(dark, cycle) != sum)
    throw Error(ErrorKind::run, "output " + std::to_string(o) + " was dark for " + std::to_string(dark.n) +
                                    " cycles by its counter, but for " + std::to_string(sum.n / cycle.n) +
                                    " by its events");
}

/// A burst on the input of each output but one.
void Rounds::send(std::uint16_t but, Words length) {
  for (std::uint16_t o = 0; o < count(); ++o) {
    if (o == but) continue;
    const auto refusal = switch_.start(
        {.id = Id{std::uint32_t{o} + 1}, .in = Input{o}, .length = length, .not_before = clock_.now(), .gated = true});
    if (refusal) throw Error(ErrorKind::run, "the switch refused a burst: " + refusal->why);
  }
}

std::optional<std::vector<Words>> Rounds::lost_beside(std::uint16_t moves, Words length) {
  std::vector<Select> others;
  for (std::uint16_t o = 0; o < count(); ++o)
    if (o != moves) others.push_back({ocs::Output{o}, Input{o}});
  disconnect(Cycles{0});
  set_up(others);
  if (std::ranges::any_of(others, [&](const Select& one) {
        const Output& output = outputs_[index(one.out)];
        return !output.over || output.failed;
      }))
    return std::nullopt;
  wait_until(clock_.now() + Cycles{length.n});  // whatever their own moves disturbed is over
  std::vector<Words> lost(size());
  for (std::uint16_t o = 0; o < count(); ++o) lost[o] = switch_.counters(o).lost;
  send(moves, length);
  commit({{ocs::Output{moves}, Input{moves}}});
  wait_until(clock_.now() + Cycles{length.n + 1});
  for (std::uint16_t o = 0; o < count(); ++o) lost[o] = switch_.counters(o).lost - lost[o];
  return lost;
}

std::vector<Rounds::Return> Rounds::again(const std::vector<std::uint16_t>& outputs, Cycles wait) {
  std::vector<Select> map;
  map.reserve(outputs.size());
  for (const std::uint16_t o : outputs) map.push_back({ocs::Output{o}, Input{o}});
  disconnect(Cycles{0});  // whatever was up before
  set_up(map);
  taken_ = Cycles{-1};
  disconnect(wait);
  const Cycles cut = taken_;
  set_up(map);
  std::vector<Return> found;
  found.reserve(outputs.size());
  for (const std::uint16_t o : outputs) {
    const Output& output = outputs_[o];
    const bool up = output.over && !output.failed && cut.n >= 0;
    const Cycles light = output.light.n < 0 ? output.up : output.light;
    found.push_back({.out = o, .gap = light - cut, .locking = output.up - light, .up = up});
  }
  return found;
}

}  // namespace ocs::characterize
