// links: ocs_characterize
// Reads any bytes as a log of light (CSV): changes in order, ports that there are, or one readable sentence with a
// line. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "testbed/characterize/capture.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace ocs;
  try {
    const auto log = characterize::parse_capture_csv({reinterpret_cast<const char*>(data), size}, "log");
    Picos before;
    for (const auto& change : log) {
      if (change.at < before || change.port >= max_ports) std::abort();
      before = change.at;
    }
    for (const auto& dark : characterize::dark_stretches(log, "log"))
      if (dark.tuning.n < 0 || dark.at.n < 0) std::abort();
  } catch (const Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2 || !sentence.starts_with("log")) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
  return 0;
}
