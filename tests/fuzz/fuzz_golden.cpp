// links: ocs_golden_case
// Golden files of the schedulers: whatever the bytes, cases or one ocs::Error.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/core/error.hpp"
#include "tests/schedulers/golden_case.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    ocs::golden::parse_cases({reinterpret_cast<const char*>(data), size}, "input");
  } catch (const ocs::Error&) {
  }
  return 0;
}
