// How long bytes take at a rate, for forms of jobs that have no switch.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "host/core/require.hpp"
#include "host/core/units.hpp"
#include "host/core/wide.hpp"

namespace ocs::test {

/// Rounded up, ns: ceil(8e9 * bytes / rate). @throws Error (input) for a negative size, a rate of 0 or less, and times
/// above 2^62 ns.
inline std::int64_t wire_ns(Bytes bytes, std::int64_t rate_bps) {
  const std::string block = "a block of " + std::to_string(bytes.n) + " B at " + std::to_string(rate_bps) + " bit/s ";
  require(bytes.n >= 0 && rate_bps > 0, block + "has no wire time; sizes are 0 or more, rates above 0");
  const Wide time = (Wide{bytes.n} * 8'000'000'000 + rate_bps - 1) / rate_bps;
  require(time <= (Wide{1} << 62), block + "takes longer than 2^62 ns");
  return static_cast<std::int64_t>(time);
}

}  // namespace ocs::test
