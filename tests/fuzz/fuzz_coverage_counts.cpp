// links: ocs_rtl
// Files of counts of coverage, and lists of excluded points: read, or refused in one sentence.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "host/rtl/coverage_counts.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  ocs::rtl::CoverCounts counts;
  ocs::one_sentence([&] { ocs::rtl::add_counts(text, "input", counts); });
  ocs::rtl::lcov_text(counts, "/nowhere");
  ocs::one_sentence([&] { ocs::rtl::summary_of(counts, ocs::rtl::parse_exclusions(text, "input")); });
  return 0;
}
