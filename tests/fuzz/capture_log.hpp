// What any reader of a log of light promises: changes in order, ports that there are, or one readable sentence with a
// line. SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "testbed/characterize/capture.hpp"

namespace ocs {

/// @param parse characterize::parse_capture_csv or _vcd. Aborts when a promise is broken.
template <class Parse>
int fuzz_capture(Parse parse, const std::uint8_t* data, std::size_t size) {
  try {
    const auto log = parse({reinterpret_cast<const char*>(data), size}, "log");
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

}  // namespace ocs
