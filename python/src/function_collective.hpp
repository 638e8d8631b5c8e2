// A collective's list of steps that is a function of Python.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "python/src/function_call.hpp"
#include "testbed/collectives/catalogue.hpp"

namespace ocs::python {

/// What the engine finds under the function's name; lives as long as the function.
/// @throws Error (input): an unknown kind of collective.
std::shared_ptr<const CollectiveEntry> collective_entry(std::shared_ptr<const PolicyFunction> function);

/// Adds collective_steps(), which shows a list of the catalogue.
void add_collectives(nanobind::module_& module);

}  // namespace ocs::python
