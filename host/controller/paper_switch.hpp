// A switch on paper: it does what a plan by confirmation asks for, to the cycle, and has no registers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "host/controller/control_times.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// Circuits light up as long after their commit as `times` say, and gated bursts pass whole: the events are those of a
/// switch with these times, but that LOCKING isn't told from TUNING, and that commits are reported by timetable alone.
/// For a controller that changes no circuit that carries a burst: by confirmation, or by timetable with clocks that are
/// right, while plans are made anew (commits are given when they are due, one in a cycle). What else a switch can do is an Error
/// (internal).
class PaperSwitch final : public Switch, private FabricClock {
 public:
  PaperSwitch(int ports, std::int64_t word_bytes, Picos cycle, ControlTimes times);

  FabricClock& clock() override { return *this; }
  Constants constants() override;
  Counters counters(std::uint16_t port) override;
  std::optional<Refusal> commit(const Commit& commit) override;
  std::optional<Refusal> start(const Burst& burst) override;
  std::optional<Refusal> repeat(std::span<const Commit> table, Cycles period) override;
  std::optional<Refusal> stop(Id burst) override;
  void take_events(std::vector<Event>& append) override;
  std::optional<Refusal> set_dead(std::uint16_t port, bool dead) override;

 private:
  ClockKind kind() const override { return ClockKind::virtual_time; }
  Picos cycle() const override { return cycle_; }
  Cycles now() override { return now_; }
  Cycles run_until(Cycles limit) override;
  std::uint64_t edges() const override { return 0; }

  struct Running {
    Burst burst;
    Cycles first;  ///< in which its first word passes
    Cycles end;    ///< the first cycle without it
  };
  struct Place {  ///< the order of events in one cycle: a commit, states of outputs, runs, ends of bursts; each by port
    Cycles at;
    int of;
    std::uint16_t port;
    friend auto operator<=>(const Place&, const Place&) = default;
  };
  void put(int of, const Event& event);
  void enter(std::uint16_t output, EventKind state, Cycles at);
  void end(const Running& running, Words words);
  void forget(const Running& running);

  std::size_t ports_;
  std::int64_t word_bytes_;
  Picos cycle_;
  ControlTimes times_;
  Cycles now_{0};
  std::vector<std::optional<Input>> selected_;   ///< of each output
  std::vector<Cycles> lit_;                      ///< of each output that selects an input: the first cycle in UP
  std::vector<Outputs> outputs_;                 ///< that select each input
  std::vector<std::optional<Running>> running_;  ///< of each input; a burst that has ended may still be there
  std::map<Place, Event> events_;                ///< not taken yet
};

}  // namespace ocs
