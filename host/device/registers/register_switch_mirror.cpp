// Reads events, segments and counters, and holds what they say against each other.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/register_switch_mirror.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <string>
#include <tuple>
#include <utility>

#include "rtl/regs/generated/ocs_regs.h"

namespace ocs {
namespace {

Cycles cycle_of(const ocs_event& event) { return {static_cast<std::int64_t>(event.stamp)}; }

/// The order of the Switch seam.
auto rank(const Event& e) {
  const bool device = e.kind > EventKind::burst_done;
  const int order = device ? 0 : e.kind == EventKind::burst_done ? 3 : e.kind == EventKind::run ? 2 : 1;
  return std::tuple{e.at, order, device ? static_cast<int>(e.kind) : e.port};
}

/// Whole bursts of an input in a row after which the counters aren't read.
constexpr int most_unread = 63;

/// Cycles that may pass while a wall-clock device's events are read.
constexpr std::uint64_t late_by = std::uint64_t{1} << 48;

void note(auto& mask, std::uint16_t port) { mask[port / 32] |= 1u << (port % 32); }

[[noreturn]] void fail(const std::string& sentence) { throw Error(ErrorKind::run, sentence); }

/// @param where says what it is about, and is asked only if something is wrong
template <class Where>
void check_passed(const Where& where, std::uint32_t passed, std::uint32_t ran) {
  if (passed != ran)
    fail(where() + "by its counter " + std::to_string(passed) + " words passed, by its runs " + std::to_string(ran));
}

template <class Where>
void check_sum(const Where& where, std::uint32_t passed, std::uint32_t lost, std::uint32_t sent) {
  if (passed + lost != sent)
    fail(where() + std::to_string(passed) + " words passed and " + std::to_string(lost) + " lost don't add up to the " +
         std::to_string(sent) + " sent");
}

}  // namespace

Counters read_switch_counters(DriverBus& bus, const ocs_dev& dev, std::uint16_t port, bool keeps) {
  const auto read = [&](ocs_port_counter which) {
    std::uint64_t value = 0;
    bus.check(ocs_counter(&dev, which, port, &value));
    return static_cast<std::int64_t>(value);
  };
  Counters counters{.passed = Words{read(OCS_PASSED)},
                    .lost = Words{read(OCS_LOST)},
                    .unrouted = Words{read(OCS_UNROUTED)},
                    .dark = Cycles{read(OCS_DARK_CYCLES)},
                    .reconfigurations = read(OCS_TUNINGS)};
  if (!keeps) return counters;
  std::uint64_t shown = 0;
  bus.check(ocs_misrouted(&dev, port, &shown));
  counters.shown = Words{static_cast<std::int64_t>(shown)};
  return counters;
}

SwitchMirror::SwitchMirror(DriverBus& bus, ocs_dev& dev, FabricClock& clock)
    : outputs(dev.ports), engines(dev.ports), bus_(bus), dev_(dev), clock_(clock) {}

void SwitchMirror::drain(std::vector<Event>& append) {
  const Cycles now = clock_.now();
  if (is_virtual() && now == drained_) return;
  drained_ = now;
  if (!clock_.interrupt()) return;
  raw_.clear();
  fresh_.clear();
  read_raw(now);
  if (!raw_.empty()) {
    read_segments();
    for (std::span<const ocs_event> left(raw_); !left.empty();) {
      const auto next = std::ranges::find_if(left, [&](const auto& e) { return e.stamp != left.front().stamp; });
      const auto count = static_cast<std::size_t>(next - left.begin());
      happened(left.first(count), count == left.size());
      left = left.subspan(count);
    }
    std::sort(fresh_.begin(), fresh_.end(), [](const Event& a, const Event& b) { return rank(a) < rank(b); });
    append.insert(append.end(), fresh_.begin(), fresh_.end());
  }
  if (clock_.interrupt()) check_errors();
}

void SwitchMirror::read_raw(Cycles now) {
  const auto cycle = static_cast<std::uint64_t>(now.n);
  while (clock_.interrupt()) {
    ocs_event event{};
    bus_.check(is_virtual() ? ocs_event_take_present(&dev_, cycle, &event) : ocs_event_take(&dev_, 0, &event));
    if (!event.valid) return;
    constexpr std::array<std::uint8_t, 3> kinds{OCS_WRAPPED, OCS_FAILED, OCS_WHOLE};
    if (event.class_ > OCS_CLASS_INPUT || event.kind > kinds[event.class_] ||
        (event.class_ != OCS_CLASS_DEVICE && event.port >= dev_.ports))
      fail("the switch reports an event of class " + std::to_string(event.class_) + ", kind " +
           std::to_string(event.kind) + ", port " + std::to_string(event.port) + ", which no switch can");
    if (!is_virtual() && event.stamp > cycle + late_by)
      fail("the switch reports an event of cycle " + std::to_string(event.stamp) + ", read shortly after cycle " +
           std::to_string(now.n));
    if (is_virtual() && event.stamp != cycle)  // its clock stops at each event
      fail("the switch reports an event of cycle " + std::to_string(event.stamp) + " in cycle " +
           std::to_string(now.n) + "; it was to be read then");
    raw_.push_back(event);
  }
}

/// Whether words of a burst that runs may go through this output, as far as events have been read.
bool SwitchMirror::passes(std::uint16_t o) const {
  const OutputMirror& output = outputs[o];
  return output.state == OCS_UP && output.active != OCS_DARK && engines[output.active].running;
}

/// Whether an output passes a burst of which words have left; in virtual time none has in the cycle of its START.
bool SwitchMirror::has_passed(std::uint16_t o) const {
  return passes(o) && (!is_virtual() || engines[outputs[o].active].started + Cycles{1} < drained_);
}

/// Outputs whose segments an event of another output may have ended: those that it disturbs, if it is a start. Each
/// start enters a state. What enters one without a start is asked in vain.
void SwitchMirror::ask_disturbed(const ocs_event& event, PortMask& asked) const {
  if (event.kind == OCS_IDLE) return;
  for (std::uint32_t left = disturbs_at; left != 0; left &= left - 1) {
    const int distance = std::countr_zero(left) + 1;
    for (const int o : {event.port - distance, event.port + distance})
      if (o >= 0 && o < dev_.ports && has_passed(static_cast<std::uint16_t>(o)))
        note(asked, static_cast<std::uint16_t>(o));
  }
}

/// A segment ends only when its output leaves UP or is disturbed, or its input's burst ends: no others are asked. A burst
/// that ends by itself ends with a word, which every output passes that is UP then and neither disturbed nor dim: in virtual
/// time, where none can be so, these aren't asked whether they have a segment, nor are those that passed a whole burst or leave
/// in the cycle of its START, which have none. Where time goes on meanwhile, a segment may have been read and cleared
/// before the event of its end.
void SwitchMirror::read_segments() {
  PortMask asked{}, full{};
  for (const ocs_event& event : raw_) {
    if (event.class_ == OCS_CLASS_OUTPUT) {
      if (has_passed(event.port)) note(asked, event.port);
      ask_disturbed(event, asked);
    }
    if (event.class_ != OCS_CLASS_INPUT) continue;
    const EngineMirror& engine = engines[event.port];
    const bool with_a_word = is_virtual() && disturbs_at == 0 && !dims && !engine.stopped && engine.set.length > 0;
    for (std::uint16_t o = 0; o < dev_.ports; ++o) {
      if (outputs[o].active != event.port || !passes(o)) continue;
      if (event.kind == OCS_WHOLE)
        asked[o / 32] &= ~(1u << (o % 32));
      else
        note(with_a_word ? full : asked, o);
    }
  }
  if (!one_stamp()) asked.fill(~0u);
  for (std::uint16_t w = 0; 32 * w < dev_.ports; ++w) {
    if ((asked[w] & ~full[w]) != 0) bus_.check(ocs_segments_full(&dev_, w, &full[w]));
    for (std::uint32_t left = full[w]; left != 0; left &= left - 1)
      read_segment(static_cast<std::uint16_t>(32 * w + std::countr_zero(left)));
    if (full[w] != 0) bus_.check(ocs_segments_clear(&dev_, w, full[w]));
  }
}

void SwitchMirror::read_segment(std::uint16_t output) {
  ocs_segment segment{};
  bus_.check(ocs_segment_read(&dev_, output, &segment));
  if (segment.input >= dev_.ports || !engines[segment.input].running || engines[segment.input].set.tag != segment.tag)
    fail("output " + std::to_string(output) + " reports words of input " + std::to_string(segment.input) + ", tag " +
         std::to_string(segment.tag) + ", where no such burst runs");
  OutputMirror& o = outputs[output];
  o.ran += segment.count;
  if (segment.first > o.next) o.told.add({Words{o.next}, Words{segment.first - o.next}});
  o.told.add({Words{segment.first}, Words{segment.count}});
  o.next = std::int64_t{segment.first} + segment.count;
  runs_.push_back({output, segment.input, {Words{segment.first}, Words{segment.count}}});
}

/// Everything of one stamp. Words first: they went by the states and selections from before these events.
void SwitchMirror::happened(std::span<const ocs_event> events, bool last) {
  const Cycles at = cycle_of(events.front());
  std::erase_if(runs_, [&](const SegmentRun& run) {
    if (!last && !ends(events, run)) return false;
    fresh_.push_back(
        {.at = at, .kind = EventKind::run, .port = run.output, .burst = engines[run.input].id, .words = run.words});
    return true;
  });
  for (const ocs_event& event : events)
    if (event.class_ == OCS_CLASS_INPUT) finish(event);
  for (const ocs_event& event : events) apply(event);
}

/// Whether these events end a run: the output goes from UP, or the burst ends, while the output selects its input.
bool SwitchMirror::ends(std::span<const ocs_event> events, const SegmentRun& run) const {
  const OutputMirror& output = outputs[run.output];
  if (output.state != OCS_UP || output.active != run.input) return false;
  return std::ranges::any_of(events, [&](const ocs_event& event) {
    return event.class_ == OCS_CLASS_INPUT ? event.port == run.input
                                           : event.class_ == OCS_CLASS_OUTPUT && event.port == run.output;
  });
}

void SwitchMirror::finish(const ocs_event& event) {
  const std::uint16_t input = event.port;
  const Cycles at = cycle_of(event);
  EngineMirror& engine = engines[input];
  if (!engine.running) fail("input " + std::to_string(input) + " reports the end of a burst that nobody started");
  const bool whole = event.kind == OCS_WHOLE, look = !whole || engine.unread == most_unread;
  std::uint32_t sent = engine.set.length;
  if (look) {
    sent = counter(OCS_SENT, input) - engine.sent;
    if (sent > engine.set.length || (sent < engine.set.length && (whole || !engine.stopped)))
      fail("burst " + std::to_string(index(engine.id)) + " sent " + std::to_string(sent) + " words instead of " +
           std::to_string(engine.set.length));
  }
  for (std::uint16_t o = 0; o < dev_.ports; ++o) {
    if (outputs[o].active != input) continue;
    if (whole) pass_whole(o, engine, at);
    if (look)
      check_words(o, engine, sent);
    else
      owe_words(outputs[o], engine, sent);
  }
  engine.sent += sent;
  engine.unread = look ? 0 : engine.unread + 1;
  engine.running = false;
  fresh_.push_back(
      {.at = at, .kind = EventKind::burst_done, .port = input, .burst = engine.id, .words = {Words{0}, Words{sent}}});
}

/// Whether the runs of a burst are words of it, in their order: with the words that they leave out they are then all
/// `sent` words, one behind the other. What is told is forgotten.
bool SwitchMirror::in_order(OutputMirror& output, std::uint32_t sent) {
  WordDigest told = std::exchange(output.told, {}), whole;
  const std::int64_t next = std::exchange(output.next, 0);
  if (next < sent) told.add({Words{next}, Words{sent - next}});
  whole.add({Words{0}, Words{sent}});
  return told == whole;
}

void SwitchMirror::check_words(std::uint16_t output, const EngineMirror& engine, std::uint32_t sent) {
  OutputMirror& o = outputs[output];
  const bool ordered = in_order(o, sent);
  if (!one_stamp()) {  // later bursts may have come by already
    o.settled = false;
    return;
  }
  const std::uint32_t passed = counter(OCS_PASSED, output), lost = counter(OCS_LOST, output);
  const std::uint32_t more_passed = passed - o.passed, more_lost = lost - o.lost;
  const auto where = [&] {
    return "burst " + std::to_string(index(engine.id)) + ", output " + std::to_string(output) + ": ";
  };
  check_passed(where, more_passed, o.ran);
  if (sent_all(o, engine) && !ordered)
    fail(where() + "its runs aren't words 0 to " + std::to_string(std::int64_t{sent} - 1) +
         " in their order, but for what was lost");
  if (sent_all(o, engine)) check_sum(where, more_passed, more_lost, o.sent + sent);
  o.passed = passed;
  o.lost = lost;
  o.ran = o.sent = 0;
  o.settled = true;
}

/// The output selected the burst's input throughout, and what it lost before is known.
bool SwitchMirror::sent_all(const OutputMirror& output, const EngineMirror& engine) {
  return output.settled && output.since <= engine.started;
}

/// A burst of which the switch says that the output passed all words: its run, which has no segment. What other segments
/// told is of other bursts.
void SwitchMirror::pass_whole(std::uint16_t output, const EngineMirror& engine, Cycles at) {
  OutputMirror& o = outputs[output];
  if (sent_all(o, engine) && o.next != 0)
    fail("burst " + std::to_string(index(engine.id)) + " is whole, and yet output " + std::to_string(output) +
         " reported a segment of it");
  const WordRun all{Words{0}, Words{engine.set.length}};
  o.ran += engine.set.length;
  o.told = {};
  o.next = 0;
  fresh_.push_back({.at = at, .kind = EventKind::run, .port = output, .burst = engine.id, .words = all});
}

/// A whole burst has passed, and the counters will be read after a later one.
void SwitchMirror::owe_words(OutputMirror& output, const EngineMirror& engine, std::uint32_t sent) {
  if (one_stamp() && sent_all(output, engine))
    output.sent += sent;
  else
    output.settled = false;
}

void SwitchMirror::check_port(std::uint16_t port) {
  EngineMirror& engine = engines[port];
  OutputMirror& o = outputs[port];
  if (engine.unread > 0 && !engine.running) {
    const std::uint32_t sent = counter(OCS_SENT, port) - engine.sent;
    if (sent != 0)
      fail("input " + std::to_string(port) + " sent " + std::to_string(sent) + " words beside those of its bursts");
    engine.unread = 0;
  }
  if (o.sent == 0 || (o.active != OCS_DARK && engines[o.active].running)) return;
  const std::uint32_t passed = counter(OCS_PASSED, port) - o.passed, lost = counter(OCS_LOST, port) - o.lost;
  const auto where = [&] { return "output " + std::to_string(port) + ": "; };
  check_passed(where, passed, o.ran);
  if (o.settled) check_sum(where, passed, lost, o.sent);
}

/// The low half of a counter.
std::uint32_t SwitchMirror::counter(ocs_port_counter which, std::uint16_t port) {
  std::uint32_t value = 0;
  bus_.check(ocs_counter_low(&dev_, which, port, &value));
  return value;
}

void SwitchMirror::apply(const ocs_event& event) {
  if (event.class_ == OCS_CLASS_INPUT) return;
  if (event.class_ == OCS_CLASS_OUTPUT) {
    constexpr std::array kinds{EventKind::idle, EventKind::tuning, EventKind::locking,
                               EventKind::up,   EventKind::held,   EventKind::failed};
    outputs[event.port].state = event.kind;
    fresh_.push_back({.at = cycle_of(event), .kind = kinds[event.kind], .port = event.port});
    return;
  }
  constexpr std::array kinds{EventKind::committed, EventKind::refused, EventKind::wrapped};
  fresh_.push_back({.at = cycle_of(event), .kind = kinds[event.kind], .port = event.port});
  if (event.port == 0) pending = false;
  if (event.port == 1) armed.reset();
  if (event.kind == OCS_COMMITTED) apply_commit(cycle_of(event) - Cycles{1}, event.port);
}

void SwitchMirror::apply_commit(Cycles taken, std::uint16_t source) {
  constexpr std::uint16_t sequencer = 2;
  if (source == sequencer && !table)
    fail("the switch played an entry of a table in cycle " + std::to_string(taken.n) + " that nobody gave it");
  for (std::size_t o = 0; o < outputs.size(); ++o) {
    OutputMirror& output = outputs[o];
    const std::uint16_t selected = source == sequencer ? table->maps[table->next][o]
                                   : given.empty()     ? output.shadow
                                                       : given.front()[o];
    if (output.active == selected) continue;
    if (output.active != OCS_DARK && engines[output.active].running) output.settled = false;
    output.active = selected;
    output.since = taken;
  }
  if (source != sequencer) {
    if (!given.empty()) given.pop_front();
    return;
  }
  table->next = (table->next + 1) % table->maps.size();
  if (table->next == 0 && !table->loops) table.reset();
}

void SwitchMirror::check_errors() {
  std::uint32_t sources = 0, errors = 0;
  bus_.check(ocs_irq_status(&dev_, &sources));
  if ((sources & (OCS_REGS__CORE__IRQ_STATUS__OVERFLOW_bm | OCS_REGS__CORE__IRQ_STATUS__ERROR_bm)) == 0) return;
  bus_.check(ocs_errors(&dev_, &errors));
  if (!is_virtual() && errors == OCS_REGS__CORE__ERROR__LATE_bm) {  // the hardware has counted it
    bus_.check(ocs_errors_clear(&dev_, errors));
    return;
  }
  constexpr std::array<std::pair<std::uint32_t, const char*>, 7> names{{
      {OCS_REGS__CORE__ERROR__RANGE_bm, "RANGE (a map named an input that isn't there)"},
      {OCS_REGS__CORE__ERROR__CONFLICT_bm, "CONFLICT (a map used an input twice)"},
      {OCS_REGS__CORE__ERROR__LATE_bm, "LATE (a timed commit was taken after its cycle)"},
      {OCS_REGS__CORE__ERROR__STEP_ERROR_bm, "STEP_ERROR (the clock went beyond the horizon)"},
      {OCS_REGS__CORE__ERROR__ACCESS_bm, "ACCESS (a register access was refused)"},
      {OCS_REGS__CORE__ERROR__OVERFLOW_bm, "OVERFLOW (the event FIFO was full and dropped events)"},
      {OCS_REGS__CORE__ERROR__SEG_OVERRUN_bm, "SEG_OVERRUN (a segment was overwritten before it was read)"},
  }};
  std::string said;
  for (const auto& [bit, name] : names)
    if (errors & bit) said += (said.empty() ? "" : ", ") + std::string(name);
  fail("in cycle " + std::to_string(clock_.now().n) + " the switch reports " + said);
}

}  // namespace ocs
