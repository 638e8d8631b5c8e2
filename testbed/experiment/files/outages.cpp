// Pieces of a list, and their order in time.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/outages.hpp"

#include <algorithm>
#include <charconv>
#include <string>
#include <tuple>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/interval.hpp"

namespace ocs {
namespace {

PortOutage parse_outage(std::string_view text) {
  const std::size_t colon = text.find(':');
  const std::string_view number = trimmed(text.substr(0, std::min(colon, text.size())));
  PortOutage outage{.port = 0, .from = {}, .until = never<Picos>};
  const auto [end, error] = std::from_chars(number.data(), number.data() + number.size(), outage.port);
  if (colon == std::string_view::npos || error != std::errc{} || end != number.data() + number.size())
    refuse("must be outages of ports, \"3: 2 ms - 5 ms, 7: 1 ms\"");
  const auto [from, until] = parse_interval(text.substr(colon + 1));
  outage.from = from, outage.until = until;
  return outage;
}

std::string name_of(const PortOutage& outage) { return "port " + std::to_string(outage.port); }

}  // namespace

std::vector<PortOutage> parse_outages(std::string_view text) {
  std::vector<PortOutage> outages;
  if (trimmed(text).empty()) return outages;
  for (const std::string_view one : comma_list(text)) outages.push_back(parse_outage(one));
  return outages;
}

std::vector<Outage> outage_cycles(const std::vector<PortOutage>& outages, int ports, Picos cycle) {
  std::vector<Outage> all;
  for (const PortOutage& outage : outages) {
    if (outage.port >= ports)
      refuse("must name ports from 0 to " + std::to_string(ports - 1) + "; it names " + name_of(outage));
    const Cycles from = to_cycles(outage.from, cycle), until = to_cycles(outage.until, cycle);
    if (until <= from) refuse("the outage of " + name_of(outage) + " must last at least one cycle");
    all.push_back({.at = from, .port = outage.port, .dead = true});
    if (until != never<Cycles>) all.push_back({.at = until, .port = outage.port, .dead = false});
  }
  std::sort(all.begin(), all.end(), [](const Outage& a, const Outage& b) {
    return std::tie(a.at, a.port, a.dead) < std::tie(b.at, b.port, b.dead);
  });
  std::vector<const Outage*> last(static_cast<std::size_t>(ports), nullptr);
  for (const Outage& outage : all) {
    const Outage*& before = last[outage.port];
    const bool live = before == nullptr || !before->dead;
    if (live != outage.dead || (before != nullptr && before->at == outage.at))
      refuse("the outages of port " + std::to_string(outage.port) + " must be apart by at least one cycle");
    before = &outage;
  }
  return all;
}

}  // namespace ocs
