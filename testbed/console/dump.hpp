// What can be read from the window without changing anything, at one instant, as text and as a difference.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/device.hpp"
#include "testbed/console/register_map.hpp"

namespace ocs::console {

/// One value for each entry of each readable register but EVENT, whose read takes an event, and PAIR, which is large.
class Dump {
 public:
  Dump(RegisterBus& bus, int ports);

  /// A line a register; entries in a row with one value share a line, "BASE[0:15]  1953125 (0x1dcd65)".
  /// @param what a group (config, core, port, optics), a register, or empty: all. @throws Error (input):
  /// there is no such thing.
  std::string text(std::string_view what) const;

  /// A line for each entry whose value isn't the one it had before: "STATE[3]  0x00000000 ... -> ...". Empty: none.
  std::string changes_since(const Dump& before) const;

 private:
  struct Entry {
    const RegisterInfo* reg;
    std::uint32_t number;
    std::uint64_t value;
  };
  std::vector<Entry> entries_;
};

}  // namespace ocs::console
