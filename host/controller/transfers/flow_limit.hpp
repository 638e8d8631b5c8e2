// How much one burst of an input's engine carries.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace ocs {

/// Most words of a burst, and so of a flow: what the register LEN holds.
inline constexpr std::int64_t max_flow_words = (std::int64_t{1} << 32) - 1;

}  // namespace ocs
