// Exact in 128 bits.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sync/batch.hpp"

#include <algorithm>
#include <limits>
#include <string>

#include "host/core/error.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {}  // namespace

std::uint32_t adapted_batch(std::uint32_t batch, Ticks blocked, std::uint64_t samples, Ticks per) {
  if (blocked.n < 0 || per.n < 1)
    throw Error(ErrorKind::input, "a batch is adapted to " + std::to_string(blocked.n) + " ticks blocked and " +
                                      std::to_string(per.n) + " computing; 0 or more and 1 or more are needed");
  // Halves up without doubling: the product has 127 bits.
  const UnsignedWide product = UnsignedWide(static_cast<std::uint64_t>(blocked.n)) * samples;
  const UnsignedWide length = static_cast<std::uint64_t>(per.n);
  const UnsignedWide more = product / length + (product % length >= (length + 1) / 2 ? 1 : 0);
  constexpr UnsignedWide most = std::numeric_limits<std::uint32_t>::max();
  return static_cast<std::uint32_t>(std::min<UnsignedWide>(most, std::min<UnsignedWide>(most, more) + batch));
}

std::uint32_t next_batch(std::uint32_t batch, std::uint32_t adapted, std::uint32_t least, std::uint32_t most) {
  const std::uint32_t next = std::clamp(adapted, least, most);
  const std::uint64_t change = next > batch ? next - batch : batch - next;
  return change * 20 < batch ? batch : next;
}

}  // namespace ocs
