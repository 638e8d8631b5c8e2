// How much memory this process has used.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/nodes/process/memory_use.hpp"

#include <fstream>
#include <limits>
#include <string>

namespace ocs {

Bytes peak_rss() {
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    std::int64_t kib = 0;
    if (word == "VmHWM:" && status >> kib) return {kib * 1024};
    status.ignore(std::numeric_limits<std::streamsize>::max(), '\n');
  }
  return {};
}

void reset_peak_rss() { std::ofstream("/proc/self/clear_refs") << "5"; }

}  // namespace ocs
