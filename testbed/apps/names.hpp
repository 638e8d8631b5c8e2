// What can be named in an experiment file, from all catalogues.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/apps/commands.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// @param base folder that "file:PATH" of a workload is relative to.
Names known_names(const Environment& environment, const std::filesystem::path& base);

/// The experiment that these arguments mean; a workload "file:PATH" is relative to the experiment file.
Experiment load(const ExperimentArguments& arguments, const Environment& environment);

}  // namespace ocs
