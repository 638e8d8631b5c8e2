// What blocks take at ports, from bytes and rates.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/units.hpp"

namespace ocs {

/// Wire time in ns, rounded up: ceil(8e9 * bytes / rate). @param rate_bps above 0. @throws Error (input) above 2^62 ns.
Ticks wire_time_ns(Bytes bytes, std::int64_t rate_bps);

}  // namespace ocs
