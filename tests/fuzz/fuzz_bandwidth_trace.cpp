// links: ocs_experiment_file
// Reads any text as a bandwidth trace, and makes cycles of what is one.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/files/bandwidth_trace.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    const auto trace = ocs::parse_bandwidth_trace(text, "trace");
    if (trace.empty()) std::abort();
    const ocs::PortRates rates({}, ocs::rate_changes(trace, 100'000'000'000, 256, ocs::Picos{5120}));
    for (const auto& change : trace) {
      const ocs::Cycles at = ocs::to_cycles(change.at, ocs::Picos{5120});
      if (rates.both_carry(change.node, 0, at) < at) std::abort();
    }
  } catch (const ocs::Error& error) {
    if (error.exit_code() != 2) std::abort();
  }
  return 0;
}
