// Where the RTL, the objects that came with the program, and those that it built are; which tools build them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ocs::rtl {

struct Places {
  std::filesystem::path sources;   ///< folder rtl/ of the source tree, or what was installed of it
  std::filesystem::path picorv32;  ///< picorv32.v, which a soc needs
  std::filesystem::path shipped;   ///< objects that came with the program; looked at first
  std::filesystem::path cache;     ///< objects that were built when they were named; empty: there is no such folder
  std::string verilator = "verilator", compiler = "c++", compiler_flags{};
};

/// The folder of the program that this code is in; of a shared library that another program has loaded, its folder.
std::filesystem::path program_folder();

/// Of this program: ../lib/lightloop/rtl and ../share/lightloop/rtl beside its folder, else the source tree that it was
/// built from; the cache is $XDG_CACHE_HOME/lightloop/rtl, or $HOME/.cache/lightloop/rtl. The environment variables
/// VERILATOR and CXX name other tools.
Places standard_places();

}  // namespace ocs::rtl
