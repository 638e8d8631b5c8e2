// Which rows of an experiment a start of the program runs, and how a row is called.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// Every `of`-th row, from number `part` on: 0 to of - 1.
struct RowShard {
  std::size_t part = 0, of = 1;
  bool has(std::size_t row) const { return row % of == part; }
  /// The number of rows that it has of `rows`.
  std::size_t size(std::size_t rows) const { return rows / of + (part < rows % of ? 1 : 0); }
};

/// "K/N": shard K of N, counted from 1; "" is all rows. @throws Error (input).
RowShard parse_shard(const std::string& text);

/// The row's policy and the values of all other axes: "hlf, job.workers=4".
std::string name_of_row(const Experiment& experiment, std::size_t row);

}  // namespace ocs
