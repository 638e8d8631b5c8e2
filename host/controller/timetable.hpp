// The controller by timetable: commits and words go by the clock, and nobody waits for anybody.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "host/controller/circuit_map.hpp"
#include "host/controller/plan_controller.hpp"

namespace ocs {

/// Plans are in fabric cycles, words and cycles counted alike, made with delta = T + L + 2 * guard. A reservation
/// [start, up, end) is executed so, with o the lateness of its node:
/// - Its circuit, unless it is established (up == start), is committed in start + guard - 1, so that it is UP from
///   up - guard on. As its ports are given away in the same way, it stays until end + guard. A plan for words that
///   were lost before has a longer delta, and so a longer guard.
/// - Its words come to the switch in [up + o, end + o), blind: each is passed by the outputs that select its input and
///   are UP, and lost at the others. So while o is within the guard, and tuning and locking take no longer than
///   planned, nothing is lost; otherwise exactly the words that come when their circuit isn't there.
/// - A clock that drifts has an o of its own for each burst, as it is in the cycle before its up. Where the clock was set
///   back meanwhile, the burst before may still be on its way: then the node sends this one right after it.
/// - All that is committed in one cycle is one commit. The switch holds one timed commit: the next is given when it
///   says that the last was taken. One whose flow has been aborted by then is taken all the same. The switch's own
///   tables (Switch::repeat) aren't used: they hold few commits, and none of them could be taken back.
class TimetableController final : public PlanController {
 public:
  /// @param plane all dark; driven by nobody else; outlives the controller.
  /// @param online plans are made anew while others go on
  TimetableController(Switch& plane, const ControlTimes& times, bool online = false);

  /// Replaces reservations that haven't started and start at or after `from`; their commit may be on its way.
  /// @throws Error (run) for a plan that a timetable can't keep: something of it would have to act in the past, or a
  /// burst starts on an established circuit in the cycle in which the last one of its input ends.
  void adopt(Plan plan, Cycles from) override;
  void on(const Event& event) override;
  Cycles next() const override;
  /// Gives the commits and bursts that are due. @throws Error (run) if the switch refuses.
  void act(Cycles now) override;

  bool abort(Id flow) override;
  bool idle() const override { return left_ == 0 && !given_ && commits_.empty(); }
  Cycles earliest_end(Cycles /*now*/) const override { return ends_.empty() ? never<Cycles> : *ends_.begin(); }
  Cycles latest_end() const override { return ends_.empty() ? Cycles{0} : *ends_.rbegin(); }
  std::vector<EstablishedCircuit> circuits() const override { return map_.circuits(); }
  const Reservation* running(Id burst) const override;
  std::optional<Expected> last_of(Id flow) const override;
  const std::vector<Carried>& take_carried() override;

 private:
  struct Step {
    Reservation planned;
    enum class State : std::uint8_t { waiting, running, over } state = State::waiting;
    bool set_up = false;  ///< its commit is still to be given
    Cycles begin{};       ///< its start acts in this cycle, and its first word comes in the next
    Id burst{};
    Cycles start{};
    bool is_over() const { return state == State::over; }
    bool acts() const { return !is_over() || set_up; }  ///< one that was aborted may still set up its circuit
    Cycles first_word() const { return begin + Cycles{1}; }
    Cycles end() const { return first_word() + Cycles{(planned.end - planned.up).n}; }
  };
  using Agenda = std::set<std::pair<Cycles, std::size_t>>;  ///< steps by the cycle in which something acts

  bool sets_up(const Reservation& planned) const;
  Cycles guards_of(const Reservation& planned) const;
  Cycles delay_of_commit(const Reservation& planned) const;
  bool misses_guard(const Reservation& planned, Cycles up) const;
  Cycles start_of(const Step& step, Cycles up) const;
  Cycles commit_of(const Reservation& planned) const;
  Cycles begin_of(const Reservation& planned) const;
  void queue_bursts();
  Cycles next_commit() const;
  void leave(std::size_t number);
  void forget_commit(std::size_t number);
  void give_commits(Cycles now);
  Agenda::const_iterator first_start() const;

  Switch& switch_;
  ControlTimes times_;
  bool online_;
  Cycles from_{0};  ///< of the last adopt(): what starts before it is kept
  Cycles ahead_;    ///< starts are given so long before their cycle, if the burst before has ended
  int ports_;
  CircuitMap map_;
  std::vector<Step> steps_;
  Agenda commits_, starts_;
  std::multiset<Cycles> ends_;        ///< of what is left, as expected
  std::map<Id, std::size_t> bursts_;  ///< running
  std::size_t left_ = 0;
  bool given_ = false;  ///< a commit has been given and not been seen taken
  std::vector<Carried> carried_, taken_;
  std::uint32_t last_burst_ = 0;
};

}  // namespace ocs
