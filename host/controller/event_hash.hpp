// One number for a whole event log: equal logs, equal numbers, on every device and machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/switch.hpp"

namespace ocs {

/// FNV-1a, 64 bit, over (at: i64, plane: u8, kind: u8, port: u16), little-endian, in the order in which events are
/// given. Source: Fowler, Noll, Vo; draft-eastlake-fnv.
class EventHash {
 public:
  void add(const Event& event);
  std::uint64_t value() const { return value_; }  ///< 0xcbf29ce484222325 without events
  std::uint64_t count() const { return count_; }  ///< events added

 private:
  void add_bytes(std::uint64_t value, int bytes);

  std::uint64_t value_ = 0xcbf29ce484222325;
  std::uint64_t count_ = 0;
};

}  // namespace ocs
