// One night, and all nights, as HTML files that need nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "testbed/regress/history.hpp"

namespace ocs::regress {

/// @param folder of the night, for the lines that run a failure again. @param coverage a section of its own, or nothing.
std::string night_page(const Night& night, const std::vector<Result>& results, const std::filesystem::path& folder,
                       const std::string& coverage);
std::string index_page(History& history);

}  // namespace ocs::regress
