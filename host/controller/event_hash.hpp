// One number for a whole event log: equal logs, equal numbers, on every device and machine.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/fnv.hpp"
#include "host/core/switch.hpp"

namespace ocs {

/// FNV-1a, 64 bit, over (at: i64, plane: u8, kind: u8, port: u16), little-endian, in the order in
/// which events are given.
class EventHash {
 public:
  void add(const Event& event);
  std::uint64_t value() const { return hash_.value(); }  ///< 0xcbf29ce484222325 without events
  std::uint64_t count() const { return count_; }         ///< events added

 private:
  Fnv1a hash_;
  std::uint64_t count_ = 0;
};

}  // namespace ocs
