// Which rows of an experiment a start of the program runs, and how a row is called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "testbed/cluster/shares.hpp"
#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Shard number `part` of `of`: 0 to of - 1.
struct RowShard {
  std::size_t part = 0, of = 1;
};

/// "K/N": shard K of N, counted from 1; "" is all rows. @throws Error (input).
RowShard parse_shard(const std::string& text);

/// How long each row took, in seconds, where the database `costs` has one with the same settings.
/// @param file of the experiment. @param costs empty: nothing is known.
/// @throws Error (input): costs is no database of results, or is damaged.
Costs costs_of_rows(const Experiment& experiment, const std::string& file, const std::string& costs);

/// Whether a shard has each of the rows: every N-th, or, where costs are known, so many that all shards take about
/// equally long.
std::vector<bool> rows_of_shard(const RowShard& shard, const Costs& costs);

/// The row's policy and the values of all other axes: "hlf, job.workers=4".
std::string name_of_row(const Experiment& experiment, std::size_t row);

}  // namespace ocs
