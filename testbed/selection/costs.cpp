// Wire time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/selection/costs.hpp"

#include <string>

#include "host/core/error.hpp"

namespace ocs {

Ticks wire_time_ns(Bytes bytes, std::int64_t rate_bps) {
  __extension__ using Wide = __int128;
  if (bytes.n < 0 || rate_bps <= 0)
    throw Error(ErrorKind::input, "a block of " + std::to_string(bytes.n) + " B at " + std::to_string(rate_bps) +
                                      " bit/s has no wire time; sizes are 0 or more, rates above 0");
  const Wide time = (Wide{bytes.n} * 8'000'000'000 + rate_bps - 1) / rate_bps;
  if (time > (Wide{1} << 62))
    throw Error(ErrorKind::input, "a block of " + std::to_string(bytes.n) + " B at " + std::to_string(rate_bps) +
                                      " bit/s takes longer than 2^62 ns");
  return {static_cast<std::int64_t>(time)};
}

}  // namespace ocs
