// The only source of chance in a simulation.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/scheduler/splitmix.hpp"

namespace ocs::sim {

class Draw {
 public:
  explicit Draw(std::uint64_t seed) : state_(seed) {}
  std::uint64_t next() { return splitmix64(state_); }
  std::uint64_t below(std::uint64_t limit) { return limit == 0 ? 0 : next() % limit; }
  bool one_in(std::uint64_t n) { return below(n) == 0; }

 private:
  std::uint64_t state_;
};

}  // namespace ocs::sim
