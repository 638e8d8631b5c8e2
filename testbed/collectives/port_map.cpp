// Shifts, overlays, and every map there is.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/port_map.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <set>

#include "host/core/error.hpp"
#include "host/core/ids.hpp"
#include "host/core/list_text.hpp"
#include "host/core/wide.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_maps = std::size_t{1} << 20;

/// Partial permutations of n nodes without to[i] = i. With k circuits: choose their senders, and of the injections of k
/// things into n places those that keep none of them, by inclusion and exclusion.
Wide maps_without_loops(std::uint32_t n) {
  Wide total = 0, choose = 1;
  for (std::uint32_t k = 0; k <= n; ++k) {
    Wide kept = 1, sum = 0;  // C(k, j)
    for (std::uint32_t j = 0; j <= k; ++j) {
      Wide injections = 1;
      for (std::uint32_t f = 0; f < k - j; ++f) injections *= n - j - f;
      sum += (j % 2 == 0 ? kept : -kept) * injections;
      kept = kept * (k - j) / (j + 1);
    }
    total += choose * sum;
    choose = choose * (n - k) / (k + 1);
  }
  return total;
}

/// Lexicographic by to, -1 first.
void append_all(PortMap& map, std::size_t node, std::vector<bool>& taken, std::vector<PortMap>& append) {
  if (node == map.size()) {
    append.push_back(map);
    return;
  }
  for (std::int16_t to = -1; to < static_cast<std::int16_t>(map.size()); ++to) {
    if (to == static_cast<std::int16_t>(node) || (to >= 0 && taken[static_cast<std::size_t>(to)])) continue;
    map[node] = to;
    if (to >= 0) taken[static_cast<std::size_t>(to)] = true;
    append_all(map, node + 1, taken, append);
    if (to >= 0) taken[static_cast<std::size_t>(to)] = false;
  }
}

std::vector<PortMap> every_map(std::uint32_t nodes) {
  // 12 nodes have so many that the sum no longer matters; it would leave 128 bits at 30 and more.
  const Wide number = maps_without_loops(std::min(nodes, 12u));
  if (number > Wide{most_maps})
    throw Error(ErrorKind::input, "candidates \"all\" of " + std::to_string(nodes) + " nodes are " +
                                      (nodes > 12 ? "more than " : "") +
                                      std::to_string(static_cast<std::int64_t>(number)) + " maps; at most " +
                                      std::to_string(most_maps) + " can be tried");
  std::vector<PortMap> all;
  PortMap map(nodes, -1);
  std::vector<bool> taken(nodes, false);
  append_all(map, 0, taken, all);
  return all;
}

std::vector<PortMap> maps_called(const std::string& name, std::uint32_t nodes, std::span<const Leg> legs) {
  if (name == "ring") return {shift_map(nodes, 1)};
  if (name == "back") return {shift_map(nodes, nodes - 1)};
  if (name == "all") return every_map(nodes);
  std::vector<PortMap> maps;
  if (name == "shifts") {
    for (std::uint32_t d = 1; d < nodes; ++d) maps.push_back(shift_map(nodes, d));
  } else if (name == "steps") {
    for (const Leg& leg : legs)
      if (leg.transfers.size() == nodes) maps.push_back(overlaid(dark_map(nodes), leg.transfers));
  } else {
    throw Error(ErrorKind::input, "unknown candidates \"" + name + "\"; known: ring, back, shifts, steps, all, a map");
  }
  return maps;
}

[[noreturn]] void refuse_choices() {
  throw Error(ErrorKind::input,
              "must be names and maps with commas between, such as \"ring, steps, (1 2 0)\"; the names are ring, back, "
              "shifts, steps, all; a map has the receiver of each node, -1 for none");
}

/// The numbers of a map, with blanks between.
PortMap map_in(std::string_view text) {
  PortMap map;
  while (!text.empty()) {
    const std::size_t blank = std::min(text.find(' '), text.size());
    const std::string_view number = text.substr(0, blank);
    text.remove_prefix(std::min(blank + 1, text.size()));
    if (number.empty()) continue;
    std::int16_t to = 0;
    const auto [end, failure] = std::from_chars(number.data(), number.data() + number.size(), to);
    if (failure != std::errc{} || end != number.data() + number.size() || to < -1 || map.size() == max_ports)
      refuse_choices();
    map.push_back(to);
  }
  return map;
}

}  // namespace

PortMap dark_map(std::uint32_t nodes) { return PortMap(nodes, -1); }

PortMap shift_map(std::uint32_t nodes, std::uint32_t d) {
  PortMap map;
  for (std::uint32_t i = 0; i < nodes; ++i) map.push_back(static_cast<std::int16_t>((i + d) % nodes));
  return map;
}

void check_map(const PortMap& map, std::uint32_t nodes, const std::string& what) {
  if (map.size() != nodes)
    throw Error(ErrorKind::input, what + " has entries for " + std::to_string(map.size()) + " nodes, but there are " +
                                      std::to_string(nodes));
  std::vector<bool> taken(nodes, false);
  for (const std::int16_t to : map) {
    if (to < -1 || to >= static_cast<std::int32_t>(nodes))
      throw Error(ErrorKind::input, what + " leads to node " + std::to_string(to) + " of " + std::to_string(nodes));
    if (to >= 0 && taken[static_cast<std::size_t>(to)])
      throw Error(ErrorKind::input, what + " leads to node " + std::to_string(to) + " twice");
    if (to >= 0) taken[static_cast<std::size_t>(to)] = true;
  }
}

PortMap overlaid(const PortMap& map, std::span<const LegTransfer> pairs) {
  PortMap result = map;
  std::vector<bool> taken(map.size(), false);
  for (const LegTransfer& pair : pairs) taken[pair.receiver] = true;
  for (std::int16_t& to : result)
    if (to >= 0 && taken[static_cast<std::size_t>(to)]) to = -1;
  for (const LegTransfer& pair : pairs) result[pair.sender] = static_cast<std::int16_t>(pair.receiver);
  return result;
}

std::vector<CandidateChoice> parse_candidates(std::string_view text) {
  constexpr std::string_view names[] = {"ring", "back", "shifts", "steps", "all"};
  std::vector<CandidateChoice> choices;
  for (const std::string_view one : comma_list(text)) {
    if (one.starts_with('(') && one.ends_with(')'))
      choices.emplace_back(map_in(one.substr(1, one.size() - 2)));
    else if (std::ranges::find(names, one) != std::end(names))
      choices.emplace_back(std::string(one));
    else
      refuse_choices();
  }
  return choices;
}

std::vector<PortMap> candidate_maps(std::span<const CandidateChoice> choices, std::uint32_t nodes,
                                    std::span<const Leg> legs) {
  std::vector<PortMap> list;
  std::set<PortMap> seen;
  for (const CandidateChoice& choice : choices) {
    std::vector<PortMap> maps;
    if (const PortMap* map = std::get_if<PortMap>(&choice)) {
      check_map(*map, nodes, "candidate " + std::to_string(list.size()));
      maps = {*map};
    } else {
      maps = maps_called(std::get<std::string>(choice), nodes, legs);
    }
    for (PortMap& map : maps)
      if (seen.insert(map).second) list.push_back(std::move(map));
  }
  return list;
}

}  // namespace ocs
