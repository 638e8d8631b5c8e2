// Runs of words, shortly.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/ids.hpp"

namespace ocs {

inline WordRun run(std::int64_t first, std::int64_t count) { return {Words{first}, Words{count}}; }

}  // namespace ocs
