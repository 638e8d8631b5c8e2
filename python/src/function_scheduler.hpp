// A scheduler that is a function of Python, called in this process for every plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/policy.hpp"
#include "python/src/function_call.hpp"

namespace ocs::python {

/// @param latest no plan may end later.
std::unique_ptr<Scheduler> make_function_scheduler(std::shared_ptr<const PolicyFunction> function, Ticks latest);

}  // namespace ocs::python
