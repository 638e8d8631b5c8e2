// links: ocs_experiment_file
// Reads any text as a quantity: what is read is written and read back as the same value.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/experiment/quantity.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  for (const ocs::Dimension dimension : {ocs::Dimension::time, ocs::Dimension::rate, ocs::Dimension::size}) {
    try {
      const std::int64_t value = ocs::parse_quantity(text, dimension);
      if (value < 0 || ocs::parse_quantity(ocs::to_text(value, dimension), dimension) != value) std::abort();
    } catch (const ocs::Error& error) {
      if (error.exit_code() != 2) std::abort();
    }
  }
  return 0;
}
