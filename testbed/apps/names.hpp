// What can be named in an experiment file, from all catalogues.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/apps/commands.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// @param base folder that "file:PATH" of a workload is relative to.
/// @param database that "row:ID" of charge_planning is in; empty: none. @param exec how programs are executed.
Names known_names(const Environment& environment, const std::filesystem::path& base, const std::string& database = {},
                  const ExecSettings& exec = {});

/// The experiment that these arguments mean; a workload "file:PATH" is relative to the experiment file.
Experiment load(const ExperimentArguments& arguments, const Environment& environment, const std::string& database = {});

/// Prints to standard error which settings change nothing, and why, as `check` does.
void warn_of_settings_without_effect(const Experiment& experiment);

/// What the plans of row `id` were charged. @throws Error (input): nothing.
std::vector<Picos> charges_of_row(const std::string& database, std::int64_t id);

}  // namespace ocs
