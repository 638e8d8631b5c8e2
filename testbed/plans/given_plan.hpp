// A scheduler that answers with plans made elsewhere, moved to when they are asked for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "testbed/plans/plan_file.hpp"

namespace ocs {

/// For a problem with the demand of one of the plan's phases: the same pairs of ports, each with the same length. The
/// plan's times count from its own problem's `now`, so they are moved by the difference; its flows become those of the
/// problem that go between the same ports. What its problem says besides the demand doesn't matter: the checker holds
/// the plan against what is.
class GivenPlan final : public Scheduler {
 public:
  /// @param name of the plan, for messages: "plan.json: plan 2". @param latest when it has to have
  /// ended. @param rest plans words that were lost and have to be sent again, of which no plan made
  /// elsewhere can know; none: they are an error.
  GivenPlan(FiledPlan plan, std::string name, Ticks latest, std::unique_ptr<Scheduler> rest = nullptr);

  /// @throws BrokenRule (input) that names the phase, the rule and the difference: another demand, or a plan that
  /// breaks a rule of check_plan().
  Plan plan(const Problem& problem) const override;

 private:
  std::vector<Reservation> moved(const FiledPhase& phase, const Problem& problem) const;

  FiledPlan plan_;
  std::string name_;
  Ticks latest_;
  std::unique_ptr<Scheduler> rest_;
};

}  // namespace ocs
