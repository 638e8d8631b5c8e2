// How long a sweep takes from now on, by what it took until now.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

namespace ocs {

/// "about 3 min left" as if every row took equally long. Empty while little is known: in the first second, and before a
/// thousandth is done.
/// @param done rows that have ended, and the shares of those that run; of `all`.
/// @param passed wall time since the first began, s.
std::string time_left_text(double done, double all, double passed);

}  // namespace ocs
