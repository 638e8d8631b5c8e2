// Synchronisation schemes: pure state machines in ticks that decide who may go on. No sockets, clocks or ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/core/units.hpp"

namespace ocs {

struct GateEvent {
  enum class Kind : std::uint8_t { asked, pushed, computed, timer, left } kind;
  Ticks at;
  std::uint16_t worker;
  std::uint32_t iteration;
  std::uint64_t seen;
  Ticks compute, blocked;
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

/// In the order to be done.
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
