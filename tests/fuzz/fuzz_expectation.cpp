// links: ocs_regress
// Expectations of suites: read, or refused in one sentence; whatever is read can be judged.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/regress/expectation.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::one_sentence([&] {
    const auto read = ocs::regress::parse_expectation({reinterpret_cast<const char*>(data), size});
    ocs::regress::violation(read, read.value);
    ocs::regress::violation(read, std::int64_t{-1});
    ocs::regress::violation(read, 0.5);
  });
  return 0;
}
