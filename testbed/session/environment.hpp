// What lightloop finds around it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>

namespace ocs {

struct Environment {
  std::filesystem::path data;           ///< holds workloads/
  std::filesystem::path switches = {};  ///< holds the presets of fabric.switch
  std::string version;
};

}  // namespace ocs
