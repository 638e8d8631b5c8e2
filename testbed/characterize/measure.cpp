// Rounds of permutations: output o gets input (o + round) mod N.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/measure.hpp"

#include <algorithm>

#include "host/core/error.hpp"

namespace ocs::characterize {
namespace {

class Rounds {
 public:
  Rounds(Switch& plane, const MeasureOptions& options)
      : switch_(plane), clock_(plane.clock()), options_(options), ports_(plane.constants().ports) {}

  std::vector<CircuitSetUp> all() {
    std::vector<Cycles> dark_before(size());
    for (std::size_t o = 0; o < size(); ++o) dark_before[o] = switch_.counters(static_cast<std::uint16_t>(o)).dark;
    const int rounds = 2 * ports_ * options_.repeats;
    for (int round = 0; round < rounds; ++round) {
      if (options_.progress) options_.progress(round, rounds);
      const bool from_idle = round / ports_ % 2 == 0;
      if (from_idle) disconnect();
      connect(round % ports_, from_idle ? From::idle : From::circuit);
    }
    for (std::size_t o = 0; o < size(); ++o) check_counter(o, dark_before[o]);
    return std::move(found_);
  }

  /// Each output from the input of its own number, while all others are idle.
  std::vector<CircuitSetUp> one_by_one() {
    for (std::uint16_t o = 0; o < count(); ++o) {
      disconnect();
      set_up({{ocs::Output{o}, Input{o}}});
      note(o, o, From::idle);
    }
    return std::move(found_);
  }

 private:
  struct Output {
    Cycles light{-1}, up{-1};  ///< stamps of LOCKING and UP in this round
    bool over = false, failed = false;
  };

  std::size_t size() const { return static_cast<std::size_t>(ports_); }
  std::uint16_t count() const { return static_cast<std::uint16_t>(ports_); }

  void commit(const std::vector<Select>& change) {
    if (const auto refusal = switch_.commit({.at = clock_.now(), .change = change}))
      throw Error(ErrorKind::run, "the switch refused a map: " + refusal->why);
  }

  /// Pure disconnections take no time: all outputs are idle a cycle later.
  void disconnect() {
    std::vector<Select> none;
    none.reserve(count());
    for (std::uint16_t o = 0; o < count(); ++o) none.push_back({ocs::Output{o}, std::nullopt});
    commit(none);
    const Cycles next = clock_.now() + Cycles{1};
    while (clock_.now() < next) {
      clock_.run_until(next);
      events_.clear();
      switch_.take_events(events_);
    }
  }

  void connect(int shift, From from) {
    std::vector<Select> map;
    const auto input_of = [&](std::uint16_t o) { return static_cast<std::uint16_t>((o + shift) % ports_); };
    map.reserve(count());
    for (std::uint16_t o = 0; o < count(); ++o) map.push_back({ocs::Output{o}, Input{input_of(o)}});
    set_up(map);
    for (std::uint16_t o = 0; o < count(); ++o) note(o, input_of(o), from);
  }

  /// Waits until all outputs of `map` are up, or for as long as is allowed.
  void set_up(const std::vector<Select>& map) {
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

  void on(const Event& event) {
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

  void note(std::uint16_t o, std::uint16_t in, From from) {
    const Output& output = outputs_[o];
    const Picos cycle = clock_.cycle();
    const Cycles end = output.over ? output.up : clock_.now();
    const Cycles light = output.light.n < 0 ? end : output.light;
    found_.push_back({.out = o,
                      .in = in,
                      .from = from,
                      .at = to_picos(taken_, cycle),
                      .tuning = to_picos(light - taken_, cycle),
                      .locking = to_picos(end - light, cycle),
                      .up = output.over && !output.failed});
  }

  /// Stamps and counters are two ways to the same number.
  void check_counter(std::size_t o, Cycles before) {
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

  Switch& switch_;
  FabricClock& clock_;
  const MeasureOptions& options_;
  int ports_;
  std::vector<Output> outputs_;
  std::size_t waiting_ = 0;
  Cycles taken_{-1};  ///< stamp of the commit
  std::vector<Event> events_;
  std::vector<CircuitSetUp> found_;
};

}  // namespace

std::vector<CircuitSetUp> measure(Switch& plane, const MeasureOptions& options) { return Rounds(plane, options).all(); }

std::optional<Programming> measure_programming(Switch& plane, const MeasureOptions& options,
                                               const std::vector<CircuitSetUp>& all) {
  const auto failed = [](const CircuitSetUp& set_up) { return !set_up.up; };
  if (std::any_of(all.begin(), all.end(), failed)) return std::nullopt;
  std::vector<Picos> waits;
  for (const CircuitSetUp& alone : Rounds(plane, options).one_by_one()) {
    const auto together = std::find_if(all.begin(), all.end(), [&](const CircuitSetUp& one) {
      return one.out == alone.out && one.in == alone.in && one.from == From::idle;
    });
    if (failed(alone)) return std::nullopt;
    waits.push_back(together->tuning - alone.tuning);
  }
  return programming_of(waits);
}

std::optional<Programming> programming_of(const std::vector<Picos>& waits) {
  const auto second = std::find_if(waits.begin(), waits.end(), [](Picos wait) { return wait.n > 0; });
  if (second == waits.end()) return std::nullopt;
  Programming found{*second, static_cast<int>(second - waits.begin()), *std::max_element(waits.begin(), waits.end())};
  bool groups = found.lanes > 0;  // the first output waits for nobody
  for (std::size_t o = 0; o < waits.size() && groups; ++o)
    groups = waits[o] == found.wait_of(static_cast<std::uint16_t>(o));
  return groups ? found : Programming{.time = {}, .lanes = 1, .longest = found.longest};
}

std::string name_of(From from) {
  if (from == From::idle) return "idle";
  return from == From::circuit ? "circuit" : "unknown";
}

std::string name_of(const CircuitSetUp& set_up) {
  std::string name = "output " + std::to_string(set_up.out);
  if (set_up.in) name += " from input " + std::to_string(*set_up.in);
  if (set_up.from == From::idle) name += ", before it idle";
  if (set_up.from == From::circuit) name += ", before it another circuit";
  return name;
}

}  // namespace ocs::characterize
