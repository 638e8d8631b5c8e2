// What can be named in an experiment file, from all catalogues.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/apps/commands.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/results/stored_rows.hpp"

namespace ocs {

/// @param base folder that "file:PATH" of a workload is relative to.
/// @param database that "row:ID" of charge_planning is in; empty: none. @param exec how programs are executed.
Names known_names(const Environment& environment, const std::filesystem::path& base, const std::string& database = {},
                  const ExecSettings& exec = {});

/// The experiment that these arguments mean; a workload "file:PATH" is relative to the experiment file.
Experiment load(const ExperimentArguments& arguments, const Environment& environment, const std::string& database = {});

/// Prints to standard error which settings change nothing, and why, as `check` does.
void warn_of_settings_without_effect(const Experiment& experiment);

/// Prints which of the rows that were read so far have no checksum.
void warn_of_rows_without_checksum(const StoredRows& stored);

/// What the plans of row `id` were charged. @throws Error (input): nothing.
std::vector<Picos> charges_of_row(StoredRows& stored, std::int64_t id);

}  // namespace ocs
