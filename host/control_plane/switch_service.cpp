// Keeps the wanted map; turns changes of it into commits.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/switch_service.hpp"

#include <algorithm>
#include <array>

#include "host/core/error.hpp"

namespace ocs::serve {
namespace {

constexpr std::size_t most_events = 1024;

bool on_its_way(EventKind state) {
  return state == EventKind::tuning || state == EventKind::locking || state == EventKind::held;
}

Light light_of(EventKind state) {
  switch (state) {
    case EventKind::tuning:
      return Light::tuning;
    case EventKind::locking:
    case EventKind::held:
    case EventKind::up:
      return Light::tuned;
    case EventKind::failed:
      return Light::failed;
    default:
      return Light::blocked;
  }
}

}  // namespace

SwitchService::SwitchService(Switch& plane)
    : plane_(plane),
      ports_(static_cast<std::uint16_t>(plane.constants().ports)),
      by_input_(ports_),
      by_output_(by_input_.size()),
      set_(by_input_.size()),
      states_(by_input_.size(), EventKind::idle) {}

std::vector<CrossConnect> SwitchService::circuits() const {
  std::vector<CrossConnect> all;
  for (std::uint16_t i = 0; i < ports_; ++i)
    if (by_input_[i]) all.push_back({Input{i}, *by_input_[i]});
  return all;
}

Light SwitchService::light(Port port) const {
  if (off(port)) return Light::blocked;
  if (port.output) return light_of(states_[port.number]);
  const auto out = by_input_[port.number];
  return out && !off({.output = true, .number = index(*out)}) ? light_of(states_[index(*out)]) : Light::blocked;
}

std::optional<Complaint> SwitchService::resulting(const Change& change, InputMap& by_input,
                                                  OutputMap& by_output) const {
  const auto lacks = [&](const CrossConnect& circuit) -> std::optional<Complaint> {
    if (index(circuit.in) >= ports_)
      return Complaint{.fault = Fault::no_such_port, .port = Port{.output = false, .number = index(circuit.in)}};
    if (index(circuit.out) >= ports_)
      return Complaint{.fault = Fault::no_such_port, .port = Port{.output = true, .number = index(circuit.out)}};
    return std::nullopt;
  };
  /// What has the input or the output of `circuit`.
  const auto in_the_way = [&](const CrossConnect& circuit) -> std::optional<CrossConnect> {
    if (const auto out = by_input[index(circuit.in)]) return CrossConnect{circuit.in, *out};
    if (const auto in = by_output[index(circuit.out)]) return CrossConnect{*in, circuit.out};
    return std::nullopt;
  };
  const auto drop = [&](const CrossConnect& circuit) {
    by_input[index(circuit.in)].reset();
    by_output[index(circuit.out)].reset();
  };
  for (const CrossConnect& gone : change.remove) {
    if (auto complaint = lacks(gone)) return complaint;
    if (by_input[index(gone.in)] != gone.out)
      return Complaint{.fault = Fault::no_such_circuit, .asked = gone, .blocked_by = in_the_way(gone)};
    drop(gone);
  }
  if (change.mode == Mode::overwrite) {
    std::fill(by_input.begin(), by_input.end(), std::nullopt);
    std::fill(by_output.begin(), by_output.end(), std::nullopt);
  }
  std::bitset<max_ports> new_inputs, new_outputs;
  for (const CrossConnect& added : change.add) {
    if (auto complaint = lacks(added)) return complaint;
    auto blocking = in_the_way(added);
    if (new_inputs[index(added.in)] || new_outputs[index(added.out)])
      return Complaint{.fault = Fault::named_twice, .asked = added, .blocked_by = blocking};
    new_inputs.set(index(added.in));
    new_outputs.set(index(added.out));
    if (blocking == added) continue;  // it exists already: nothing changes
    if (blocking && change.mode == Mode::safe)
      return Complaint{.fault = Fault::busy, .asked = added, .blocked_by = blocking};
    for (; blocking; blocking = in_the_way(added)) drop(*blocking);
    by_input[index(added.in)] = added.out;
    by_output[index(added.out)] = added.in;
  }
  return std::nullopt;
}

std::optional<Complaint> SwitchService::change(const Change& change) {
  InputMap by_input = by_input_;
  OutputMap by_output = by_output_;
  if (auto complaint = resulting(change, by_input, by_output)) return complaint;
  std::swap(by_input, by_input_);
  std::swap(by_output, by_output_);
  if (auto complaint = carry_out()) {
    by_input_ = by_input;
    by_output_ = by_output;
    return complaint;
  }
  for (std::uint16_t o = 0; o < ports_; ++o) {
    if (by_output[o] == by_output_[o]) continue;
    const Port port{.output = true, .number = o};
    if (by_output[o]) note({.at = now(), .kind = ServiceEventKind::disconnected, .port = port, .in = by_output[o]});
    if (by_output_[o]) note({.at = now(), .kind = ServiceEventKind::connected, .port = port, .in = by_output_[o]});
  }
  return std::nullopt;
}

std::optional<Complaint> SwitchService::switch_off(std::span<const Port> which, bool off) {
  for (const Port& port : which)
    if (port.number >= ports_) return Complaint{.fault = Fault::no_such_port, .port = port};
  const auto inputs = off_inputs_, outputs = off_outputs_;
  for (const Port& port : which) (port.output ? off_outputs_ : off_inputs_).set(port.number, off);
  if (auto complaint = carry_out()) {
    off_inputs_ = inputs;
    off_outputs_ = outputs;
    return complaint;
  }
  for (const Port& port : which)
    if (off != (port.output ? outputs : inputs)[port.number])
      note({.at = now(), .kind = off ? ServiceEventKind::switched_off : ServiceEventKind::switched_on, .port = port});
  return std::nullopt;
}

std::optional<Complaint> SwitchService::set_dead(std::uint16_t port, bool dead) {
  if (port >= ports_) return Complaint{.fault = Fault::no_such_port, .port = Port{.output = false, .number = port}};
  if (auto refusal = plane_.set_dead(port, dead)) return Complaint{.fault = Fault::switch_refused, .why = refusal->why};
  return std::nullopt;
}

/// Tells the switch what is wanted and not switched off, if it doesn't have it yet.
std::optional<Complaint> SwitchService::carry_out() {
  Commit commit{.at = now(), .change = {}};
  OutputMap map = by_output_;
  for (std::uint16_t o = 0; o < ports_; ++o) {
    if (map[o] && (off_outputs_[o] || off_inputs_[index(*map[o])])) map[o].reset();
    if (map[o] != set_[o]) commit.change.push_back({Output{o}, map[o]});
  }
  if (commit.change.empty()) return std::nullopt;
  if (auto refusal = plane_.commit(commit)) return Complaint{.fault = Fault::switch_refused, .why = refusal->why};
  set_ = std::move(map);
  wait_until_taken();
  return std::nullopt;
}

void SwitchService::wait_until_taken() {
  const std::uint64_t before = commits_;
  const Cycles begin = now();
  // Twice as far each time: a switch takes a commit in its next cycle, firmware needs thousands of them.
  for (std::int64_t far = 1; commits_ == before; far = std::min<std::int64_t>(far * 2, 1 << 16)) {
    plane_.clock().run_until(now() + Cycles{far});
    take();
    if (now() - begin > Cycles{std::int64_t{1} << 32})
      throw Error(ErrorKind::run,
                  "the switch didn't take the commit of cycle " + std::to_string(begin.n) + " within 2^32 cycles");
  }
}

bool SwitchService::self_test() {
  const Cycles before = now();
  advance_to(before + Cycles{1});
  for (std::uint16_t port = 0; port < ports_; ++port) counters(port);
  return now() > before;
}

void SwitchService::advance_to(Cycles target) {
  do {
    plane_.clock().run_until(target);
    take();
  } while (now() < target);
}

void SwitchService::take() {
  fresh_.clear();
  plane_.take_events(fresh_);
  for (const Event& event : fresh_) apply(event);
}

void SwitchService::apply(const Event& event) {
  if (event.kind == EventKind::committed) ++commits_;
  if (event.kind > EventKind::failed) return;
  EventKind& state = states_[event.port];
  const Light before = light_of(state);
  unsettled_ += (on_its_way(event.kind) ? 1 : 0) - (on_its_way(state) ? 1 : 0);
  failed_ += (event.kind == EventKind::failed ? 1 : 0) - (state == EventKind::failed ? 1 : 0);
  state = event.kind;
  // From tuned to tuning and back again is told each time; locking to up isn't a change of this kind.
  const Light after = light_of(state);
  if (before != after || event.kind == EventKind::tuning)
    note({.at = event.at,
          .kind = ServiceEventKind::light,
          .port = {.output = true, .number = event.port},
          .light = after,
          .in = set_[event.port]});
}

void SwitchService::note(ServiceEvent event) {
  event.number = ++numbered_;
  events_.push_back(event);
  if (events_.size() > most_events) events_.pop_front();
}

void SwitchService::events_since(std::uint64_t seen, const std::function<void(const ServiceEvent&)>& visit) const {
  if (seen >= numbered_) return;
  const std::uint64_t news = std::min<std::uint64_t>(numbered_ - seen, events_.size());
  for (std::size_t k = events_.size() - news; k < events_.size(); ++k) visit(events_[k]);
}

}  // namespace ocs::serve
