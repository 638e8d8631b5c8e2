// The text for people.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/characterize/report.hpp"

#include <algorithm>
#include <array>
#include <cstdio>

#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/results/text/human.hpp"

namespace ocs::characterize {
namespace {

constexpr std::size_t bins_of_text = 20, widest_bar = 40;

std::string padded(std::string text, std::size_t width) {
  if (text.size() < width) text.insert(0, width - text.size(), ' ');
  return text;
}

std::string row(const char* name, const Statistics& statistics) {
  std::array<char, 16> head{};
  std::snprintf(head.data(), head.size(), "%-10s", name);
  std::string line = head.data();
  for (const Picos time : {statistics.min, statistics.median, statistics.p99, statistics.max})
    line += padded(human_time(time), 11);
  return line + "\n";
}

std::string bars(const std::vector<Bin>& bins) {
  std::size_t most = 0;
  for (const Bin& bin : bins) most = std::max(most, bin.count);
  std::string text;
  for (const Bin& bin : bins)
    text += padded(human_time(bin.from), 11) + padded(human_time(bin.to), 11) +
            padded(human_count(static_cast<std::int64_t>(bin.count)), 9) + "  " +
            std::string((bin.count * widest_bar + most - 1) / most, '#') + "\n";
  return text;
}

std::string exact(Picos time) { return to_text(time.n, Dimension::time); }

/// How much longer circuits take that are set up at once, as these are.
std::string programming_text(const std::optional<Programming>& programming) {
  if (!programming) return {};
  if (programming->time.n == 0)
    return "together they take up to " + exact(programming->longest) + " longer than alone, not in equal groups\n";
  return "mirrors are programmed " + std::to_string(programming->lanes) + " at once, each further group " +
         exact(programming->time) + " later\n";
}

/// As fabric.receivers says it.
std::string receivers_text(const std::optional<MeasuredReceivers>& receivers) {
  return receivers ? "receivers beyond the least locking of their outputs: " + to_text(receivers->times) + "\n" : "";
}

/// As fabric.neighbours says it.
std::string neighbours_text(const std::optional<MeasuredNeighbours>& neighbours) {
  if (!neighbours || neighbours->times.distances == 0) return {};
  return "mirrors that move: " + to_text(neighbours->times) +
         (neighbours->alike ? "\n" : ", at most: not every mirror does so\n");
}

/// Nothing where all is as after reset.
std::string power_text(const Findings& findings, const Summary& summary) {
  if (!summary.power || !summary.power->has_levels()) return {};
  const MeasuredPower& power = *summary.power;
  const CircuitSetUp& weakest = findings.set_ups[power.weakest];
  std::string out = "power: min " + dbm_text(power.min) + ", median " + dbm_text(power.median) + ", max " +
                    dbm_text(power.max) + "\nweakest: output " + std::to_string(weakest.out) +
                    (weakest.in ? " from input " + std::to_string(*weakest.in) : "") + ", " + dbm_text(power.min) +
                    "\n";
  if (power.missing > 0)
    out += human_count(static_cast<std::int64_t>(power.missing)) + " of " +
           human_count(static_cast<std::int64_t>(findings.set_ups.size() - summary.failed)) +
           " circuits showed no light when their power was read\n";
  if (!power.levels)
    out += std::string("a profile has no laser and loss: ") + (power.missing > 0 || summary.failed > 0
                                                                   ? "the power of a pair is missing\n"
                                                                   : "no levels of ports show these powers\n");
  return out;
}

}  // namespace

Summary summarize(const Findings& findings) {
  std::vector<Picos> tuning, locking, together;
  Summary summary;
  for (const CircuitSetUp& set_up : findings.set_ups) {
    if (!set_up.up) {
      ++summary.failed;
      continue;
    }
    tuning.push_back(set_up.tuning);
    locking.push_back(set_up.locking);
    together.push_back(set_up.together());
  }
  summary.power = power_of(findings);
  if (together.empty()) return summary;
  summary.bins = histogram(together, bins_of_text);
  summary.tuning = statistics(std::move(tuning));
  summary.locking = statistics(std::move(locking));
  summary.together = statistics(std::move(together));
  return summary;
}

std::string complaint(const Findings& findings, const Verdict& verdict) {
  const CircuitSetUp& worst = findings.set_ups[*verdict.worst];
  const Picos limit = verdict.limits[*verdict.worst];
  std::string text = human_count(static_cast<std::int64_t>(verdict.count)) + " of " +
                     human_count(static_cast<std::int64_t>(findings.set_ups.size())) +
                     (findings.set_ups.size() == 1 ? " set-up is" : " set-ups are") + " out of the bounds of \"" +
                     verdict.against + "\"; the worst: " + name_of(worst);
  if (!worst.up)
    return text + (worst.from == From::unknown ? ", still dark after " : ", not up after ") + exact(worst.together());
  return text + ", " + exact(worst.together()) + ", but must be at most " + exact(limit) +
         (worst.in ? "" : " (dark from " + exact(worst.at) + " on)");
}

std::string text(const Findings& findings, const Summary& summary, const Verdict* verdict) {
  const std::size_t all = findings.set_ups.size();
  std::string out = findings.subject + ": " + std::to_string(findings.ports) +
                    (findings.ports == 1 ? " port, " : " ports, ") + human_count(static_cast<std::int64_t>(all)) +
                    (all == 1 ? " set-up" : " set-ups");
  out += findings.cycle.n == 0 ? "\n" : ", cycle " + std::to_string(findings.cycle.n) + " ps\n";
  if (summary.failed > 0) out += human_count(static_cast<std::int64_t>(summary.failed)) + " never came up\n";
  if (summary.together) {
    out += "\n" + std::string(10, ' ') + padded("min", 11) + padded("median", 11) + padded("p99", 11) +
           padded("max", 11) + "\n";
    out += row("tuning", *summary.tuning) + row("locking", *summary.locking) + row("together", *summary.together);
    const auto slowest = std::max_element(
        findings.set_ups.begin(), findings.set_ups.end(), [](const CircuitSetUp& a, const CircuitSetUp& b) {
          return (a.up ? a.together() : Picos{-1}) < (b.up ? b.together() : Picos{-1});
        });
    out += programming_text(findings.programming) + receivers_text(findings.receivers) +
           neighbours_text(findings.neighbours);
    out += "slowest: " + name_of(*slowest) + ", " + exact(slowest->together()) + "\n" + power_text(findings, summary) +
           "\ntogether\n" + bars(summary.bins);
  }
  if (verdict != nullptr && verdict->count == 0)
    out += "\nagainst " + verdict->against + ": all within bounds, at most " +
           exact(*std::max_element(verdict->limits.begin(), verdict->limits.end())) + "\n";
  return out;
}

}  // namespace ocs::characterize
