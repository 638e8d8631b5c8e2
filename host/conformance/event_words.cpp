// Events as sentences: an output's new state is said together with the one before it.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/event_words.hpp"

#include <algorithm>
#include <array>

namespace ocs::conformance {
namespace {

constexpr std::uint32_t device_class = 0, output_class = 1, input_class = 2;

std::string device_event(const LoggedEvent& event) {
  constexpr std::array<const char*, 3> sources{"software", "timed", "sequencer"};
  constexpr std::array<const char*, 3> kinds{"was committed", "was refused", "wrapped around"};
  const std::string source = event.port < sources.size() ? sources[event.port] : "source " + std::to_string(event.port);
  if (event.kind >= kinds.size()) return "device event " + std::to_string(event.kind) + " of the " + source + " map";
  const std::string tag = event.tag == 0 ? "" : " of tag " + std::to_string(event.tag);
  return "the " + source + " map" + tag + " " + kinds[event.kind];
}

/// The state of an output after the first events of a log; an output begins IDLE.
std::string state_before(std::span<const LoggedEvent> before, std::uint32_t output) {
  const auto of_output = [&](const LoggedEvent& each) { return each.cls == output_class && each.port == output; };
  const auto last = std::find_if(before.rbegin(), before.rend(), of_output);
  return state_name(last == before.rend() ? 0 : last->kind);
}

std::string what_happened(std::span<const LoggedEvent> before, const LoggedEvent& event) {
  if (event.cls == output_class)
    return "output " + std::to_string(event.port) + " went from " + state_before(before, event.port) + " to " +
           state_name(event.kind);
  if (event.cls == device_class) return device_event(event);
  const bool burst = event.cls == input_class;
  return (burst ? "the burst of input " : "class " + std::to_string(event.cls) + " of port ") +
         std::to_string(event.port) +
         (event.kind == 0            ? " ended"
          : burst && event.kind == 1 ? " ended whole"
                                     : " had event " + std::to_string(event.kind));
}

std::string at_cycle(const LoggedEvent& event) { return " at cycle " + std::to_string(event.stamp); }

/// What stands behind "expected ", as short as it can be.
std::string expected_instead(std::span<const LoggedEvent> before, const LoggedEvent& expected, const LoggedEvent& got) {
  const bool same_place = expected.cls == got.cls && expected.port == got.port;
  if (same_place && expected.kind == got.kind && expected.stamp == got.stamp)
    return "tag " + std::to_string(expected.tag);
  if (same_place && expected.kind == got.kind) return "cycle " + std::to_string(expected.stamp);
  if (same_place && expected.stamp == got.stamp && got.cls == output_class) return state_name(expected.kind);
  return "that " + what_happened(before, expected) + at_cycle(expected);
}

}  // namespace

std::string state_name(std::uint64_t state) {
  constexpr std::array<const char*, 6> names{"IDLE", "TUNING", "LOCKING", "UP", "HELD", "FAILED"};
  return state < names.size() ? names[state] : "state " + std::to_string(state);
}

std::string first_difference_in_words(std::span<const LoggedEvent> expected, std::span<const LoggedEvent> got) {
  const auto parting = std::mismatch(expected.begin(), expected.end(), got.begin(), got.end());
  const auto before = expected.first(static_cast<std::size_t>(parting.first - expected.begin()));
  const bool ended = parting.second == got.end(), surplus = parting.first == expected.end();
  if (ended && surplus) return "";
  if (ended)
    return "nothing more happened; expected that " + what_happened(before, *parting.first) + at_cycle(*parting.first);
  const std::string happened = what_happened(before, *parting.second) + at_cycle(*parting.second);
  return happened + "; expected " + (surplus ? "no event" : expected_instead(before, *parting.first, *parting.second));
}

}  // namespace ocs::conformance
