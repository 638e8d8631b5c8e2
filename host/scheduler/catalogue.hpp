// What there is to choose from: schedulers, placers, and policies that name one of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "host/core/catalogue.hpp"
#include "host/core/policy.hpp"

namespace ocs {

/// How the parameters are cut, who places them, and who plans the circuits.
struct Policy {
  std::string_view name, summary;
  std::string_view placer, allocation, scheduler;  ///< names in placers(), allocations() and schedulers()
  bool any_node;  ///< servers may run on every node; else on the nodes set aside for them
};

/// What sets a scheduler apart from others. Code that has to know asks for the trait, not for the name.
struct SchedulerTraits {
  bool online = false;  ///< plans around circuits that carry data, so it can be asked whenever a coflow comes or ends
  bool priorities = false;  ///< takes flows of different priorities
  bool multicast = false;   ///< one circuit goes from an input to several outputs
  bool draws = false;       ///< its plans depend on the seed
  bool searches = false;    ///< improves plans with a fixed amount of work
  bool small_only = false;  ///< refuses what is too large; only the attempt to plan says whether it is
};

struct SchedulerEntry {
  std::string_view name, summary;
  std::unique_ptr<Scheduler> (*make)();
  SchedulerTraits traits = {};
};

struct PlacerTraits {
  bool draws = false;       ///< its placements depend on the seed
  bool small_only = false;  ///< refuses what is too large; only the attempt to place says whether it is
};

struct PlacerEntry {
  std::string_view name, summary;
  std::function<std::unique_ptr<Placer>()> make;
  PlacerTraits traits = {};
};

/// Use find() and make() of host/core/catalogue.hpp: make(schedulers(), "hlf", "scheduler").
std::span<const SchedulerEntry> schedulers();
std::span<const PlacerEntry> placers();
std::span<const Policy> policies();

/// The traits of a scheduler; all false for one that the catalogue doesn't have.
SchedulerTraits scheduler_traits(std::string_view scheduler);
/// Whether the scheduler plans around circuits that carry data, so that it can be asked whenever a
/// coflow comes or ends.
bool plans_arrivals(std::string_view scheduler);
/// Whether it takes flows of different priorities.
bool plans_priorities(std::string_view scheduler);
/// Names of those, joined by commas.
std::string priority_schedulers();
/// Names of those that plan arrivals, "a, b, c".
std::string arrivals_schedulers();

}  // namespace ocs
