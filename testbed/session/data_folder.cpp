// Looks beside the program, then in the source tree.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/session/data_folder.hpp"

#include <system_error>

#include "host/rtl/places.hpp"

namespace ocs {

std::filesystem::path data_folder(const char* chosen) {
  if (chosen != nullptr && *chosen != '\0') return chosen;
  std::error_code failure;
  const std::filesystem::path installed = rtl::program_folder() / LIGHTLOOP_INSTALLED_DATA;
  if (std::filesystem::is_directory(installed / "workloads", failure)) return installed.lexically_normal();
  return LIGHTLOOP_SOURCE_DATA;
}

std::filesystem::path switches_folder(const std::filesystem::path& data) {
  std::error_code failure;
  const std::filesystem::path beside = data / "switches";
  return std::filesystem::is_directory(beside, failure) ? beside : LIGHTLOOP_SOURCE_SWITCHES;
}

}  // namespace ocs
