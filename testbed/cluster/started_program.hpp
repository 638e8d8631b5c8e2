// A program that is started and waited for.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace ocs {

struct ProgramEnd {
  int exit_code = 0;        ///< if no signal ended it
  int signal = 0;           ///< that ended it, or 0
  std::string how() const;  ///< "ended with exit code 3"
};

/// @param status as waitpid() gives it
ProgramEnd end_of_program(int status);

/// It ends with this process, whatever ends this one.
/// @param out, err new files; the same path: both go there. @throws Error (input): it can't be started.
ProgramEnd run_program(const std::vector<std::string>& command, const std::filesystem::path& folder,
                       const std::filesystem::path& out, const std::filesystem::path& err);

/// The end of a file, for a log: at most 64 KiB. Empty if it isn't there.
std::string end_of_file(const std::filesystem::path& file);

}  // namespace ocs
