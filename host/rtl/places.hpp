// Where the RTL, the objects that came with the program, and those that it built are; which tools build them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ocs::rtl {

struct Places {
  std::filesystem::path sources;   ///< folder rtl/ of the source tree, or what was installed of it
  bool named = false;              ///< sources are those of LIGHTLOOP_RTL
  std::filesystem::path picorv32;  ///< picorv32.v, which a soc needs
  std::filesystem::path shipped;   ///< objects that came with the program; looked at first
  std::filesystem::path cache;     ///< objects that were built when they were named; empty: there is no such folder
  std::string verilator = "verilator", compiler = "c++", compiler_flags{};
};

/// The folder of the program that this code is in; of a shared library that another program has loaded, its folder.
std::filesystem::path program_folder();

/// Of this program: ../lib/lightloop/rtl and ../share/lightloop/rtl beside its folder, else the source tree that it was
/// built from, or the folder that LIGHTLOOP_RTL names instead; the cache is $XDG_CACHE_HOME/lightloop/rtl, or $HOME/.cache/lightloop/rtl. The environment variables
/// VERILATOR and CXX name other tools. @throws Error (input): LIGHTLOOP_RTL names no folder of RTL.
Places standard_places();

/// The environment variable that names other RTL than the program's own: a folder like rtl/ (docs/rtl-objects.md).
constexpr const char* rtl_variable = "LIGHTLOOP_RTL";

}  // namespace ocs::rtl
