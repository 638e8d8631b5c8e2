// Out of the engine into Python and back, with everything checked that comes back.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_scheduler.hpp"

#include <utility>

#include "python/src/plans.hpp"
#include "python/src/problem.hpp"
#include "testbed/plans/outside_plan.hpp"

namespace ocs::python {
namespace {

class FunctionScheduler final : public Scheduler {
 public:
  FunctionScheduler(std::shared_ptr<const PolicyFunction> function, Ticks latest)
      : function_(std::move(function)), latest_(latest) {}

  /// Python may keep what it is given: that is a copy, which lives as long as anybody has it.
  Plan plan(const Problem& problem) const override {
    const auto kept = std::make_shared<const Problem>(problem);
    const std::string where = function_->name() + ", plan " + std::to_string(++asked_);
    std::vector<Reservation> list;
    ask_function(*function_, where, [&] {
      const nb::object answer = called(function_->function(), ProblemView(kept));
      const StayAtEnd stay;
      list = reservations_from(answer, *kept, where);
    });
    try {
      return checked_plan(problem, std::move(list), latest_);
    } catch (const BrokenRule& broken) {
      throw named(where, broken);
    }
  }

 private:
  std::shared_ptr<const PolicyFunction> function_;
  Ticks latest_;
  mutable std::int64_t asked_ = 0;  ///< for messages
};

}  // namespace

std::unique_ptr<Scheduler> make_function_scheduler(std::shared_ptr<const PolicyFunction> function, Ticks latest) {
  return std::make_unique<FunctionScheduler>(std::move(function), latest);
}

}  // namespace ocs::python
