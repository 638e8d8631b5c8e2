// Comparing observations with expectations and with each other.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/compare.hpp"

#include <algorithm>

#include "host/conformance/snapshot.hpp"

namespace ocs::conformance {
namespace {

std::string text(const nlohmann::json& value) { return value.dump(); }
std::string text(const LoggedEvent& event) { return to_json(event).dump(); }

std::string where(std::span<const Op> program, std::size_t op) {
  if (op >= program.size()) return "at the end: ";
  return "op " + std::to_string(op) + " " + to_json(program[op]).dump() + ": ";
}

/// The first entry in which two lists differ; entries of `got` know their operation.
template <class T>
std::string lists(const char* what, std::span<const Op> program, const std::vector<T>& expected,
                  const std::vector<FromOp<T>>& got) {
  const std::size_t common = std::min(expected.size(), got.size());
  for (std::size_t i = 0; i < common; ++i)
    if (expected[i] != got[i].value)
      return where(program, got[i].op) + what + " " + std::to_string(i) + ": expected " + text(expected[i]) + ", got " +
             text(got[i].value) + "\n";
  if (expected.size() == got.size()) return "";
  const std::string head =
      std::to_string(expected.size()) + " " + what + "s expected, got " + std::to_string(got.size()) + "; ";
  if (got.size() > common)
    return where(program, got[common].op) + head + "first surplus: " + text(got[common].value) + "\n";
  return head + "first missing: " + text(expected[common]) + "\n";
}

template <class T>
std::vector<T> values(const std::vector<FromOp<T>>& list) {
  std::vector<T> out;
  out.reserve(list.size());
  for (const auto& entry : list) out.push_back(entry.value);
  return out;
}

constexpr std::size_t context_events = 10;

/// Events [first, last) of a log, a line.
std::string excerpt(const char* what, const std::vector<LoggedEvent>& log, std::size_t first, std::size_t last) {
  std::string out = std::string("  ") + what + ":";
  for (std::size_t k = first; k < std::min(last, log.size()); ++k) out += " " + text(log[k]);
  return out + (last < log.size() ? " ...\n" : "\n");
}

/// The first event in which two logs part, with what came before in both and what follows in each.
std::string events(std::span<const Op> program, const std::vector<LoggedEvent>& expected,
                   const std::vector<FromOp<LoggedEvent>>& got, const std::vector<LoggedEvent>& got_values) {
  std::string out = lists("event", program, expected, got);
  if (out.empty()) return out;
  const auto parting = std::mismatch(expected.begin(), expected.end(), got_values.begin(), got_values.end()).first;
  const auto at = static_cast<std::size_t>(parting - expected.begin());
  const std::size_t from = at - std::min(at, context_events);
  out += excerpt("before, in both", {expected.begin(), expected.begin() + static_cast<std::ptrdiff_t>(at)}, from, at);
  out += excerpt("expected from there on", expected, at, at + 1 + context_events);
  return out + excerpt("got from there on", got_values, at, at + 1 + context_events);
}

std::string counters(const Counters& expected, const Counters& got) {
  std::string out;
  for (std::size_t k = 0; k < expected.size(); ++k)
    if (expected[k] != got[k])
      out += "at the end: " + std::string(counter_names[k]) + ": expected " + nlohmann::json(expected[k]).dump() +
             ", got " + nlohmann::json(got[k]).dump() + "\n";
  return out;
}

std::string breaches(const Observation& got) {
  std::string out;
  for (const std::string& breach : got.breaches) out += breach + "\n";
  return out;
}

std::string numbers(const char* what, std::uint64_t expected, std::uint64_t got) {
  if (expected == got) return "";
  return std::string(what) + ": expected " + std::to_string(expected) + ", got " + std::to_string(got) + "\n";
}

std::string traces(int ports, std::span<const Op> program, const Observation& expected, const Observation& got) {
  if (expected.trace.empty() || got.trace.empty()) return "";
  const SnapshotPlan live(ports, false);
  const std::size_t common = std::min(expected.trace.size(), got.trace.size());
  for (std::size_t i = 0; i < common; ++i) {
    const std::string found = live.difference(expected.trace[i].value, got.trace[i].value);
    if (!found.empty())
      return where(program, got.trace[i].op) + "in cycle " + std::to_string(got.trace[i].value.at(0)) + " " + found +
             "\n";
  }
  return numbers("traced cycles", expected.trace.size(), got.trace.size());
}

}  // namespace

std::string deviations(const Case& program, const Observation& got) {
  const Expectation& expect = program.expect;
  return breaches(got) + lists("read", program.program, expect.reads, got.reads) +
         events(program.program, expect.events, got.events, values(got.events)) +
         numbers("at the end: time", expect.time, got.time) + counters(expect.counters, got.counters);
}

std::string difference(int ports, std::span<const Op> program, const Observation& expected, const Observation& got) {
  std::string out = traces(ports, program, expected, got);
  out += lists("read", program, values(expected.reads), got.reads);
  out += events(program, values(expected.events), got.events, values(got.events));
  out += numbers("at the end: time", expected.time, got.time);
  out += counters(expected.counters, got.counters);
  const std::string last = SnapshotPlan(ports, true).difference(expected.last, got.last);
  if (!last.empty()) out += "at the end: " + last + "\n";
  if (expected.breaches != got.breaches) out += "breaches:\n" + breaches(expected) + "against\n" + breaches(got);
  return out;
}

}  // namespace ocs::conformance
