// Options of a command that change nothing beside the others.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

namespace ocs {

/// Options that have no effect if `when` holds, and why: half a sentence.
struct UnusedOptions {
  bool when;
  std::vector<std::string> options;
  std::string why;
};

/// Prints to standard error, once for each option that was given although it changes nothing, a sentence with the
/// reason: the first one that holds.
void warn_of_unused(const CLI::App& command, const std::vector<UnusedOptions>& unused);

}  // namespace ocs
