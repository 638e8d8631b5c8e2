// links: ocs_regress
// case.json of the folder of a failure: read, or refused in one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/regress/failure_folder.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::one_sentence([&] { ocs::regress::parse_kept_case({reinterpret_cast<const char*>(data), size}, "input"); });
  return 0;
}
