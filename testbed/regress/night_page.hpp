// One night, and all nights, as HTML files that need nothing else.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "testbed/regress/history.hpp"
#include "testbed/regress/suite.hpp"

namespace ocs::regress {

/// What expectations of experiments have met, also those that hold: the least and the greatest value of each.
/// @param measures of a case, by its name. @return empty if no case has an expectation with numbers.
std::string measured_section(const Suite& suite, const std::vector<Result>& results,
                             const std::function<std::vector<Measure>(const std::string&)>& measures);

/// @param folder of the night, for the lines that run a failure again. @param more sections of their own, or nothing.
std::string night_page(const Night& night, const std::vector<Result>& results, const std::filesystem::path& folder,
                       const std::string& more);
std::string index_page(History& history);

}  // namespace ocs::regress
