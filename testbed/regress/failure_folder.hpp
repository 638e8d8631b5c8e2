// What a failure leaves behind: DIR/night-0007/f001.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "testbed/regress/outcome.hpp"
#include "testbed/regress/suite.hpp"

namespace ocs::regress {

/// What is needed to run a case again.
struct KeptFailure {
  Suite suite;
  Case one;
  std::string program;  ///< of a random case: the shrunk one
};

/// @throws Error (run): it can't be written.
void write_text(const std::filesystem::path& file, const std::string& text);

/// The command that runs a failure again, with this program as it was called.
std::string line_that_repeats(const std::filesystem::path& folder);

/// Writes failure.txt, case.json, the shrunk program, and takes over the case's own files.
/// @param work where the case ran, which may not exist. @throws Error (run): it can't be written.
void write_failure(const std::filesystem::path& folder, const Suite& suite, const Case& one, const Outcome& outcome,
                   std::uint64_t night_seed, const std::filesystem::path& work);

/// Copies the folder of a failure; the line that repeats it names the copy. @throws Error (run)
void copy_failure(const std::filesystem::path& from, const std::filesystem::path& to);

/// What case.json says.
struct KeptCase {
  std::string suite, name;  ///< the suite's file
  std::uint64_t night_seed = 0;
};
/// @throws Error (input) for anything that no lightloop writes.
KeptCase parse_kept_case(std::string_view text, const std::string& origin);

/// @throws Error (input): it holds no failure, or its case does not exist any more.
KeptFailure read_failure(const std::filesystem::path& folder);

/// Seeds that are drawn for a night: the same for the same seed.
std::vector<std::uint64_t> drawn_for(const Suite& suite, std::uint64_t night_seed);

}  // namespace ocs::regress
