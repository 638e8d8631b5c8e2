// What a suite names is there: files, keys, programs, marks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

#include "testbed/regress/suite.hpp"

namespace ocs::regress {

/// So that a mistake ends a suite when it is read, and not each of its cases in the middle of the night: experiments
/// can be read and have the keys that the suite sets, golden rows and excluded points are files, programs of commands
/// can be started, and each mark {NAME} of a command has a value.
/// @param origin the suite's file as the user named it. @throws Error (input) with the line of the mistake.
void check_inputs(const Suite& suite, const std::string& origin);

/// In quotes and never cut: what a file is called is often seen only at the end of its path.
std::string path_in_quotes(const std::filesystem::path& file);

}  // namespace ocs::regress
