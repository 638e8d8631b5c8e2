// One of two clauses.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/neighbours.hpp"

#include <bit>
#include <charconv>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "testbed/experiment/files/interval.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr int most_distance = 32;
constexpr std::string_view disturb_at = "disturb at ", park_for = "park for ", for_a_time = " for ";

[[noreturn]] void refuse_neighbours() {
  refuse("must be what mirrors that move do to others, \"disturb at 1, 8 for 2 us\" or \"park for 500 us\"");
}

Picos some_time(std::string_view text, const char* what) {
  const Picos time = time_of_run(text);
  if (time.n == 0) refuse("must " + std::string(what) + " for more than 0 s; \"\" disturbs nobody");
  return time;
}

int parse_distance(std::string_view text) {
  int distance = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), distance);
  if (error != std::errc{} || end != text.data() + text.size() || distance < 1 || distance > most_distance)
    refuse("must have distances from 1 to 32; it has " + in_quotes(text));
  return distance;
}

/// Bit k stands for distance k + 1.
std::uint32_t parse_distances(std::string_view text) {
  std::uint32_t distances = 0;
  for (const std::string_view one : comma_list(text)) {
    const int distance = parse_distance(one), before = static_cast<int>(std::bit_width(distances));
    if (distance <= before)
      refuse("must have distances that rise; " + std::to_string(distance) + " comes after " + std::to_string(before));
    distances |= std::uint32_t{1} << (distance - 1);
  }
  return distances;
}

}  // namespace

NeighbourTimes parse_neighbours(std::string_view text) {
  text = trimmed(text);
  if (text.empty()) return {};
  if (text.starts_with(park_for)) return {.park = some_time(text.substr(park_for.size()), "park")};
  if (!text.starts_with(disturb_at)) refuse_neighbours();
  text.remove_prefix(disturb_at.size());
  const std::size_t end = text.find(for_a_time);
  if (end == std::string_view::npos) refuse_neighbours();
  const std::uint32_t distances = parse_distances(text.substr(0, end));
  return {.distances = distances, .disturbed = some_time(text.substr(end + for_a_time.size()), "disturb")};
}

std::string to_text(const NeighbourTimes& times) {
  if (times.park.n > 0) return std::string(park_for) + to_text(times.park.n, Dimension::time);
  if (times.distances == 0) return {};
  std::string list;
  for (std::uint32_t left = times.distances; left != 0; left &= left - 1)
    list += (list.empty() ? "" : ", ") + std::to_string(std::countr_zero(left) + 1);
  return std::string(disturb_at) + list + std::string(for_a_time) + to_text(times.disturbed.n, Dimension::time);
}

Neighbours neighbours_in_cycles(const NeighbourTimes& times, int ports, Picos cycle) {
  Neighbours out{.disturbed = to_cycles(times.disturbed, cycle), .distances = times.distances};
  if (out.disturbed.n > most_register_cycles)
    refuse("must disturb for at most 2^30 - 1 cycles, " + to_text(most_register_cycles * cycle.n, Dimension::time) +
           "; it says " + to_text(times.disturbed.n, Dimension::time));
  if (ports <= most_distance) out.distances &= (std::uint32_t{1} << (ports - 1)) - 1;
  return out;
}

}  // namespace ocs
