// From which level on a measured value counts as light.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string_view>

namespace ocs::characterize {

/// Unit of a measured value. W is converted to dBm.
enum class Unit { none, volt, watt, dbm };

/// A comparator with hysteresis: light from `rises_at` on, none below `falls_at`, between them as before.
struct Threshold {
  Unit unit = Unit::volt;  ///< volt or dbm
  double rises_at = 0, falls_at = 0;

  /// @param before the state before; none: unknown. @param value in `unit`.
  std::optional<bool> light(std::optional<bool> before, double value) const {
    if (value >= rises_at) return true;
    if (value < falls_at) return false;
    return before;
  }
};

/// @param level "0.5 V", "20 mV", "-20 dBm". @param hysteresis the distance from falls_at to rises_at, `level` in the
/// middle: "0.1 V", "3 dB"; empty: 0. @throws Error (input) that begins with --threshold or --hysteresis.
Threshold parse_threshold(std::string_view level, std::string_view hysteresis);

/// A name as instruments write it ("Volt", "mV", "dBm", any case): the unit, and the factor that leads to V or W.
struct ScaledUnit {
  Unit unit = Unit::none;
  double factor = 1;
};
std::optional<ScaledUnit> unit_named(std::string_view name);

}  // namespace ocs::characterize
