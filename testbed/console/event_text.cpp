// The words of section 10 of docs/switch-contract.md.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/console/event_text.hpp"

#include "host/conformance/access.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs::console {
namespace {

template <std::size_t N>
std::string word(const char* const (&words)[N], std::uint32_t number) {
  return number < N ? words[number] : "of unknown kind " + std::to_string(number);
}

std::string what(const conformance::LoggedEvent& event) {
  static constexpr const char* device[] = {"commit taken", "commit refused", "sequencer wrapped"};
  static constexpr const char* sources[] = {"software", "timed", "sequencer"};
  static constexpr const char* states[] = {"idle", "tuning", "locking", "up", "held", "failed"};
  static constexpr const char* inputs[] = {"burst done"};
  if (event.cls == 0) return word(device, event.kind) + " (" + word(sources, event.port) + ")";
  if (event.cls == 1) return "output " + std::to_string(event.port) + " " + word(states, event.kind);
  return "input " + std::to_string(event.port) + " " + word(inputs, event.kind);
}

}  // namespace

std::optional<std::string> take_event_text(RegisterBus& bus) {
  const conformance::Taken taken = conformance::take_event(bus);
  if (!taken.event) return std::nullopt;
  return "cycle " + std::to_string(taken.event->stamp) + "  " + what(*taken.event);
}

std::string cycles_text(Cycles count, Picos cycle) {
  return std::to_string(count.n) + (count.n == 1 ? " cycle, " : " cycles, ") +
         to_text(to_picos(count, cycle).n, Dimension::time);
}

}  // namespace ocs::console
