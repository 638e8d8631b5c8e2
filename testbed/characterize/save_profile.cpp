// A measured switch as a profile, in picoseconds.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/characterize/pair_medians.hpp"
#include "testbed/characterize/power.hpp"
#include "testbed/characterize/report.hpp"
#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs::characterize {
namespace {

Picos needed(const std::optional<Picos>& time, std::size_t in, std::size_t out) {
  if (time) return *time;
  throw Error(ErrorKind::run, "output " + std::to_string(out) + " never came up from input " + std::to_string(in) +
                                  ", so no profile can say how long it takes");
}

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) out += c == '"' || c == '\\' || c < ' ' ? '?' : c;
  return out + "\"";
}

std::string programming_section(const Programming& programming) {
  if (programming.time.n == 0) return {};
  return "\n[programming]  # of mirrors, in turn\ntime = \"" + to_text(programming.time.n, Dimension::time) +
         "\"\nlanes = " + std::to_string(programming.lanes) + "\n";
}

std::string receivers_line(const std::optional<MeasuredReceivers>& receivers) {
  return receivers ? "receivers = \"" + to_text(receivers->times) + "\"\n" : "";
}

std::string neighbours_line(const std::optional<MeasuredNeighbours>& neighbours) {
  if (!neighbours || neighbours->times.distances == 0) return {};
  return "neighbours = \"" + to_text(neighbours->times) + "\"\n";
}

std::string decimals(const std::vector<int>& hundredths) {
  std::string list;
  for (const int each : hundredths) list += (list.empty() ? "[" : ", ") + hundredths_text(each);
  return list + "]";
}

/// Levels that differ from those after reset.
std::string optics_section(const Findings& findings) {
  const std::optional<MeasuredPower> power = power_of(findings);
  if (!power || !power->has_levels() || !power->levels) return {};
  return "\n[optics]  # dBm of each input, dB of each output: what POWER read of each pair\nlaser = " +
         decimals(power->levels->lasers) + "\nloss = " + decimals(power->levels->losses) + "\n";
}

}  // namespace

std::string to_profile(const Findings& findings, const std::string& version) {
  const bool pairs = std::any_of(findings.set_ups.begin(), findings.set_ups.end(),
                                 [](const CircuitSetUp& s) { return s.in.has_value(); });
  if (!pairs)
    throw Error(ErrorKind::input,
                findings.subject + " doesn't say which input an output got; a profile needs every pair");
  const auto n = static_cast<std::size_t>(findings.ports);
  const Programming programming = findings.programming.value_or(Programming{});
  const auto tuned = pair_medians(findings, [&](const CircuitSetUp& s) {
    return (findings.receivers ? s.tuning : s.together()) - programming.wait_of(s.out);
  });
  const auto locks = pair_medians(findings, [](const CircuitSetUp& s) { return s.locking; });
  std::string tuning, locking;
  for (std::size_t out = 0; out < n; ++out) {
    Picos least = needed(locks[out], 0, out);
    for (std::size_t in = 1; in < n; ++in) least = std::min(least, needed(locks[in * n + out], in, out));
    locking +=
        (out == 0 ? "" : ", ") + std::to_string((findings.receivers ? findings.receivers->locking[out] : least).n);
    if (findings.receivers) least = {};  // no part of `tuned`
    tuning += "  [";
    for (std::size_t in = 0; in < n; ++in)
      tuning += (in == 0 ? "" : ", ") + std::to_string((needed(tuned[in * n + out], in, out) - least).n);
    tuning += "],\n";
  }
  return "# Measured by `lightloop characterize`: what each pair of ports took, in the median of its set-ups.\n"
         "summary = " +
         quoted("measured: " + findings.subject) +
         "\n"
         "source = " +
         quoted("lightloop " + version + ", characterize " + findings.subject + ", resolution " +
                to_text(findings.cycle.n, Dimension::time)) +
         "\n"
         "ports = " +
         std::to_string(n) + "\n\n[tuning]  # a row for each output, a number for each input\npicoseconds = [\n" +
         tuning + "]\n" + neighbours_line(findings.neighbours) + "\n[locking]  # of each output\npicoseconds = [" +
         locking + "]\n" + receivers_line(findings.receivers) + programming_section(programming) +
         optics_section(findings);
}

}  // namespace ocs::characterize
