// Rows that differ in the seed alone as one line each, and ratios between lines.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "testbed/results/print/estimate.hpp"
#include "testbed/results/print/table.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

/// A number that a row has, or none. Times in seconds.
using Measure = std::optional<double> (*)(const Row&);

std::optional<double> iteration_s(const Row& row);
std::optional<double> pst_s(const Row& row);
std::optional<double> pst_over_bound(const Row& row);
/// Over circuits. The time is that of all outputs together.
std::optional<double> circuits_set_up(const Row& row);
std::optional<double> dark_time_s(const Row& row);
std::optional<double> cct_s(const Row& row);
std::optional<double> accuracy(const Row& row);
std::optional<double> loss(const Row& row);
std::optional<double> time_to_target_s(const Row& row);

/// The value of an axis, as written; "policy" is one. Empty: the row has no such axis.
std::string value_of(const Row& row, const std::string& key);

struct ComparedLine {
  std::vector<const Row*> rows;  ///< at least one; they differ in the seed alone

  /// Of those that have the number.
  Estimate estimate(Measure measure) const;
};

/// Refers to the rows that it was given.
class Comparison {
 public:
  Comparison(std::span<const Row> rows, std::span<const Row> earlier, const std::optional<Baseline>& baseline);

  const std::vector<ComparedLine>& lines() const { return lines_; }
  bool several_seeds() const { return several_seeds_; }

  /// Of a line's mean to that of the line which has the baseline's value and equals it in all other axes; that of the
  /// earlier rows if there is none. None: there is neither, or it lacks the number.
  std::optional<double> ratio(std::size_t line, Measure measure) const;

 private:
  std::vector<ComparedLine> lines_, earlier_;
  std::optional<Baseline> baseline_;
  bool several_seeds_ = false;
};

}  // namespace ocs
