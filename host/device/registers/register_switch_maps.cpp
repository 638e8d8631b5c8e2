// Checks on whole maps.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/register_switch_maps.hpp"

#include <array>
#include <bitset>
#include <string>
#include <utility>

#include "firmware/ocs_dev.h"
#include "host/device/registers/switch_requests.hpp"

namespace ocs {
namespace {

constexpr std::int64_t most_cycles = (std::int64_t{1} << 32) - 1;

/// An input that two outputs of the resulting map select; named: the outputs that are changed.
std::optional<Refusal> conflict_of(const SwitchMap& map, std::span<const Select> change,
                                   const std::bitset<max_ports>& named) {
  std::array<std::uint16_t, max_ports> fed{};  // output that an input feeds
  fed.fill(OCS_DARK);
  const auto ports = static_cast<std::uint16_t>(map.size());
  for (std::uint16_t o = 0; o < ports; ++o)
    if (!named[o] && map[o] != OCS_DARK) fed[map[o]] = o;
  for (const Select& select : change) {
    if (!select.in) continue;
    std::uint16_t& other = fed[index(*select.in)];
    if (other != OCS_DARK)
      return Refusal{"input " + std::to_string(index(*select.in)) + " would feed outputs " + std::to_string(other) +
                         " and " + std::to_string(index(select.out)) + ", and multicast is off",
                     Select{Output{other}, select.in}};
    other = index(select.out);
  }
  return std::nullopt;
}

}  // namespace

std::optional<Refusal> change_map(SwitchMap& map, std::span<const Select> change, bool multicast) {
  const std::size_t ports = map.size();
  std::bitset<max_ports> named;
  for (const Select& select : change) {
    const std::uint16_t o = index(select.out);
    if (o >= ports)
      return refused("output " + std::to_string(o) + " isn't one of this switch's " + std::to_string(ports));
    if (select.in && index(*select.in) >= ports)
      return refused("input " + std::to_string(index(*select.in)) + " isn't one of this switch's " +
                     std::to_string(ports));
    if (named[o]) return refused("output " + std::to_string(o) + " is named twice");
    named.set(o);
  }
  if (!multicast)
    if (auto conflict = conflict_of(map, change, named)) return conflict;
  for (const Select& select : change) map[index(select.out)] = select.in ? index(*select.in) : std::uint16_t{OCS_DARK};
  return std::nullopt;
}

std::optional<Refusal> lay_out(std::span<const Commit> commits, Cycles period, SwitchMap start, bool multicast,
                               std::size_t entries, SwitchTable& table) {
  if (commits.size() > entries)
    return refused("a table of " + std::to_string(commits.size()) +
                   " commits is longer than the switch's sequencer of " + std::to_string(entries));
  if (period.n < 0 || period.n > most_cycles)
    return refused("a period of " + std::to_string(period.n) + " cycles isn't within 0 (once) to " +
                   std::to_string(most_cycles));
  table = {.base = commits.front().at, .period = period.n, .offsets = {}, .maps = {}};
  for (const Commit& commit : commits) {
    const std::int64_t offset = (commit.at - table.base).n;
    if (!table.offsets.empty() && offset <= table.offsets.back())
      return refused("a table's cycles ascend, but " + std::to_string(commit.at.n) + " follows " +
                     std::to_string(table.base.n + table.offsets.back()));
    if (offset > most_cycles)
      return refused("cycle " + std::to_string(commit.at.n) + " is more than " + std::to_string(most_cycles) +
                     " cycles after the first one of the table");
    if (auto refusal = change_map(start, commit.change, multicast)) return refusal;
    table.offsets.push_back(offset);
    table.maps.push_back(start);
  }
  if (period.n > 0 && period.n <= table.offsets.back())
    return refused("a period of " + std::to_string(period.n) + " cycles ends before the table's last commit, " +
                   std::to_string(table.offsets.back()) + " cycles after its first");
  return std::nullopt;
}

}  // namespace ocs
