// A selection of receivers that is a function of Python, and the problem that it is given.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "python/src/function_call.hpp"
#include "testbed/selection/catalogue.hpp"

namespace ocs::python {

/// What the engine finds under the function's name; lives as long as the function.
std::shared_ptr<const SelectionEntry> selection_entry(std::shared_ptr<const PolicyFunction> function);

/// Adds the classes SelectionProblem and Sending.
void add_selection_problem(nanobind::module_& module);

}  // namespace ocs::python
