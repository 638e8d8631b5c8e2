// What any reader of a log of light promises: changes in order, ports that exist, or one readable sentence with a line.
// SPDX-License-Identifier: Apache-2.0
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
void fuzz_capture_once(Parse parse, std::string_view text, const characterize::CaptureOptions& options) {
  try {
    const auto log = parse(text, "log", options);
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
}

/// Without a threshold, with one in V, and with one in dBm.
template <class Parse>
int fuzz_capture(Parse parse, const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  fuzz_capture_once(parse, text, {});
  fuzz_capture_once(parse, text, {.threshold = characterize::parse_threshold("0.5 V", "100 mV")});
  fuzz_capture_once(parse, text, {.threshold = characterize::parse_threshold("-20 dBm", "3 dB")});
  return 0;
}

}  // namespace ocs
