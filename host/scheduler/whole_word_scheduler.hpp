// Plans of any scheduler, made to cut no word where nodes are slower than the switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <utility>

#include "host/core/policy.hpp"

namespace ocs {

/// A scheduler counts ticks, and may cut a flow at any of them; a word of a slow node takes several. A plan that cuts
/// no word is passed on as it is. Otherwise the problem is planned once more in units that are whole words of every
/// flow (their least common multiple), all of its times rounded up to units; then each circuit is set up as late as its
/// words allow, so that no set-up is longer than asked. What rounding costs is at most a unit for a reservation. The
/// bound stays that of the problem as asked.
class WholeWordScheduler final : public Scheduler {
 public:
  explicit WholeWordScheduler(std::unique_ptr<const Scheduler> scheduler) : scheduler_(std::move(scheduler)) {}
  /// @throws Error (input) if whole words of all flows take more than 2^31 ticks.
  Plan plan(const Problem& problem) const override;

 private:
  std::unique_ptr<const Scheduler> scheduler_;
};

}  // namespace ocs
