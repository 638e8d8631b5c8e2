// Signed times, and a draw a node.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/clock_offset.hpp"

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "host/core/wide.hpp"
#include "host/scheduler/splitmix.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

std::uint64_t mixed(std::uint64_t number) { return splitmix64(number); }

/// Uniform from -most to +most. @param stream of one kind of draw
std::int64_t drawn(std::int64_t most, std::uint64_t stream, std::size_t node) {
  const std::uint64_t draw = mixed(mixed(stream) ^ mixed(node));
  const UnsignedWide scaled = UnsignedWide{draw} * static_cast<std::uint64_t>(2 * most + 1);
  return static_cast<std::int64_t>(scaled >> 64) - most;
}

}  // namespace

std::vector<Picos> parse_offsets(std::string_view text) {
  constexpr std::int64_t most = std::int64_t{1} << 62;
  std::vector<Picos> offsets;
  for (std::string_view one : comma_list(text)) {
    const bool early = one.starts_with('-');
    if (early || one.starts_with('+')) one = trimmed(one.substr(1));
    const std::int64_t size = parse_quantity(one, Dimension::time);
    if (size > most) throw Error(ErrorKind::input, "must be at most " + to_text(most, Dimension::time));
    offsets.push_back({early ? -size : size});
  }
  return offsets;
}

std::vector<Picos> parse_times(std::string_view text) {
  if (text.find_first_of("+-") != std::string_view::npos) throw Error(ErrorKind::input, "must be times without a sign");
  return parse_offsets(text);
}

Cycles offset_cycles(Picos offset, Picos cycle) {
  return offset.n < 0 ? Cycles{0} - to_cycles(Picos{-offset.n}, cycle) : to_cycles(offset, cycle);
}

std::vector<Cycles> clock_offsets(const std::vector<Cycles>& offsets, Cycles spread, int nodes, std::uint64_t seed) {
  std::vector<Cycles> all(static_cast<std::size_t>(nodes));
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (offsets.size() == 1) all[v] = offsets[0];
    if (offsets.size() > 1 && v < offsets.size()) all[v] = offsets[v];
    if (spread.n != 0) all[v] += Cycles{drawn(spread.n, seed, v)};
  }
  return all;
}

std::vector<std::int64_t> clock_drifts(std::int64_t ppm, int nodes, std::uint64_t seed) {
  constexpr std::int64_t of_a_millionth = 1000;
  std::vector<std::int64_t> all;
  for (std::size_t v = 0; ppm != 0 && v < static_cast<std::size_t>(nodes); ++v)
    all.push_back(drawn(ppm * of_a_millionth, mixed(~seed), v));
  return all;
}

}  // namespace ocs
