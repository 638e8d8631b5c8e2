// Follows selections and bursts from commands to events.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/engine/watched_switch.hpp"

#include <algorithm>
#include <utility>

namespace ocs {
namespace {

constexpr std::uint16_t sequencer = 2;  // source of a committed event: switch-contract.md, section 3

}  // namespace

/// Advances in slices, so that a long way without events can be broken off.
class WatchedSwitch::PausingClock final : public FabricClock {
 public:
  PausingClock(FabricClock& inner, std::function<void()> pause) : inner_(inner), pause_(std::move(pause)) {}
  ClockKind kind() const override { return inner_.kind(); }
  Picos cycle() const override { return inner_.cycle(); }
  Cycles now() override { return inner_.now(); }
  std::uint64_t edges() const override { return inner_.edges(); }
  Cycles run_until(Cycles limit) override {
    for (;;) {
      const Cycles now = inner_.now();
      const Cycles stop = limit - now > slice ? now + slice : limit;  // limit may be `never`
      if (inner_.run_until(stop) < stop || stop == limit) return inner_.now();
      pause_();
    }
  }

 private:
  FabricClock& inner_;
  std::function<void()> pause_;
};

WatchedSwitch::WatchedSwitch(Switch& inner, std::vector<OutputWatcher*> watchers, std::function<void()> pause)
    : inner_(inner),
      watchers_(std::move(watchers)),
      clock_(pause ? std::make_unique<PausingClock>(inner.clock(), std::move(pause)) : nullptr),
      selection_(static_cast<std::size_t>(inner.constants().ports)) {}

WatchedSwitch::~WatchedSwitch() = default;

FabricClock& WatchedSwitch::clock() { return clock_ ? *clock_ : inner_.clock(); }

std::optional<Refusal> WatchedSwitch::commit(const Commit& commit) {
  std::optional<Refusal> refusal = inner_.commit(commit);
  if (refusal) return refusal;
  waiting_.push_back(commit);
  for (OutputWatcher* watcher : watchers_) watcher->commanded(commit, inner_.clock().now());
  return refusal;
}

std::optional<Refusal> WatchedSwitch::start(const Burst& burst) {
  std::optional<Refusal> refusal = inner_.start(burst);
  if (refusal) return refusal;
  bursts_[burst.id] = burst.in;
  for (OutputWatcher* watcher : watchers_) watcher->commanded(burst, inner_.clock().now());
  return refusal;
}

std::optional<Refusal> WatchedSwitch::repeat(std::span<const Commit> table, Cycles period) {
  std::optional<Refusal> refusal = inner_.repeat(table, period);
  if (refusal || table.empty()) return refusal;  // of a table that is stopped, the last commit may still come
  Map map = selection_;
  for (const Commit& commit : waiting_) change(map, commit);  // taken, but not yet told of
  table_.clear();
  for (const Commit& commit : table) {
    change(map, commit);
    table_.push_back(map);
  }
  next_in_table_ = 0;
  return refusal;
}

void WatchedSwitch::change(Map& map, const Commit& commit) {
  for (const Select& select : commit.change) map.at(index(select.out)) = select.in;
}

void WatchedSwitch::take_events(std::vector<Event>& append) {
  const std::size_t before = append.size();
  inner_.take_events(append);
  for (std::size_t k = before; k < append.size(); ++k) notify(append[k]);
}

void WatchedSwitch::notify(const Event& event) {
  switch (event.kind) {
    case EventKind::committed:  // comes before the events of outputs
      if (event.port == sequencer) selection_ = table_.at(next_in_table_++ % table_.size());
      if (event.port != sequencer)  // commits of one cycle merge
        for (; !waiting_.empty() && waiting_.front().at < event.at; waiting_.pop_front())
          change(selection_, waiting_.front());
      return;
    case EventKind::run:
      if (const Input* in = bursts_.find(event.burst))
        for (OutputWatcher* watcher : watchers_)
          watcher->passed(Output{event.port}, *in, event.at - Cycles{event.words.count.n}, event.at);
      return;
    case EventKind::burst_done:
      bursts_.erase(event.burst);
      return;
    case EventKind::refused:
    case EventKind::wrapped:
      return;
    default:
      for (OutputWatcher* watcher : watchers_)
        watcher->entered(Output{event.port}, event.kind, selection_.at(event.port), event.at);
  }
}

}  // namespace ocs
