// A clock behind the switch's, and commands ahead of it.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/board/wall_switch.hpp"

#include <algorithm>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/device/registers/switch_delays.hpp"

namespace ocs {
namespace {

class WallSwitch final : public Switch, public FabricClock {
 public:
  WallSwitch(std::unique_ptr<Switch> inner, const SwitchConfig& config, CommandTimes* times)
      : inner_(std::move(inner)), delays_(config.delays), times_(times) {}

  FabricClock& clock() override { return *this; }
  ClockKind kind() const override { return ClockKind::wall_time; }
  Picos cycle() const override { return inner_->clock().cycle(); }
  Cycles now() override { return now_; }
  Cycles run_until(Cycles limit) override;
  bool interrupt() override { return !events_.empty() && events_.front().at <= now_; }
  std::uint64_t edges() const override { return 0; }

  Constants constants() override {
    Constants constants = inner_->constants();
    constants.cycle_exact = false;
    constants.ahead = true;
    return constants;
  }
  Counters counters(std::uint16_t port) override { return inner_->counters(port); }
  std::optional<int> power(Output output) override { return inner_->power(output); }
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override;
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override;
  std::optional<Refusal> set_mirror_fault(Output output, MirrorFault fault, Cycles amount) override;
  std::optional<Refusal> retry(Output output) override;
  void take_events(std::vector<Event>& append) override;

 private:
  struct Rebuilt {
    Cycles taken, up;  ///< cycle of its commit; from which all that listen are up
  };
  void begin();
  Cycles earliest(const Burst& burst) const;
  Cycles shifted(Cycles own) const { return own == never<Cycles> ? own : own + epoch(); }
  Cycles epoch() const { return epoch_.value_or(Cycles{0}); }
  Cycles raw_now() { return inner_->clock().now() - epoch(); }
  void look();
  void hand_on();
  void given(Cycles for_cycle);

  std::unique_ptr<Switch> inner_;
  SwitchDelays delays_;
  CommandTimes* times_;
  std::optional<Cycles> epoch_;  ///< of the switch's clock when time began
  Cycles now_{0};
  std::vector<Event> read_;
  std::deque<Event> events_;          ///< not told yet, own time
  std::deque<Commit> kept_;           ///< while another one hasn't been taken
  bool waiting_ = false;              ///< a commit was handed on and not seen taken
  std::map<Input, Rebuilt> rebuilt_;  ///< inputs to which a commit connects outputs; until it is seen taken
};

void WallSwitch::begin() {
  if (!epoch_) epoch_ = inner_->clock().now();
}

/// Reads what the switch has to say by now, and hands on a commit that waited for another.
void WallSwitch::look() {
  read_.clear();
  inner_->take_events(read_);
  for (Event& event : read_) {
    event.at = std::max(event.at - epoch(), Cycles{0});
    const bool of_commit = event.kind == EventKind::committed || event.kind == EventKind::refused;
    if (of_commit) waiting_ = false;
    if (of_commit) std::erase_if(rebuilt_, [&](const auto& one) { return one.second.taken < event.at; });
    events_.push_back(event);
  }
  hand_on();
}

void WallSwitch::hand_on() {
  if (waiting_ || kept_.empty()) return;
  const Commit next = std::move(kept_.front());
  kept_.pop_front();
  if (const auto refusal = inner_->commit({shifted(next.at), next.change}))
    throw Error(ErrorKind::run, "the switch refuses a commit that waited for another: " + refusal->why);
  waiting_ = true;
  given(next.at);
}

/// A command for a cycle of its own has just reached the switch.
void WallSwitch::given(Cycles for_cycle) {
  if (!times_) return;
  const Cycles reached = raw_now();
  times_->add(reached - now_, reached > for_cycle);
}

Cycles WallSwitch::run_until(Cycles limit) {
  begin();
  for (;;) {
    const Cycles reached = raw_now();  // first: what happened before it is read then
    look();
    if (!events_.empty() && events_.front().at <= limit) return now_ = std::max(now_, events_.front().at);
    if (reached >= limit) return now_ = std::max(now_, limit);
    inner_->clock().run_until(shifted(limit));
  }
}

std::optional<Refusal> WallSwitch::commit(const Commit& commit) {
  begin();
  Commit wanted{std::max(commit.at, now_), commit.change};
  std::sort(wanted.change.begin(), wanted.change.end(), [](const Select& a, const Select& b) { return a.out < b.out; });
  const int ports = inner_->constants().ports;
  for (int rank = 0; rank < static_cast<int>(wanted.change.size()); ++rank) {
    const Select& one = wanted.change[static_cast<std::size_t>(rank)];
    if (!one.in) continue;
    const Cycles up = wanted.at + Cycles{1} + delays_.tuning_of(*one.in, one.out, ports) + delays_.locking_of(one.out) +
                      delays_.programming_of(rank);
    Rebuilt& rebuilt = rebuilt_.try_emplace(*one.in, Rebuilt{wanted.at, up}).first->second;
    rebuilt = {wanted.at, std::max(rebuilt.up, up)};
  }
  look();
  if (waiting_ || !kept_.empty()) {
    kept_.push_back(wanted);
    return std::nullopt;
  }
  if (auto refusal = inner_->commit({shifted(wanted.at), wanted.change})) return refusal;
  waiting_ = true;
  given(wanted.at);
  return std::nullopt;
}

/// A gated burst whose circuit a commit is still to set up may come any time while it is dark.
Cycles WallSwitch::earliest(const Burst& burst) const {
  const auto found = rebuilt_.find(burst.in);
  if (!burst.gated || found == rebuilt_.end() || burst.not_before > found->second.up) return burst.not_before;
  return std::min(burst.not_before, found->second.taken + Cycles{1});
}

std::optional<Refusal> WallSwitch::start(const Burst& burst) {
  begin();
  Burst wanted = burst;
  wanted.not_before = shifted(earliest(burst));
  if (auto refusal = inner_->start(wanted)) return refusal;
  given(burst.not_before - Cycles{1});
  return std::nullopt;
}

std::optional<Refusal> WallSwitch::stop(Id burst) {
  auto refusal = inner_->stop(burst);
  if (!refusal) given(now_);
  return refusal;
}

std::optional<Refusal> WallSwitch::repeat(std::span<const Commit> table, Cycles period) {
  begin();
  std::vector<Commit> moved(table.begin(), table.end());
  for (Commit& commit : moved) commit.at = shifted(commit.at);
  return inner_->repeat(moved, period);
}

std::optional<Refusal> WallSwitch::set_dead(std::uint16_t port, bool dead) {
  begin();
  auto refusal = inner_->set_dead(port, dead);
  if (!refusal) given(now_);
  return refusal;
}

std::optional<Refusal> WallSwitch::set_mirror_fault(Output output, MirrorFault fault, Cycles amount) {
  begin();
  auto refusal = inner_->set_mirror_fault(output, fault, amount);
  if (!refusal) given(now_);
  return refusal;
}

std::optional<Refusal> WallSwitch::retry(Output output) {
  begin();
  auto refusal = inner_->retry(output);
  if (!refusal) given(now_);
  return refusal;
}

void WallSwitch::take_events(std::vector<Event>& append) {
  look();
  for (; !events_.empty() && events_.front().at <= now_; events_.pop_front()) append.push_back(events_.front());
}

}  // namespace

std::unique_ptr<Switch> make_wall_switch(std::unique_ptr<Switch> inner, const SwitchConfig& config,
                                         CommandTimes* times) {
  return std::make_unique<WallSwitch>(std::move(inner), config, times);
}

}  // namespace ocs
