// The shell at a terminal: editing, history and completion.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdio>
#include <filesystem>

#include "testbed/console/shell.hpp"

namespace ocs::console {

struct Terminal {
  std::FILE *in, *out, *error;
  std::filesystem::path history;  ///< lines of earlier sessions, which this one's are added to; empty: none
};

/// Reads lines until `quit` or the end of the file. What is wrong with a line is said, and the session goes on. The tab
/// key completes commands, registers and fields, or lists what could stand there.
void converse(Shell& shell, const Terminal& terminal);

}  // namespace ocs::console
