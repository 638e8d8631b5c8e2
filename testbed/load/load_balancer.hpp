// Adaptive server load, after Cai et al.: watches rates, and says when keys should move. Pure; the mechanism is ours.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "host/core/network.hpp"
#include "testbed/load/load_map.hpp"

namespace ocs {

/// Moving averages of the servers' rates, in bit/s.
class RateMonitor {
 public:
  /// @param nominal_bps where the averages begin: what the start map was made for. With the first rate that is seen
  /// instead, one bad draw makes a map that a hysteresis then keeps (measured in README.md).
  RateMonitor(std::size_t servers, std::int64_t nominal_bps, std::uint32_t ema_shift);

  /// Takes what one iteration showed: e += (x - e) >> ema_shift. A port that carried nothing shows nothing.
  void saw(std::size_t server, const PortUse& use);
  void saw_rate(std::size_t server, std::int64_t rate_bps);
  const std::vector<std::int64_t>& rates() const { return rates_; }

 private:
  std::vector<std::int64_t> rates_;
  std::uint32_t shift_;
};

struct LoadSettings {
  bool adaptive = false;
  std::uint32_t hysteresis_num = 105, hysteresis_den = 100;  ///< old time over new time must be above it
  std::uint32_t ema_shift = 0;                               ///< 0 to 16
  std::optional<Bytes> budget{};                             ///< of one migration; none: any
  friend bool operator==(const LoadSettings&, const LoadSettings&) = default;
};

/// The next version of a map.
struct Remap {
  LoadMap map;
  std::vector<KeyMove> moves;
  Bytes moved;
};

class LoadBalancer {
 public:
  /// @throws Error (input) as start_map does, for an ema_shift above 16 and for a hysteresis below 1.
  LoadBalancer(std::vector<Bytes> keys, std::size_t servers, std::int64_t nominal_bps, const LoadSettings& settings,
               Colocation colocation = {});

  RateMonitor& monitor() { return monitor_; }
  const LoadMap& map() const { return map_; }
  const std::vector<Bytes>& keys() const { return keys_; }

  /// Called after each iteration, when its rates are known. @returns the map from the next one on, if it changes
  std::optional<Remap> decide();

 private:
  std::vector<Bytes> keys_;
  LoadSettings settings_;
  Colocation colocation_;
  RateMonitor monitor_;
  LoadMap map_;
};

}  // namespace ocs
