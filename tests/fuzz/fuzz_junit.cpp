// links: ocs_regress
// JUnit of commands: read, or refused in one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/regress/junit.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::one_sentence([&] { ocs::regress::read_junit({reinterpret_cast<const char*>(data), size}, "input"); });
  return 0;
}
