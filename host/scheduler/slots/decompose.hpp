// Decompositions of a demand: stuffed to equal row and column sums, then taken apart into slots of
// circuits that are up together.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <vector>

#include "host/scheduler/demand.hpp"
#include "host/scheduler/slots/square.hpp"

namespace ocs {

/// A demand, and what has to be added so that every row and column in it sums to the budget.
struct Stuffed {
  std::int64_t budget = 0;  ///< the largest row or column sum of the demand, without set-ups
  Square square;            ///< the demand and the stuffing
};

/// QuickStuff. Rows are the inputs with demand, columns the outputs with demand; the lowest-numbered absent ones join
/// the fewer of the two until there are as many. Slack = budget - sum. First pass, entries with demand ascending
/// (in, out), second pass, all others: add the smaller slack of row and column. Source: Liu et al., "Scheduling
/// techniques for hybrid circuit/packet networks", CoNEXT 2015, section 4.
Stuffed quick_stuff(const Demand& demand);

/// How the slots of a decomposition are played.
enum class SlotMode : std::uint8_t {
  all_stop,  ///< nothing moves while circuits are set up; holds on an all-stop switch too
  hold,      ///< a pair that was in the slot before as well carries data meanwhile
};

/// A decomposition: from a demand to slots that together carry at least as much.
using Decompose = std::vector<Slot> (*)(const Demand&);

/// Plays the slots of a decomposition: each is the set-up time, then its length.
class Decomposition : public Scheduler {
 public:
  /// @param name for error messages.
  Decomposition(const char* name, Decompose decompose, SlotMode mode)
      : name_(name), decompose_(decompose), mode_(mode) {}
  /// @throws Error (input) as read_demand(), or if the slots last longer than 2^63 ticks.
  Plan plan(const Problem& problem) const override;

 private:
  const char* name_;
  Decompose decompose_;
  SlotMode mode_;
};

}  // namespace ocs
