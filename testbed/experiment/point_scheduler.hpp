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

/// @param pause is called while another program plans, and may throw; may be left out.
std::unique_ptr<Scheduler> make_scheduler(const Point& point, const Policy& policy, std::function<void()> pause = {});

}  // namespace ocs
