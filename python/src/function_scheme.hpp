// A synchronisation scheme that is a function or a class of Python, and the gate at which it decides.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "python/src/function_call.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs::python {

/// What the engine finds under the function's name; lives as long as the function, which makes one scheme a job:
/// function(workers, settings) is what is called with (event, gate).
/// @throws Error (input): it reads a setting that does not exist.
std::shared_ptr<const SyncEntry> scheme_entry(std::shared_ptr<const PolicyFunction> function);

/// Adds the classes Gate and GateEvent.
void add_gate(nanobind::module_& module);

}  // namespace ocs::python
