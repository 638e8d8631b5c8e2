// links: ocs_results
// Reads any bytes as two event logs of a database, seven numbers of 64 bit an event: each event comes back as it was or
// is refused, and logs that differ are reported.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/results/events/event_log.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  std::vector<Event> first, second;
  EventNumbers numbers{};
  for (std::size_t k = 0; (k + 1) * sizeof numbers <= size; ++k) {
    std::memcpy(numbers.data(), data + k * sizeof numbers, sizeof numbers);
    try {
      const Event event = event_of(numbers);
      if (numbers_of(event) != numbers || to_text(event).empty()) std::abort();
      (k % 2 == 0 ? first : second).push_back(event);
    } catch (const Error& error) {
      if (error.exit_code() != 2) std::abort();
    }
  }
  LogComparison comparison(first);
  for (const Event& event : second) comparison.add(event);
  if (!comparison.finish() && comparison.report().find("first difference: event ") != 0) std::abort();
  return 0;
}
