// Who plans the circuits of a point: the scheduler of its policy, another one of the catalogue, or one from elsewhere.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <string>

#include "host/core/policy.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Its name in results.
std::string scheduler_name(const Point& point, const Policy& policy);

/// Whether it plans around circuits that carry data, as what comes over time asks for. A program is told of them, and
/// each of its plans is checked; a plan from a file knows none.
bool plans_around_circuits(const Point& point, const std::string& scheduler);

/// @param pause is called while another program plans, and may throw; may be left out.
std::unique_ptr<Scheduler> make_scheduler(const Point& point, const Policy& policy, std::function<void()> pause = {});

}  // namespace ocs
