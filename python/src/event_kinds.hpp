// Kinds of events in words.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>

#include "host/core/switch.hpp"

namespace ocs::python {

/// In the order of EventKind.
inline constexpr std::array<const char*, 11> event_kinds = {
    "idle", "tuning", "locking", "up", "held", "failed", "run", "burst_done", "committed", "refused", "wrapped"};
static_assert(static_cast<std::size_t>(EventKind::wrapped) + 1 == event_kinds.size());

}  // namespace ocs::python
