// A placer that is a function of Python, and the job that it is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/scheduler/catalogue.hpp"
#include "python/src/function_call.hpp"

namespace ocs::python {

/// What the engine finds under the function's name; lives as long as the function.
std::shared_ptr<const PlacerEntry> placer_entry(std::shared_ptr<const PolicyFunction> function);

/// Adds the class PlacementJob.
void add_placement_job(nanobind::module_& module);

}  // namespace ocs::python
