// The order of one cycle, and the horizon (sections 4 and 11).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/core.hpp"

#include <algorithm>

#include "ocs_regs.h"

namespace ocs::model {

Core::Core(std::size_t ports, std::size_t fifo_depth)
    : crossbar(ports),
      engines(ports),
      words(ports),
      sequencer(ports),
      fifo(fifo_depth),
      shadow(ports),
      offers_(ports),
      fans_(ports) {}

void Core::soft_reset() {
  time_ = 0;
  crossbar.reset();
  std::fill(engines.begin(), engines.end(), Engine{});
  words.reset();
  sequencer.reset();
  requests = {};
  fifo.reset();
  std::fill(shadow.begin(), shadow.end(), Selection{});
  commands = {};
  counters = {};
  all_stop = multicast = false;
  errors = irq_enable = 0;
  commit_tag = 0;
  brief = false;
  changed.reset();
  ended.reset();
}

std::uint32_t Core::irq_status() const {
  std::uint32_t status = 0;
  if (!fifo.empty()) status |= OCS_REGS__CORE__IRQ_STATUS__EVENT_bm;
  if ((errors & OCS_REGS__CORE__ERROR__OVERFLOW_bm) != 0) status |= OCS_REGS__CORE__IRQ_STATUS__OVERFLOW_bm;
  if ((errors & ~std::uint32_t{OCS_REGS__CORE__ERROR__OVERFLOW_bm}) != 0)
    status |= OCS_REGS__CORE__IRQ_STATUS__ERROR_bm;
  return status;
}

Cycle Core::horizon() const {
  if (commands.any() || sequencer.commands.any()) return 1;
  Cycle next = std::min(requests.next_action(time_), sequencer.due());
  next = std::min(next, crossbar.next_action(time_));
  for (std::size_t i = 0; i < ports(); ++i)
    next = std::min(next, engines[i].next_action(time_, crossbar.fanout(i).lit()));
  return next <= time_ ? 1 : later(next - time_, 1);
}

void Core::step(Cycle k) {
  for (std::size_t i = 0; i < ports(); ++i) offers_[i] = engines[i].offer(k, crossbar.fanout(i).lit());
  words.count(crossbar, time_, offers_);
  crossbar.count(k);
  time_ += k - 1;
  act();
  ++time_;
}

void Core::report(DeviceEvent kind, Source source, std::uint8_t tag) {
  record_.push_back({EventClass::device, static_cast<std::uint16_t>(source), static_cast<std::uint8_t>(kind), tag});
}

/// Section 3: takes at most one request. @return its map if it passed the check.
const Map* Core::take_commit() {
  const bool sequenced = sequencer.due() <= time_;
  CommitRequests::Request request{Source::sequencer, sequencer.due() < time_, 0};
  const Map* map = &shadow;
  if (sequenced) {
    map = &sequencer.next().map;
    request.tag = sequencer.next().tag;
    launch_ = sequencer.next().launch;
  } else if (const auto taken = requests.take(time_)) {
    request = *taken;
  } else {
    return nullptr;
  }
  if (request.late) {
    ++counters.late;
    errors |= OCS_REGS__CORE__ERROR__LATE_bm;
  }
  if (const auto refusal = check(*map, ports(), multicast)) {
    ++counters.refused;
    errors |= *refusal == Refusal::range ? OCS_REGS__CORE__ERROR__RANGE_bm : OCS_REGS__CORE__ERROR__CONFLICT_bm;
    report(DeviceEvent::refused, request.source, request.tag);
    return nullptr;
  }
  ++counters.commits;
  report(DeviceEvent::commit, request.source, request.tag);
  return map;
}

/// Section 4, point 7.
void Core::act_engines() {
  const PortMask start = commands.start | launch_;
  for (std::size_t i = 0; i < ports(); ++i) {
    const Engine::Outcome outcome = engines[i].act(time_, commands.stop[i], start[i]);
    if (outcome.started || outcome.done) engines_changed_.set(i);
    if (!outcome.done) continue;
    ended.set(i);
    whole_[i] = brief && outcome.finished && words.whole(i, fans_[i]);
    const InputEvent kind = whole_[i] ? InputEvent::whole : InputEvent::done;
    record_.push_back({EventClass::input, static_cast<std::uint16_t>(i), static_cast<std::uint8_t>(kind)});
  }
}

/// The end of cycle `time_`, after its words have been counted.
void Core::act() {
  record_.clear();
  launch_.reset();
  engines_changed_.reset();
  whole_.reset();
  if (brief)
    for (std::size_t i = 0; i < ports(); ++i) fans_[i] = crossbar.fanout(i).selecting;
  const bool sequenced = sequencer.due() <= time_;
  const Map* commit = take_commit();
  // The map of the entry taken stays where it is until the crossbar has read it: banks only change roles.
  if (sequencer.act(sequenced)) report(DeviceEvent::wrap, Source::sequencer);
  const auto [entered, losing] = crossbar.act(time_, {commit, commands.retry, all_stop}, record_);
  act_engines();
  if (words.end_segments(entered | losing, engines_changed_, whole_)) errors |= OCS_REGS__CORE__ERROR__SEG_OVERRUN_bm;
  changed |= entered;
  if (!fifo.push(time_ + 1, record_)) errors |= OCS_REGS__CORE__ERROR__OVERFLOW_bm;
  commands = {};
}

}  // namespace ocs::model
