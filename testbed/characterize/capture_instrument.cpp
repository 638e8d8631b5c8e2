// CSV of oscilloscopes and logic analysers: a header, then rows of a time in seconds and a value for each channel.
//
// Tektronix MSO, DPO and MDO: lines "Vertical Units,V" and the like, then "TIME,CH1,CH2". Tektronix TDS: the same lines
// stand beside the samples, in the first two columns. Keysight InfiniiVision: "x-axis,1,2", then "second,Volt,Volt".
// Saleae Logic 2: "Time [s],Channel 0,Channel 1"; digital channels are 0, 1 or X.
//
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <cctype>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "host/core/wide.hpp"
#include "testbed/characterize/capture.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::characterize {
namespace {

constexpr int header_lines = 64;        // at most
constexpr int seconds_power = 12;       // a second is 10^12 ps
constexpr std::size_t tds_columns = 5;  // key, value, nothing, time, sample

std::string_view trimmed(std::string_view text) {
  while (!text.empty() && (text.front() == ' ' || text.front() == '\t' || text.front() == '"')) text.remove_prefix(1);
  while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '"')) text.remove_suffix(1);
  return text;
}

std::string lower(std::string_view text) {
  std::string out;
  for (const char c : trimmed(text)) out += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return out;
}

std::vector<std::string_view> cells_of(std::string_view line) {
  std::vector<std::string_view> cells;
  while (true) {
    const std::size_t comma = line.find(',');
    cells.push_back(trimmed(line.substr(0, comma)));
    if (comma == std::string_view::npos) return cells;
    line.remove_prefix(comma + 1);
  }
}

/// "-1.5E-06" times 10^power, rounded to the nearest whole number. None: it is not a number, or too large.
std::optional<std::int64_t> scaled(std::string_view text, int power) {
  constexpr int most_digits = 30, most_power = 400;
  constexpr std::int64_t most = std::int64_t{1} << 62;
  const bool negative = text.starts_with('-');
  if (negative || text.starts_with('+')) text.remove_prefix(1);
  Wide mantissa = 0;
  int digits = 0, seen = 0;
  bool point = false;
  for (; !text.empty() && (std::isdigit(static_cast<unsigned char>(text.front())) != 0 || text.front() == '.');
       text.remove_prefix(1)) {
    if (text.front() == '.') {
      if (std::exchange(point, true)) return std::nullopt;
      continue;
    }
    ++seen;
    mantissa = mantissa * 10 + (text.front() - '0');
    if (mantissa != 0 && ++digits > most_digits) return std::nullopt;
    if (point) --power;
  }
  if (seen == 0) return std::nullopt;
  if (!text.empty()) {
    int exponent = 0;
    if (text.front() != 'e' && text.front() != 'E') return std::nullopt;
    text.remove_prefix(text.substr(1).starts_with('+') ? 2 : 1);
    const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), exponent);
    if (failure != std::errc() || end != text.data() + text.size() || std::abs(exponent) > most_power)
      return std::nullopt;
    power += exponent;
  }
  for (; power > 0 && mantissa != 0; --power)
    if ((mantissa *= 10) > most) return std::nullopt;
  for (; power < -1 && mantissa != 0; ++power) mantissa /= 10;  // half a step is decided by the last digit alone
  if (power == -1) mantissa = (mantissa + 5) / 10;
  if (mantissa > most) return std::nullopt;
  const auto whole = static_cast<std::int64_t>(mantissa);
  return negative ? -whole : whole;
}

