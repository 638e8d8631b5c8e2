// What every report has in it; made from files when the program is built.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ocs {

std::string_view report_template();  ///< page.html
std::string_view report_script();    ///< charts.js
std::string_view figure_script();    ///< python/lightloop/figures.py
std::string_view chart_library();    ///< D3, of the package libjs-d3

}  // namespace ocs
