// The time that planning takes, charged to the fabric: a plan begins so much later.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"
#include "host/core/wide.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Any other scheduler, with every plan moved by its charge: the same cycles each time, the wall time that the plan
/// took, rounded up to cycles, or what another row was charged, plan by plan. A plan from a file has its times already.
class ChargedScheduler final : public Scheduler {
 public:
  /// @param inner outlives it. @param wall the wall time; advances while `inner` plans.
  ChargedScheduler(const Scheduler& inner, const Point& point, std::function<Picos()> wall = steady_wall);

  /// @throws Error (run): the other row had fewer plans.
  Plan plan(const Problem& problem) const override;

  const std::vector<Cycles>& charged() const { return charged_; }  ///< of each plan so far, if plans are charged at all
  Cycles last() const { return charged_.empty() ? Cycles{0} : charged_.back(); }

  static Picos steady_wall();

 private:
  Cycles charge(Picos took) const;

  const Scheduler& inner_;
  PlanningSettings settings_;
  Picos cycle_;
  std::function<Picos()> wall_;
  mutable std::vector<Cycles> charged_;  ///< what is reported of the plans; changes none of them
};

/// Moves all of a plan.
void delay(Plan& plan, Cycles by);

/// What the plans of the other row were charged in all, ps; 0: no row is replayed.
Wide replayed_time(const PlanningSettings& planning);

/// Reads a value of `charge_planning`. @throws Error with half a sentence: "must ...".
void read_charge(const std::string& text, PlanningSettings& planning);

/// Charges as a row keeps them: lengths in ps, equal ones in a row as "LENGTH*COUNT", between blanks.
std::string charges_text(const std::vector<Cycles>& charges, Picos cycle);
/// @throws Error (input) with half a sentence: "must ...".
std::vector<Picos> charges_from_text(std::string_view text);

}  // namespace ocs
