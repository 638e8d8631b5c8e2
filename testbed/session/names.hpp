// What can be named in an experiment file, from all catalogues.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <vector>

#include "testbed/experiment/experiment.hpp"
#include "testbed/plans/exec_settings.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/session/environment.hpp"

namespace ocs {

/// @param base folder that "file:PATH" of a workload is relative to.
/// @param database that "row:ID" of charge_planning is in; empty: none. @param exec how programs are executed.
Names known_names(const Environment& environment, const std::filesystem::path& base, const std::string& database = {},
                  const ExecSettings& exec = {});

/// Prints which of the rows that were read so far have no checksum.
void warn_of_rows_without_checksum(const StoredRows& stored);

/// What the plans of row `id` were charged. @throws Error (input): nothing.
std::vector<Picos> charges_of_row(StoredRows& stored, std::int64_t id);

/// "row 3 (sunflow): ", in front of what went wrong with it.
std::string name_in_errors(const Experiment& experiment, std::size_t row);

}  // namespace ocs