/// "TIME", "Time [ms]", "Time(s)", "x-axis": the power of ten that leads to ps.
std::optional<int> time_power(std::string_view cell) {
  const std::string name = lower(cell);
  const std::size_t bracket = std::min(name.find_first_of("[("), name.size());
  const std::string_view base = trimmed(std::string_view(name).substr(0, bracket));
  if (base != "time" && base != "x-axis" && base != "second" && base != "seconds") return std::nullopt;
  if (bracket == name.size()) return seconds_power;
  const std::string_view unit = std::string_view(name).substr(bracket + 1, name.size() - bracket - 2);
  constexpr std::array<std::string_view, 5> units{"ps", "ns", "us", "ms", "s"};
  const auto found = std::ranges::find(units, unit);
  if (found == units.end()) return std::nullopt;
  return 3 * static_cast<int>(found - units.begin());
}

class InstrumentReader {
 public:
  InstrumentReader(std::string_view text, std::string_view origin, const CaptureOptions& options)
      : rest_(text), origin_(origin), options_(options) {
    if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);
  }

  /// Whether there is a header of an instrument; the rows come next.
  bool header() {
    for (int k = 0; k < header_lines && !rest_.empty(); ++k) {
      const std::string_view before = rest_;
      const auto cells = cells_of(line());
      const std::string key = lower(cells[0]);
      if (key == "vertical units") units_.assign(cells.begin() + 1, cells.end());
      if (key == "record length" && cells.size() >= tds_columns && scaled(cells[3], seconds_power)) {
        rest_ = before;
        --line_;
        return tds();
      }
      const auto power = time_power(cells[0]);
      if (!power || cells.size() < 2 || lower(cells[1]) == "port") continue;
      power_ = *power;
      names_.assign(cells.begin() + 1, cells.end());
      while (names_.size() > 1 && names_.back().empty()) names_.pop_back();
      return units_line();
    }
    return false;
  }

  std::vector<LightChange> rows() {
    if (names_.size() > max_ports) refuse("there are more than 256 channels");
    for (std::size_t k = 0; k < names_.size(); ++k) channels_.push_back({.unit = unit_of(k)});
    while (!rest_.empty()) {
      const std::string_view text = line();
      if (!trimmed(text).empty()) row(cells_of(text));
    }
    if (!begin_) {
      ++line_;
      refuse("the log has no rows, but must have a header and at least one row");
    }
    if (log_.back().at < now_) log_.push_back({now_, 0, channels_[0].light});  // where the log ends
    return std::move(log_);
  }

 private:
  struct Channel {
    ScaledUnit unit;
    std::optional<bool> light{};
    bool seen = false;
  };

  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Error(ErrorKind::input, std::string(origin_) + ":" + std::to_string(line_) + ": " + sentence);
  }

  std::string_view line() {
    const std::size_t end = std::min(rest_.find('\n'), rest_.size());
    std::string_view text = rest_.substr(0, end);
    rest_.remove_prefix(std::min(end + 1, rest_.size()));
    ++line_;
    if (text.ends_with('\r')) text.remove_suffix(1);
    return text;
  }

  /// The unit stands in one of the first rows, which hold samples, too.
  bool tds() {
    beside_ = true;
    names_ = {"the sample"};
    std::string_view ahead = rest_;
    for (int k = 0; k < header_lines && !ahead.empty(); ++k) {
      const std::size_t end = std::min(ahead.find('\n'), ahead.size());
      const auto cells = cells_of(ahead.substr(0, end));
      if (lower(cells[0]) == "vertical units" && cells.size() > 1) units_ = {cells[1]};
      ahead.remove_prefix(std::min(end + 1, ahead.size()));
    }
    return true;
  }

  /// Keysight's second line.
  bool units_line() {
    const auto cells = cells_of(rest_.substr(0, std::min(rest_.find_first_of("\r\n"), rest_.size())));
    if (rest_.empty() || scaled(cells[0], power_)) return true;
    line();
    const std::string first = lower(cells[0]);
    if (first != "second" && first != "s")
      refuse("the line after the header begins with " + in_quotes(cells[0]) +
             ", but must begin with a time or \"second\"");
    units_.assign(cells.begin() + 1, cells.end());
    return true;
  }

  ScaledUnit unit_of(std::size_t k) const {
    std::string_view unit = k < units_.size() ? units_[k] : std::string_view();
    const std::string_view name = names_[k];
    if (const std::size_t at = name.find_last_of("[("); unit.empty() && at != std::string_view::npos)
      if (const auto own = unit_named(name.substr(at + 1, name.size() - at - 2))) return checked(name, *own);
    if (unit.empty()) return {};
    const auto known = unit_named(unit);
    if (!known && options_.threshold)
      refuse("channel " + in_quotes(name) + " is in " + in_quotes(unit) + ", but only V, W and dBm have a threshold");
    return known ? checked(name, *known) : ScaledUnit{};
  }

  ScaledUnit checked(std::string_view name, ScaledUnit unit) const {
    if (options_.threshold && (unit.unit == Unit::volt) != (options_.threshold->unit == Unit::volt))
      refuse("channel " + in_quotes(name) + " is in " + (unit.unit == Unit::volt ? "V" : "W or dBm") +
             ", but --threshold is in " + (unit.unit == Unit::volt ? "dBm" : "V"));
    return unit;
  }

  void row(std::vector<std::string_view> cells) {
    if (beside_) {
      if (cells.size() < tds_columns) refuse("the row must have five columns: key, value, nothing, time, sample");
      cells = {cells[3], cells[4]};
    }
    if (cells.size() == names_.size() + 2 && cells.back().empty()) cells.pop_back();
    if (cells.size() != names_.size() + 1)
      refuse("the row has " + std::to_string(cells.size()) + " values, but the header has " +
             std::to_string(names_.size() + 1));
    const auto at = scaled(cells[0], power_);
    if (!at) refuse("time is " + in_quotes(cells[0]) + ", but must be a number, such as 1.5E-06");
    if (!begin_) begin_ = at;
    if (*at - *begin_ < now_.n) refuse("time is " + in_quotes(cells[0]) + ", but must not be before the row above");
    now_ = Picos{*at - *begin_};
    for (std::size_t k = 0; k < channels_.size(); ++k) {
      Channel& channel = channels_[k];
      const std::optional<bool> light = light_of(channel, cells[k + 1]);
      if (channel.seen && light == channel.light) continue;
      channel.seen = true;
      channel.light = light;
      log_.push_back({now_, static_cast<std::uint16_t>(k), light});
    }
  }

  std::optional<bool> light_of(const Channel& channel, std::string_view cell) const {
    if (cell == "X" || cell == "x") return std::nullopt;
    if (!options_.threshold) {
      if (cell != "0" && cell != "1")
        refuse("value is " + in_quotes(cell) + ", but must be 0, 1 or X; --threshold reads other values");
      return cell == "1";
    }
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (failure != std::errc() || end != cell.data() + cell.size() || !std::isfinite(value))
      refuse("value is " + in_quotes(cell) + ", but must be a number");
    value *= channel.unit.factor;
    if (channel.unit.unit == Unit::watt) {
      constexpr double milliwatts = 1e3, decibels = 10;
      value = value > 0 ? decibels * std::log10(value * milliwatts) : -std::numeric_limits<double>::infinity();
    }
    return options_.threshold->light(channel.light, value);
  }

  std::string_view rest_, origin_;
  const CaptureOptions& options_;
  std::size_t line_ = 0;
  int power_ = seconds_power;
  bool beside_ = false;  ///< samples stand beside the header's lines
  std::vector<std::string_view> names_, units_;
  std::vector<Channel> channels_;
  std::optional<std::int64_t> begin_;  ///< ps of the first row
  Picos now_;
  std::vector<LightChange> log_;
};

}  // namespace

std::optional<std::vector<LightChange>> parse_instrument_csv(std::string_view text, std::string_view origin,
                                                             const CaptureOptions& options) {
  InstrumentReader reader(text, origin, options);
  if (!reader.header()) return std::nullopt;
  return reader.rows();
}

}  // namespace ocs::characterize
