// What a circuit network asks of its controller, by confirmation or by timetable.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "host/controller/control_times.hpp"
#include "host/core/network.hpp"

namespace ocs {

/// Words that a reservation carries.
inline Words words_of(const Reservation& r) { return Words{(r.end - r.up).n / r.word.n}; }

/// What became of a reservation; all in cycles.
struct Carried {
  Reservation planned;
  Id burst;
  Cycles start;  ///< as it would be planned for what was done: from its commit; of an established circuit: of its burst
  Cycles up;     ///< from which its words could leave; by timetable: in which the first one came to the switch
  Cycles end;    ///< the first without its burst
  Words sent;
  bool missed_guard = false;  ///< by timetable: `up` is further from what was planned than the guard
  bool cut() const { return sent != words_of(planned); }  ///< it was aborted
  bool late() const {                                     ///< it wasn't executed in exactly the planned cycles
    return start.n != planned.start.n || up.n != planned.up.n || end.n != planned.end.n;
  }
};

/// A reservation that is still to be executed, or is being executed.
struct Expected {
  const Reservation* planned;  ///< valid until the next event or plan
  Cycles up;                   ///< its first word is expected at the switch in this cycle
};

class PlanController : public Controller {
 public:
  /// Takes a flow out of the plan and stops its running burst, which then ends with burst_done. By timetable, where
  /// plans are made anew while others go on, its circuits are set up all the same: what comes after them may use them,
  /// and later plans count with those of reservations that start before they could act. take_carried() has such
  /// reservations with no word sent.
  /// @returns whether a burst was running.
  virtual bool abort(Id flow) = 0;

  virtual bool idle() const = 0;  ///< nothing of a plan is left
  /// Nothing of the plan ends before; never: nothing is left. That is the planned end which comes first, or later where it
  /// is past by `now`.
  virtual Cycles earliest_end(Cycles now) const = 0;
  virtual Cycles latest_end() const = 0;                         ///< planned end that comes last; 0: there is none
  virtual std::vector<EstablishedCircuit> circuits() const = 0;  ///< established and UP, by input
  virtual const Reservation* running(Id burst) const = 0;  ///< nullptr: no such burst runs; valid until its burst_done
  virtual std::optional<Expected> last_of(Id flow) const = 0;  ///< that starts last of what is left; none: nothing is
  /// What has ended since the last call, in order; valid until the next one.
  virtual const std::vector<Carried>& take_carried() = 0;
};

/// PlanController::last_of, from a controller's steps.
template <class Step>
std::optional<Expected> last_step_of(const std::vector<Step>& steps, Id flow) {
  const Step* last = nullptr;
  for (const Step& step : steps)
    if (step.planned.flow == flow && !step.is_over() && (last == nullptr || last->planned.start <= step.planned.start))
      last = &step;
  return last == nullptr ? std::nullopt : std::optional(Expected{&last->planned, last->first_word()});
}

/// @param plane all dark; driven by nobody else; outlives the controller.
/// @param online plans are made anew while others go on
std::unique_ptr<PlanController> make_controller(Switch& plane, const ControlTimes& times, bool online = false);

}  // namespace ocs
