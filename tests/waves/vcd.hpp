// Reads a VCD file: what a signal was when. For tests, whose files have no mistakes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace ocs::test {

struct Vcd {
  struct Change {
    std::int64_t at;  ///< ps
    std::string value;
  };
  /// By "TOP.ocs_top.clk_i"; the first value is that at the beginning. A value that is written again is no change.
  std::map<std::string, std::vector<Change>> signals;
  std::int64_t first = 0, last = 0;  ///< instants in the file

  /// The one signal whose name ends so. It fails the test if there is none, or more than one.
  const std::vector<Change>& ends_with(const std::string& end) const;
};

Vcd read_vcd(const std::string& file);

}  // namespace ocs::test
