// What results keep of an experiment, and of the one row of it that is to be repeated.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "testbed/experiment/experiment.hpp"
#include "testbed/results/database/stored_rows.hpp"
#include "testbed/results/rows/record.hpp"

namespace ocs {

/// The whole experiment, axes as lists. @param file its file, @param version of lightloop.
ExperimentRecord record_of(const Experiment& experiment, const std::string& file, const std::string& version);

/// Its row number `row`, resolved: it means the same wherever it is read.
/// @param whole as record_of() gives it. A workload "file:PATH" is taken relative to the folder of its file.
ExperimentRecord record_of_row(const Experiment& experiment, std::size_t row, const ExperimentRecord& whole);

/// The program ("exec:...") that planned one row; empty: none did.
std::string program_of(const ExperimentRecord& resolved);

/// The point that such a record means. @param origin for messages: "row 3 of ...".
/// @throws Error (input) if it isn't one possible point, or the table of tensors is another one today.
Point point_of(const ExperimentRecord& resolved, const Names& names, const std::string& origin);

/// Rows of a database that need not be run again.
class RowsThere {
 public:
  RowsThere(std::vector<StoredRow> rows, const Names& names);

  /// The first row with the same resolved experiment, however its quantities are written; nullptr if there is none.
  const StoredRow* find(const ExperimentRecord& resolved) const;

 private:
  struct Known {
    StoredRow row;
    Point point;
  };
  const Names& names_;
  std::multimap<std::string, Known> known_;  ///< by name, policy and seed
};

}  // namespace ocs
