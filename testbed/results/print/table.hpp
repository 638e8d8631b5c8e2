// Results as text: what all rows share above, then tables with what was swept on the left and measured on the right.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <ostream>
#include <span>
#include <string>

#include "testbed/results/rows/row.hpp"

namespace ocs {

/// The value of an axis that ratios refer to.
struct Baseline {
  std::string key, value;  ///< "policy", "hlf"; a value as ShownSetting has it
};

struct TableOptions {
  int width = 100;
  std::optional<Baseline> baseline = {};  ///< none: no ratios
  std::span<const Row> earlier = {};      ///< of earlier runs: not shown, but ratios may refer to them
};

/// The first thing to know of a row: "iteration 12.30 ms, PST 2.300 ms".
std::string headline_text(const Row& row);

/// Prints rows of one experiment. Every axis is a column (Row::settings); settings with one value stand in the heading.
/// The first table compares: it has what rows of all kinds have in common, and rows that differ in the seed alone are
/// one line there, with their mean, the half-width of its 95 % confidence interval, and how many they are.
void print_table(std::ostream& out, std::span<const Row> rows, const TableOptions& options = {});

}  // namespace ocs
