// The experiment that arguments mean.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "testbed/apps/commands.hpp"
#include "testbed/session/names.hpp"

namespace ocs {

/// The experiment that these arguments mean; a workload "file:PATH" is relative to the experiment file.
Experiment load(const ExperimentArguments& arguments, const Environment& environment, const std::string& database = {});

/// Prints to standard error which settings change nothing, and why, as `check` does.
void warn_of_settings_without_effect(const Experiment& experiment);

}  // namespace ocs
