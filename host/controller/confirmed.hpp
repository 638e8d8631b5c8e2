// The controller by confirmation: it starts what is due once the events say that the ports are free.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include "host/core/network.hpp"

namespace ocs {

/// What became of a reservation; all in cycles.
struct Carried {
  Reservation planned;
  Id burst;
  Cycles start;  ///< in which its circuit was committed; of an established one: before which its burst started
  Cycles up;     ///< from which its words could leave
  Cycles end;    ///< the first without its burst
  Words sent;
  bool cut() const { return sent.n != (planned.end - planned.up).n; }  ///< it was aborted
  bool late() const {  ///< it wasn't carried out in exactly the planned cycles
    return start.n != planned.start.n || up.n != planned.up.n || end.n != planned.end.n;
  }
};

/// Plans are in fabric cycles, words and cycles counted alike. A reservation [start, up, end) is carried out so:
/// - It sets up its circuit: commit and gated burst act in cycle `start`; with up = start + T + L + 1 its words fill
///   [up, end). All that can start in one cycle share one commit.
/// - Its circuit is established (up == start): its burst starts in cycle start - 1, so that its words fill [up, end).
/// - It waits until every reservation before it on its ports has ended, by events; then it starts at its cycle, or at
///   once if that is past. No word leaves before `up`. So what is carried out is what was planned, or late, never
///   early.
/// An output that an input leaves behind is made dark in the same commit. Unfit for plans that must not wait.
class ConfirmedController final : public Controller {
 public:
  /// @param plane all dark; driven by nobody else; outlives the controller.
  explicit ConfirmedController(Switch& plane);

  /// Replaces reservations that haven't started and start at or after `from`. Those of `plan` queue behind the others.
  void adopt(Plan plan, Cycles from) override;

  /// In the order of the Switch seam, before act() of the same cycle.
  void on(const Event& event) override;

  /// Earliest cycle at which it would act by itself.
  Cycles next() const override;

  /// Starts what is due. `now` is the present cycle. @throws Error (run) if the switch refuses.
  void act(Cycles now) override;

  /// Takes a flow out of the plan and stops its running burst, which then ends with burst_done.
  /// @returns whether a burst was running.
  bool abort(Id flow);

  bool idle() const { return left_ == 0; }     ///< nothing of a plan is left
  Cycles earliest_end() const;                 ///< planned end that comes first; never when idle
  std::vector<Circuit> circuits() const;       ///< established and UP, by input; free_at is their end, or 0
  const Reservation* running(Id burst) const;  ///< nullptr: no such burst runs; valid until its burst_done is given
  std::vector<Carried> take_carried();         ///< what has ended since the last call, in order

 private:
  static constexpr std::uint16_t dark = 0xffff;

  struct Step {
    Reservation planned;
    enum class State : std::uint8_t { waiting, running, over } state = State::waiting;
    std::size_t blocked = 0;  ///< ports on which another one comes first
    bool set_up = false;      ///< its commit changed its circuit
    Id burst{};
    Cycles start{}, up{};
  };
  using Queue = std::deque<std::size_t>;

  template <class F>
  void for_each_queue(const Step& step, F&& f);
  static Cycles act_of(const Reservation& planned);
  void rebuild();
  void leave(std::size_t number);
  void set_up(const std::vector<std::size_t>& due, Cycles now);
  void start(std::size_t number, Cycles now);

  Switch& switch_;
  int ports_;
  std::vector<Step> steps_;
  std::vector<Queue> inputs_, outputs_;             ///< steps of a port, first come first
  std::set<std::pair<Cycles, std::size_t>> ready_;  ///< not blocked, by the cycle to act in
  std::multiset<Cycles> ends_;                      ///< planned ends of what is left
  std::map<Id, std::size_t> bursts_;                ///< running
  std::size_t left_ = 0;
  std::vector<std::uint16_t> selection_;  ///< of each output, after the last commit
  std::vector<EventKind> state_;          ///< of each output
  std::vector<Carried> carried_;
  std::uint32_t last_burst_ = 0;
};

}  // namespace ocs
