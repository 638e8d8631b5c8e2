// From changes of light to stretches without it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/capture.hpp"

#include <algorithm>
#include <map>
#include <string>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::characterize {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{1} << 30;

}  // namespace

std::vector<CircuitSetUp> dark_stretches(const std::vector<LightChange>& log, std::string_view origin) {
  struct Port {
    std::optional<bool> light;
    std::optional<Picos> dark_since;  ///< its beginning was seen
  };
  std::map<std::uint16_t, Port> ports;
  std::vector<CircuitSetUp> found;
  const auto note = [&](std::uint16_t port, Picos since, Picos end, bool up) {
    found.push_back(
        {.out = port, .in = {}, .from = From::unknown, .at = since, .tuning = end - since, .locking = {}, .up = up});
  };
  for (const LightChange& change : log) {
    Port& port = ports[change.port];
    if (change.light == port.light) continue;
    if (change.light == false && port.light == true) port.dark_since = change.at;
    if (change.light == true && port.dark_since) note(change.port, *port.dark_since, change.at, true);
    if (change.light != false) port.dark_since.reset();
    port.light = change.light;
  }
  for (const auto& [number, port] : ports)
    if (port.dark_since) note(number, *port.dark_since, log.back().at, false);
  if (found.empty())
    throw Error(ErrorKind::input, std::string(origin) + " holds " + std::to_string(log.size()) +
                                      (log.size() == 1 ? " state" : " states") +
                                      " of light, but no output that has light and loses it");
  std::stable_sort(found.begin(), found.end(),
                   [](const CircuitSetUp& a, const CircuitSetUp& b) { return a.at < b.at; });
  return found;
}

Findings read_capture(const std::filesystem::path& file, const CaptureOptions& options) {
  const std::string kind = file.extension().string();
  if (kind != ".csv" && kind != ".vcd")
    throw Error(ErrorKind::input, "captured log " + in_quotes(file.string()) + " must end in .csv or .vcd");
  const std::string text = read_text_file(file, "captured log", max_file_bytes);
  const std::string origin = file.string();
  const auto log = kind == ".csv" ? parse_capture_csv(text, origin, options) : parse_capture_vcd(text, origin, options);
  Findings findings{.subject = origin, .ports = 0, .cycle = {}, .set_ups = dark_stretches(log, origin)};
  for (const LightChange& change : log) findings.ports = std::max(findings.ports, change.port + 1);
  return findings;
}

}  // namespace ocs::characterize
