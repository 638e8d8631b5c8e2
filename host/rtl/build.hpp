// From the RTL to a shared object: Verilator, then the compiler.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "host/rtl/parameters.hpp"
#include "host/rtl/places.hpp"

namespace ocs::rtl {

/// What an object is made of, as text: every file of the RTL that its core may read, and its parameters.
/// @return hash. @throws Error (run) if a file can't be read.
std::string hash_of_sources(const Places& places, const Parameters& parameters);

/// The tools that build it, with their versions and flags.
struct Toolchain {
  std::string verilator_version;  ///< "Verilator 5.006 …"
  std::string compiler_version;   ///< first line of what it prints
};

/// @throws Error (run) if Verilator or the compiler is missing, or Verilator is older than 5.006: names the package.
Toolchain toolchain_of(const Places& places);

/// Compiler flags of this object; part of what it is known by.
std::vector<std::string> compiler_flags(const Places& places, const Parameters& parameters);

/// Builds in `folder`, which is empty. @param runtime folder in which compiled parts of Verilator's runtime are kept
/// for all objects. @return the object, not sealed. @throws Error (run) with the last lines of a tool that failed.
std::filesystem::path build(const Places& places, const Parameters& parameters, const Toolchain& tools,
                            const std::filesystem::path& folder, const std::filesystem::path& runtime, unsigned jobs);

}  // namespace ocs::rtl
