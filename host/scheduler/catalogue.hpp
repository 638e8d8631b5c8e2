// What there is to choose from: schedulers, placers, and policies that name one of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

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

/// Use find() and make() of host/core/catalogue.hpp: make(schedulers(), "hlf", "scheduler").
std::span<const Entry<Scheduler>> schedulers();
std::span<const Entry<Placer>> placers();
std::span<const Policy> policies();

/// Whether the scheduler plans around circuits that carry data, so that it can be asked whenever a coflow comes or
/// ends.
bool plans_arrivals(std::string_view scheduler);
/// Whether it takes flows of different priorities.
bool plans_priorities(std::string_view scheduler);
/// Names of those, joined by commas.
std::string priority_schedulers();
/// Names of those that plan arrivals, "a, b, c".
std::string arrivals_schedulers();

}  // namespace ocs
