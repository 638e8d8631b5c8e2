// Where the data that come with lightloop are, whatever the current folder is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>

namespace ocs {

/// `chosen` (the environment variable LIGHTLOOP_DATA) if it isn't empty; else share/lightloop beside the folder of the
/// program, if it is installed; else the source tree that the program was built from.
std::filesystem::path data_folder(const char* chosen);

/// Presets of switches: `data`/switches if that is there, else in the source tree that the program was built from.
std::filesystem::path switches_folder(const std::filesystem::path& data);

}  // namespace ocs
