// The page that shows a run, made from page.html when the program is built.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

namespace ocs {

std::string_view live_page_html();

}  // namespace ocs
