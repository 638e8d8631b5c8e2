// Everything that can be read from a device in one cycle without changing it, as one list of numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "host/core/device.hpp"

namespace ocs::conformance {

/// The registers of a device with `ports` ports that a snapshot reads: all readable ones but EVENT, identity and PAIR.
class SnapshotPlan {
 public:
  /// @param settings false leaves out the registers that only writes change.
  SnapshotPlan(int ports, bool settings);

  /// One number for each register, 64-bit ones whole; the device's first, then port by port.
  std::vector<std::uint64_t> take(RegisterBus& bus) const;

  /// The first register in which they differ, both values, and how many more differ; empty if none does.
  std::string difference(std::span<const std::uint64_t> expected, std::span<const std::uint64_t> got) const;

 private:
  struct Entry {
    std::string name;
    std::uint32_t address;
    bool wide;
  };
  std::vector<Entry> entries_;
};

}  // namespace ocs::conformance
