// links: ocs_regress
// What `git bisect` prints: read, whatever it is.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/regress/bisect.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::regress::parse_bisect_answer({reinterpret_cast<const char*>(data), size});
  return 0;
}
