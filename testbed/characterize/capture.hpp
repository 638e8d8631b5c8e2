// A log of light at a switch's outputs, as an instrument writes it: CSV or VCD.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string_view>
#include <vector>

#include "testbed/characterize/set_up.hpp"

namespace ocs::characterize {

/// From `at` on there is light at the output, or none, or that isn't known (x and z of a VCD).
struct LightChange {
  Picos at;
  std::uint16_t port = 0;
  std::optional<bool> light;
};

/// `time,port,light`, then a line each: a time with its unit, a port from 0 to 255, 0 or 1. With a first line
/// `time_ps,port,light` (or _ns, _us, _ms, _s) times are decimal numbers. Times never fall.
/// @throws Error (input) that names origin, line, and what would be right.
std::vector<LightChange> parse_capture_csv(std::string_view text, std::string_view origin);

/// IEEE 1364, section 18. Signals: one-bit variables called light[K], light_K or lightK are port K, bit K of a vector
/// called light is port K; others are left alone, real ones and strings too. @throws Error (input) as above.
std::vector<LightChange> parse_capture_vcd(std::string_view text, std::string_view origin);

/// Each stretch without light whose beginning and end are in the log; one that is still dark at its end is a set-up
/// that never came up. @throws Error (input): there is no such stretch.
std::vector<CircuitSetUp> dark_stretches(const std::vector<LightChange>& log, std::string_view origin);

/// Reads a file ending in .csv or .vcd. @throws Error (input).
Findings read_capture(const std::filesystem::path& file);

}  // namespace ocs::characterize
