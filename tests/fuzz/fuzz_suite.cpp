// links: ocs_regress
// Suites: read, or refused in one sentence; cases of a matrix are made.
// SPDX-License-Identifier: Apache-2.0
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "testbed/regress/suite.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::one_sentence([&] {
    ocs::regress::Suite suite =
        ocs::regress::parse_suite({reinterpret_cast<const char*>(data), size}, "/nowhere/suite.toml");
    for (ocs::regress::CaseTable& table : suite.tables) {
      constexpr std::size_t most = 1000;
      if (table.seeds.fixed.size() > most) table.seeds.fixed.resize(most);
      table.seeds.drawn = 0;
    }
    ocs::regress::expand(suite, {});
  });
  return 0;
}
