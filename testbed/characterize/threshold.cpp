// Levels with units, as options and as headers of instruments write them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/threshold.hpp"

#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <string>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::characterize {
namespace {

struct Level {
  double value;
  std::string unit;  ///< lower case
};

std::string lower_case(std::string_view text) {
  std::string lower;
  for (const char c : text) lower += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return lower;
}

std::optional<Level> level_of(std::string_view text) {
  Level level{};
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), level.value);
  if (failure != std::errc() || !std::isfinite(level.value)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  if (unit.starts_with(' ')) unit.remove_prefix(1);
  level.unit = lower_case(unit);
  return level;
}

}  // namespace

std::optional<ScaledUnit> unit_named(std::string_view name) {
  struct Known {
    std::string_view name;
    ScaledUnit unit;
  };
  static constexpr std::array known{
      Known{"v", {Unit::volt, 1}},     Known{"volt", {Unit::volt, 1}},  Known{"volts", {Unit::volt, 1}},
      Known{"mv", {Unit::volt, 1e-3}}, Known{"uv", {Unit::volt, 1e-6}}, Known{"w", {Unit::watt, 1}},
      Known{"watt", {Unit::watt, 1}},  Known{"mw", {Unit::watt, 1e-3}}, Known{"uw", {Unit::watt, 1e-6}},
      Known{"nw", {Unit::watt, 1e-9}}, Known{"dbm", {Unit::dbm, 1}},
  };
  const std::string lower = lower_case(name);
  for (const Known& entry : known)
    if (entry.name == lower) return entry.unit;
  return std::nullopt;
}

Threshold parse_threshold(std::string_view level, std::string_view hysteresis) {
  const auto refuse = [](const char* option, std::string_view text, const char* right) {
    throw Error(ErrorKind::input, std::string(option) + " is " + in_quotes(text) + ", but must be " + right);
  };
  const auto middle = level_of(level);
  const auto unit = middle ? unit_named(middle->unit) : std::nullopt;
  if (!unit || unit->unit == Unit::watt)
    refuse("--threshold", level, "a level in V, mV, uV or dBm, such as \"0.5 V\" or \"-20 dBm\"");
  double width = 0;
  if (!hysteresis.empty()) {
    const bool in_db = unit->unit == Unit::dbm;
    const auto given = level_of(hysteresis);
    const auto given_unit = !given  ? std::nullopt
                            : in_db ? std::optional(ScaledUnit{given->unit == "db" ? Unit::dbm : Unit::none, 1})
                                    : unit_named(given->unit);
    if (!given_unit || given_unit->unit != unit->unit || given->value < 0)
      refuse("--hysteresis", hysteresis,
             in_db ? "at least \"0 dB\", since --threshold is in dBm" : "at least \"0 V\", since --threshold is in V");
    width = given->value * given_unit->factor;
  }
  const double at = middle->value * unit->factor;
  return {.unit = unit->unit, .rises_at = at + width / 2, .falls_at = at - width / 2};
}

}  // namespace ocs::characterize
