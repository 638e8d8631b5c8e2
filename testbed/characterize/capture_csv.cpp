// Strict: every line is what it must be, or is named.
// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <charconv>
#include <utility>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "testbed/characterize/capture.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::characterize {
namespace {

constexpr std::string_view units[] = {"ps", "ns", "us", "ms", "s"};

class CsvReader {
 public:
  explicit CsvReader(std::string_view origin) : origin_(origin) {}

  std::vector<LightChange> read(std::string_view text) {
    std::vector<LightChange> log;
    for (std::string_view rest = text; !rest.empty();) {
      const std::size_t end = std::min(rest.find('\n'), rest.size());
      std::string_view line = rest.substr(0, end);
      rest.remove_prefix(std::min(end + 1, rest.size()));
      if (line.ends_with('\r')) line.remove_suffix(1);
      if (++line_ == 1)
        read_header(line);
      else
        log.push_back(read_row(line, log));
    }
    if (log.empty()) {
      ++line_;
      refuse("the log has no rows, but must have a header and at least one row");
    }
    return log;
  }

 private:
  [[noreturn]] void refuse(const std::string& sentence) const {
    throw Error(ErrorKind::input, std::string(origin_) + ":" + std::to_string(line_) + ": " + sentence);
  }

  void read_header(std::string_view line) {
    if (line == "time,port,light") return;
    for (const std::string_view unit : units)
      if (line == "time_" + std::string(unit) + ",port,light") unit_ = unit;
    if (unit_.empty())
      refuse("the first line is " + in_quotes(line) +
             ", but must be time,port,light (times with units) or time_ps,port,light (or _ns, _us, _ms, _s), or a "
             "header of Tektronix, Keysight or Saleae (docs/characterize.md)");
  }

  LightChange read_row(std::string_view line, const std::vector<LightChange>& log) const {
    std::array<std::string_view, 3> cells;
    for (std::size_t k = 0; k < cells.size(); ++k) {
      const std::size_t comma = line.find(',');
      if ((comma == std::string_view::npos) != (k + 1 == cells.size()))
        refuse("the row must have three values: time,port,light");
      cells[k] = line.substr(0, comma);
      line.remove_prefix(k + 1 == cells.size() ? 0 : comma + 1);
    }
    LightChange change;
    change.at = read_time(cells[0]);
    if (!log.empty() && change.at < log.back().at)
      refuse("time is " + in_quotes(cells[0]) + ", but must not be before the row above");
    change.port = read_port(cells[1]);
    if (cells[2] != "0" && cells[2] != "1") refuse("light is " + in_quotes(cells[2]) + ", but must be 0 or 1");
    change.light = cells[2] == "1";
    return change;
  }

  Picos read_time(std::string_view cell) const {
    try {
      const std::string text = unit_.empty() ? std::string(cell) : std::string(cell) + " " + std::string(unit_);
      return {parse_quantity(text, Dimension::time)};
    } catch (const Error& failure) {
      refuse("time is " + in_quotes(cell) + ", but " + failure.what());
    }
  }

  std::uint16_t read_port(std::string_view cell) const {
    std::uint16_t port = 0;
    const auto [end, failure] = std::from_chars(cell.data(), cell.data() + cell.size(), port);
    if (failure != std::errc() || end != cell.data() + cell.size() || port >= max_ports)
      refuse("port is " + in_quotes(cell) + ", but must be a number from 0 to 255");
    return port;
  }

  std::string_view origin_;
  std::string unit_;
  std::size_t line_ = 0;
};

}  // namespace

std::vector<LightChange> parse_capture_csv(std::string_view text, std::string_view origin,
                                           const CaptureOptions& options) {
  if (auto log = parse_instrument_csv(text, origin, options)) return std::move(*log);
  std::vector<LightChange> log = CsvReader(origin).read(text);
  if (options.threshold)
    throw Error(ErrorKind::input, std::string(origin) + " says light or no light, so --threshold must not be given");
  return log;
}

}  // namespace ocs::characterize
