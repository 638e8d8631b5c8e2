// links: ocs_characterize
// Reads any bytes as a log of light (VCD).
// SPDX-License-Identifier: Apache-2.0
#include "tests/fuzz/capture_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  return ocs::fuzz_capture(ocs::characterize::parse_capture_vcd, data, size);
}
