// Inverse transform sampling in integers.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/quantiles.hpp"

#include "host/core/wide.hpp"
#include "host/scheduler/splitmix.hpp"

namespace ocs {
namespace {

std::uint64_t mixed_key(std::uint64_t number) { return splitmix64(number); }

}  // namespace

Picos draw(std::span<const Quantile> quantiles, std::uint64_t seed, std::uint64_t number) {
  constexpr int fraction_bits = 32;
  const std::uint64_t random = mixed_key(mixed_key(seed) ^ number) >> fraction_bits;
  const std::uint64_t share = random * 1000;  // thousandths, with 32 bits behind the point
  std::size_t k = 1;
  while (k + 1 < quantiles.size() && share >= static_cast<std::uint64_t>(quantiles[k].share) << fraction_bits) ++k;
  const Quantile &below = quantiles[k - 1], &above = quantiles[k];
  const std::uint64_t into = share - (static_cast<std::uint64_t>(below.share) << fraction_bits);
  const std::uint64_t width = static_cast<std::uint64_t>(above.share - below.share) << fraction_bits;
  const auto rise = static_cast<std::uint64_t>((above.time - below.time).n);
  return below.time + Picos{static_cast<std::int64_t>(UnsignedWide{rise} * into / width)};
}

}  // namespace ocs
