// What peers that average their models can be told.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>

#include "testbed/selection/selection.hpp"

namespace ocs {

struct PeerSettings {
  std::uint32_t p = 1;                 ///< receivers of each, at most all others
  std::optional<std::uint32_t> k = 4;  ///< rounds in which a peer may leave another one out; none: any number
  Layer layer = Layer::network;
  std::uint32_t s = 1;                     ///< selmcast_ssp: rounds by which a peer may be ahead of the slowest
  std::uint32_t eta_num = 3, eta_den = 4;  ///< selmcast_ssp: a model of which less than this share is left is kept
  bool delta = true;                       ///< selection counts set-ups of circuits
  friend bool operator==(const PeerSettings&, const PeerSettings&) = default;
};

}  // namespace ocs
