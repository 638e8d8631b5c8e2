// A log of light at a switch's outputs, as an instrument writes it: CSV or VCD.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/characterize/set_up.hpp"
#include "testbed/characterize/threshold.hpp"

namespace ocs::characterize {

/// From `at` on the output has light, or none, or it isn't known which (x and z of a VCD).
struct LightChange {
  Picos at;
  std::uint16_t port = 0;
  std::optional<bool> light;
};

struct CaptureOptions {
  std::optional<Threshold> threshold{};  ///< for analog values; none: values are 0 and 1
  std::string signal = "light";          ///< how signals of a VCD are called
};

/// `time,port,light`, then a line each: a time with its unit, a port from 0 to 255, 0 or 1. With a first line
/// `time_ps,port,light` (or _ns, _us, _ms, _s) times are decimal numbers. Times never fall.
/// Or what an instrument writes: parse_instrument_csv().
/// @throws Error (input) that names origin, line, and what would be right.
std::vector<LightChange> parse_capture_csv(std::string_view text, std::string_view origin,
                                           const CaptureOptions& options = {});

/// A header of Tektronix, Keysight or Saleae, then rows of a time and a value for each channel: the first channel is
/// port 0. Time 0 is that of the first row; times are rounded to picoseconds. @return none: no such header.
/// @throws Error (input) as above.
std::optional<std::vector<LightChange>> parse_instrument_csv(std::string_view text, std::string_view origin,
                                                             const CaptureOptions& options);

/// IEEE 1364, section 18. Signals: one-bit variables called light[K], light_K or lightK (or by another name than light,
/// see CaptureOptions) are port K, bit K of a vector called light is port K; real ones need a threshold. Others are
/// left alone. @throws Error (input) as above.
std::vector<LightChange> parse_capture_vcd(std::string_view text, std::string_view origin,
                                           const CaptureOptions& options = {});

/// Each stretch without light whose beginning and end are in the log; one that is still dark at its end is a set-up
/// that never came up. @throws Error (input): there is no such stretch.
std::vector<CircuitSetUp> dark_stretches(const std::vector<LightChange>& log, std::string_view origin);

/// Reads a file ending in .csv or .vcd. @throws Error (input).
Findings read_capture(const std::filesystem::path& file, const CaptureOptions& options = {});

}  // namespace ocs::characterize
