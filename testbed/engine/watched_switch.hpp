// A switch that tells what its outputs do: what each selects, which state it is in, when words pass.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

#include "host/core/id_table.hpp"
#include "host/core/switch.hpp"

namespace ocs {

/// Told in the order of events. Cycles: `at` is the first one in which the new state holds.
class OutputWatcher {
 public:
  virtual ~OutputWatcher() = default;
  /// A state event of an output that now selects `in`.
  virtual void entered(Output out, EventKind state, std::optional<Input> in, Cycles at) = 0;
  /// Words of `in` passed `out` in the cycles [from, to), one in each.
  virtual void passed(Output out, Input in, Cycles from, Cycles to) = 0;
  /// Commands that the switch has taken, in the cycle `now` in which they were given.
  virtual void commanded(const Commit&, Cycles /*now*/) {}
  virtual void commanded(const Burst&, Cycles /*now*/) {}
};

/// Forwards everything. An event doesn't say what an output selects: that is known from the commits
/// and bursts that go through here.
class WatchedSwitch final : public Switch {
 public:
  /// @param pause called at least every `slice` cycles of a device whose every cycle is an edge; it may throw to end
  ///        the run. Empty: never.
  WatchedSwitch(Switch& inner, std::vector<OutputWatcher*> watchers, std::function<void()> pause = {});
  ~WatchedSwitch() override;

  static constexpr Cycles slice{1 << 18};

  FabricClock& clock() override;
  Constants constants() override { return inner_.constants(); }
  Counters counters(std::uint16_t port) override { return inner_.counters(port); }
  std::optional<int> power(Output output) override { return inner_.power(output); }
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override { return inner_.stop(burst); }
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override { return inner_.set_dead(port, dead); }
  std::optional<Refusal> set_mirror_fault(Output output, MirrorFault fault, Cycles amount) override {
    return inner_.set_mirror_fault(output, fault, amount);
  }
  std::optional<Refusal> retry(Output output) override { return inner_.retry(output); }
  void take_events(std::vector<Event>& append) override;

 private:
  class PausingClock;
  using Map = std::vector<std::optional<Input>>;  ///< of each output
  static void change(Map& map, const Commit& commit);
  void notify(const Event& event);

  Switch& inner_;
  std::vector<OutputWatcher*> watchers_;
  std::unique_ptr<PausingClock> clock_;  ///< only with a pause
  std::deque<Commit> waiting_;           ///< not yet taken
  std::vector<Map> table_;               ///< maps that the switch goes through by itself
  std::size_t next_in_table_ = 0;
  Map selection_;
  IdTable<Input> bursts_;  ///< running
};

}  // namespace ocs
