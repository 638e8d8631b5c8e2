// One night, and all nights, as HTML files that need nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbed/regress/history.hpp"

namespace ocs::regress {

/// @param coverage a section of its own, or nothing.
std::string night_page(const Night& night, const std::vector<Result>& results, const std::string& coverage);
std::string index_page(History& history);

}  // namespace ocs::regress
