// Pieces of a list, and their order in time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/mirror_faults.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <tuple>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/interval.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_amount = (std::int64_t{1} << 30) - 1;                           // cycles
constexpr std::array<std::string_view, 4> fault_names = {"stuck", "slow", "flap", "kept"};  // by MirrorFault

[[noreturn]] void refuse_fault_form() {
  refuse(
      "must be faults of mirrors, \"3: stuck 2 us - 9 us, 5: slow(700 ns) 4 us - 60 us, 1: flap(500 ns) 4 us, 2: kept "
      "2 us "
      "- 9 us\"");
}

/// Whether it has no amount: the mirror can't be tuned.
bool is_stuck(MirrorFault fault) { return fault == MirrorFault::stuck || fault == MirrorFault::kept; }

std::uint16_t output_number(std::string_view text) {
  std::uint16_t output = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), output);
  if (error != std::errc{} || end != text.data() + text.size()) refuse_fault_form();
  return output;
}

/// Takes the kind of a fault, and its amount in parentheses, from the front of a text.
void take_fault_kind(std::string_view& text, TimedMirrorFault& fault) {
  const std::size_t end = std::min(text.find_first_of(" ("), text.size());
  const auto named = std::ranges::find(fault_names, text.substr(0, end));
  if (named == fault_names.end()) refuse_fault_form();
  fault.fault = static_cast<MirrorFault>(named - fault_names.begin());
  text = trimmed(text.substr(end));
  if (text.starts_with('(') == is_stuck(fault.fault)) refuse_fault_form();
  if (is_stuck(fault.fault)) return;
  const std::size_t close = text.find(')');
  if (close == std::string_view::npos) refuse_fault_form();
  fault.amount = time_of_run(text.substr(1, close - 1));
  text.remove_prefix(close + 1);
}

TimedMirrorFault parse_fault(std::string_view text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) refuse_fault_form();
  TimedMirrorFault fault{.output = output_number(trimmed(text.substr(0, colon))),
                         .fault = {},
                         .amount = {},
                         .from = {},
                         .until = never<Picos>};
  text = trimmed(text.substr(colon + 1));
  take_fault_kind(text, fault);
  const auto [from, until] = parse_interval(text);
  fault.from = from, fault.until = until;
  return fault;
}

std::string name_of_fault(const TimedMirrorFault& fault) {
  return "\"" + std::string(fault_names[static_cast<std::size_t>(fault.fault)]) + "\" of output " +
         std::to_string(fault.output);
}

/// @returns in the registers of the switch
Cycles amount_of_fault(const TimedMirrorFault& fault, Picos cycle) {
  if (is_stuck(fault.fault)) return Cycles{1};
  const Cycles amount = to_cycles(fault.amount, cycle);
  if (amount.n < 1 || amount.n > most_amount)
    refuse("must have amounts from one cycle to 2^30 - 1 of them, " + to_text(most_amount * cycle.n, Dimension::time) +
           "; that of " + name_of_fault(fault) + " is " + to_text(fault.amount.n, Dimension::time));
  return amount;
}

}  // namespace

std::vector<TimedMirrorFault> parse_mirror_faults(std::string_view text) {
  std::vector<TimedMirrorFault> faults;
  if (trimmed(text).empty()) return faults;
  for (const std::string_view one : comma_list(text)) faults.push_back(parse_fault(one));
  return faults;
}

std::vector<MirrorChange> mirror_changes(const std::vector<TimedMirrorFault>& faults, int ports, Picos cycle) {
  std::map<std::pair<std::uint16_t, MirrorFault>, std::vector<std::pair<Cycles, Cycles>>> intervals;
  std::vector<MirrorChange> all;
  for (const TimedMirrorFault& fault : faults) {
    if (fault.output >= ports)
      refuse("must name outputs from 0 to " + std::to_string(ports - 1) + "; it names " + name_of_fault(fault));
    const Cycles from = to_cycles(fault.from, cycle), until = to_cycles(fault.until, cycle);
    if (until <= from) refuse(name_of_fault(fault) + " must last at least one cycle");
    if (is_stuck(fault.fault) && until == never<Cycles>)
      refuse(name_of_fault(fault) + " must have an end: what waits for a mirror that stays stuck waits for ever");
    all.push_back({from, Output{fault.output}, fault.fault, amount_of_fault(fault, cycle)});
    if (until != never<Cycles>) all.push_back({until, Output{fault.output}, fault.fault, Cycles{0}});
    // Both are one bit of the switch: the end of one would end the other.
    const MirrorFault kind = is_stuck(fault.fault) ? MirrorFault::stuck : fault.fault;
    auto& before = intervals[{fault.output, kind}];
    for (const auto& [start, end] : before)
      if (from <= end && start <= until) refuse(name_of_fault(fault) + " must come apart by at least one cycle");
    before.emplace_back(from, until);
  }
  std::ranges::sort(all, {}, [](const MirrorChange& one) { return std::tuple(one.at, one.output, one.fault); });
  return all;
}

}  // namespace ocs
