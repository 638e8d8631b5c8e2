// Synchronisation schemes: pure state machines in ticks that decide who may go on. No sockets, clocks or ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

/// What a worker did, or that the time of `timer` has come (worker and iteration count for nothing then).
/// `asked`: as soon as its push is in, and after its last push once more, for the final model. `pushed`: at every
/// server; `seen` is the version of the snapshot that it was made from: single updates in the model when its pull
/// started on the wire. `finished`: it has done all its iterations and was granted the final model.
struct GateEvent {
  enum class Kind : std::uint8_t { asked, pushed, computed, timer, left, finished } kind;
  Ticks at;
  std::uint16_t worker;
  std::uint32_t iteration;
  std::uint64_t seen;
  Ticks compute, blocked;
  Ticks net{};  ///< how long the worker's last pull took
};

struct Grant {
  std::uint16_t worker;
  std::uint32_t quota, ahead, batch;
};

struct Verdict {
  std::uint16_t worker;
  std::uint32_t iteration;
  enum class What : std::uint8_t { apply, hold, drop } what;
  std::uint32_t members;
};

/// In the order to be done. A push without a verdict is kept for later. `timer` replaces the one before; to be told
/// of it late, or when nobody needs it any more, does no harm.
struct GateActions {
  std::vector<Verdict> pushes;
  std::vector<Grant> grants;
  Ticks timer = never<Ticks>;
};

class SyncScheme {
 public:
  virtual ~SyncScheme() = default;
  virtual GateActions on(const GateEvent&) = 0;
};

}  // namespace ocs
