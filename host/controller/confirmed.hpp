// The controller by confirmation: it starts what is due once the events say that the ports are free.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/container/flat_map.hpp>
#include <boost/container/flat_set.hpp>
#include <cstdint>
#include <deque>
#include <optional>
#include <utility>
#include <vector>

#include "host/controller/circuit_map.hpp"
#include "host/controller/plan_controller.hpp"

namespace ocs {

/// Plans are in fabric cycles, words and cycles counted alike, made with delta = T + L + 1 + lead + fibre. A
/// reservation [start, up, end) is executed so:
/// - It sets up its circuit: commit and gated burst act in cycle start + lead; with up = start + delta its words fill
///   [up, end). All that can start in one cycle share one commit.
/// - Its circuit is established (up == start): its burst starts in cycle start - 1, so that its words fill [up, end).
/// - It waits until every reservation before it on its ports has ended, by events; then it starts at its cycle, or at
///   once if that is past: what is decided in cycle s, on what is known then, acts in s + lead, and a node's words are
///   at the switch `fibre` after it was told that its circuit is up. No word leaves before `up`. So what is executed
///   is what was planned, or late, never early.
/// An output that an input leaves behind is made dark in the same commit. Unfit for plans that must not wait.
/// Where mirrors are programmed in turn, a plan doesn't know for which others its circuit waits. The controller does, as
/// soon as it makes the commit: words come when the circuit is up, not before, and what waited is late.
class ConfirmedController final : public PlanController {
 public:
  /// @param plane all dark; driven by nobody else; outlives the controller.
  explicit ConfirmedController(Switch& plane, const ControlTimes& times = {});

  /// Replaces reservations that haven't started and start at or after `from`. Those of `plan` queue behind the others.
  void adopt(Plan plan, Cycles from) override;

  /// Takes events in the order of the Switch seam, before act() of the same cycle.
  void on(const Event& event) override;

  /// Earliest cycle at which it would act by itself.
  Cycles next() const override;

  /// Starts what is due. `now` is the present cycle. @throws Error (run) if the switch refuses.
  void act(Cycles now) override;

  bool abort(Id flow) override;
  bool idle() const override { return left_ == 0; }
  Cycles earliest_end(Cycles now) const override;
  Cycles latest_end() const override { return left_ == 0 ? Cycles{0} : planned_end(by_end_[behind_ends_ - 1]); }
  std::vector<EstablishedCircuit> circuits() const override;  ///< free_at is their end, or 0
  const Reservation* running(Id burst) const override;
  std::optional<Expected> last_of(Id flow) const override;
  const std::vector<Carried>& take_carried() override;

 private:
  struct Step {
    Reservation planned;
    enum class State : std::uint8_t { waiting, running, over } state = State::waiting;
    std::size_t blocked = 0;  ///< ports on which another one comes first
    bool set_up = false;      ///< its commit changed its circuit
    Id burst{};
    Cycles act{};  ///< in which its commands act, once it isn't blocked
    Cycles start{}, up{};
    Cycles light{};  ///< if set_up: from its commit to light at all its outputs
    Outputs lit{};   ///< outputs that have been up since it began; some may lose their light and find it again
    bool is_over() const { return state == State::over; }
    Cycles first_word() const { return Cycles{planned.up.n}; }  ///< as planned
  };
  using Queue = std::deque<std::size_t>;

  template <class F>
  void for_each_queue(const Step& step, F&& f);
  Cycles planned_end(std::size_t number) const { return Cycles{steps_[number].planned.end.n}; }
  Cycles act_of(const Reservation& planned, Cycles now) const;
  void rebuild();
  void leave(std::size_t number);
  void forget_ends();
  void set_up(const std::vector<std::size_t>& due, Cycles now);
  Cycles light_of(const Reservation& planned, const std::vector<Select>& change) const;
  void start(std::size_t number, Cycles now);
  void note_state(const Event& event);
  Cycles end_of(const Step& step, Cycles now) const;

  Switch& switch_;
  ControlTimes times_;
  Cycles ahead_;  ///< commands are given so long before their cycle
  CircuitMap map_;
  std::vector<Step> steps_;
  std::vector<Queue> inputs_, outputs_;  ///< steps of a port, first come first
  /// Not blocked, by the cycle to act in. At most one a port: flat lists are faster than trees.
  boost::container::flat_set<std::pair<Cycles, std::size_t>> ready_;
  /// By planned end, all that was left when the last plan was adopted. What is left now begins at `first_end_` and
  /// stops before `behind_ends_`, with steps between them that are over.
  std::vector<std::size_t> by_end_;
  std::size_t first_end_ = 0, behind_ends_ = 0;
  Outputs up_;                                          ///< outputs that are up
  std::vector<std::optional<Cycles>> tuned_since_;      ///< when an output that has not been up since began to tune
  boost::container::flat_map<Id, std::size_t> bursts_;  ///< running
  std::size_t left_ = 0;
  std::vector<Carried> carried_, taken_;
  std::uint32_t last_burst_ = 0;
};

}  // namespace ocs
