// The environment is read here and nowhere else in this room.
// SPDX-License-Identifier: Apache-2.0
#include "host/rtl/places.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <string>
#include <system_error>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"

namespace ocs::rtl {
namespace {

std::string from_environment(const char* variable, const std::string& otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr || *value == '\0' ? otherwise : value;
}

std::filesystem::path cache_folder() {
  // Relative paths are to be ignored (XDG Base Directory Specification).
  const std::filesystem::path named = from_environment("XDG_CACHE_HOME", "");
  if (named.is_absolute()) return named / "lightloop" / "rtl";
  const std::filesystem::path home = from_environment("HOME", "");
  return home.is_absolute() ? home / ".cache" / "lightloop" / "rtl" : std::filesystem::path{};
}

std::filesystem::path other_sources(const std::string& named) {
  std::error_code failure;
  std::filesystem::path folder = std::filesystem::absolute(named, failure).lexically_normal();
  if (!std::filesystem::is_regular_file(folder / "ocs.f", failure))
    refuse(std::string(rtl_variable) + " is \"" + printable(named) +
           "\", which must be a folder like rtl/, but has no file ocs.f");
  return folder;
}

}  // namespace

std::filesystem::path program_folder() {
  Dl_info here{};
  // Of the program itself the loader knows the name that it was called by, not where it is.
  if (dladdr(reinterpret_cast<void*>(&program_folder), &here) != 0 && here.dli_fname != nullptr) {
    const std::filesystem::path file = here.dli_fname;
    if (file.extension() == ".so") return std::filesystem::absolute(file).parent_path();
  }
  std::error_code failure;
  return std::filesystem::read_symlink("/proc/self/exe", failure).parent_path();
}

Places standard_places() {
  Places places;
  std::error_code failure;
  const std::filesystem::path program = program_folder();
  places.shipped = (program / ".." / "lib" / "lightloop" / "rtl").lexically_normal();
  const std::filesystem::path installed = (program / ".." / "share" / "lightloop" / "rtl").lexically_normal();
  const bool is_installed = std::filesystem::is_directory(installed, failure);
  places.sources = is_installed ? installed : std::filesystem::path(LIGHTLOOP_SOURCE_RTL);
  if (const std::string named = from_environment(rtl_variable, ""); !named.empty()) {
    places.sources = other_sources(named);
    places.named = true;
  }
  places.picorv32 = installed / "soc" / "picorv32.v";
  if (!std::filesystem::exists(places.picorv32, failure)) places.picorv32 = LIGHTLOOP_SOURCE_PICORV32;
  places.cache = cache_folder();
  places.verilator = from_environment("VERILATOR", places.verilator);
  places.compiler = from_environment("CXX", LIGHTLOOP_RTL_COMPILER);
  places.compiler_flags = LIGHTLOOP_RTL_FLAGS;
  return places;
}

}  // namespace ocs::rtl
