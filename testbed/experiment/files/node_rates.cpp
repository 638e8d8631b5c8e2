// Divisors of a port's full rate.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/files/node_rates.hpp"

#include <algorithm>
#include <string>

#include "host/core/error.hpp"
#include "host/core/list_text.hpp"
#include "host/scheduler/splitmix.hpp"
#include "testbed/experiment/quantity.hpp"

namespace ocs {
namespace {

constexpr std::int64_t full_rate = 40000;  // of an engine: RATE, words in 40000 cycles

bool can_keep(std::int64_t fabric_bps, std::int64_t cycles) {
  return full_rate % cycles == 0 && fabric_bps % cycles == 0;
}

}  // namespace

Cycles cycles_at(std::int64_t rate, std::int64_t fabric_bps) {
  if (rate > fabric_bps)
    refuse("must be at most fabric.rate, " + to_text(fabric_bps, Dimension::rate) + ", for every node");
  if (rate > 0 && fabric_bps % rate == 0 && can_keep(fabric_bps, fabric_bps / rate)) return Cycles{fabric_bps / rate};
  std::int64_t above = fabric_bps, below = 0;
  for (std::int64_t cycles = 1; cycles <= full_rate && below == 0; ++cycles) {
    if (!can_keep(fabric_bps, cycles)) continue;
    (fabric_bps / cycles > rate ? above : below) = fabric_bps / cycles;
  }
  refuse("must be fabric.rate over a divisor of 40000 for every node, but names " + to_text(rate, Dimension::rate) +
         "; next to it are " + (below == 0 ? "" : to_text(below, Dimension::rate) + " and ") +
         to_text(above, Dimension::rate));
}

std::vector<std::int64_t> parse_rates(std::string_view text) {
  if (text == "equal" || text == "drawn") return {};
  std::vector<std::int64_t> rates;
  for (const std::string_view one : comma_list(text)) {
    try {
      rates.push_back(parse_quantity(one, Dimension::rate));
    } catch (const Error& error) {
      refuse(R"(must be "equal", "drawn", or rates of nodes 0, 1, ...; each )" + std::string(error.what()));
    }
  }
  return rates;
}

std::vector<Cycles> word_cycles(const std::vector<std::int64_t>& rates, bool drawn, std::int64_t fabric_bps, int nodes,
                                std::uint64_t seed) {
  if (rates.size() > static_cast<std::size_t>(nodes))
    refuse("must have at most one rate for each of the " + std::to_string(nodes) + " nodes, but has " +
           std::to_string(rates.size()));
  std::vector<Cycles> all(static_cast<std::size_t>(nodes), Cycles{1});
  for (std::size_t v = 0; v < all.size(); ++v) {
    if (drawn)
      all[v] = cycles_at(fabric_bps >> (splitmix64(seed) % 3), fabric_bps);
    else if (rates.size() == 1)
      all[v] = cycles_at(rates[0], fabric_bps);
    else if (v < rates.size())
      all[v] = cycles_at(rates[v], fabric_bps);
  }
  const bool full = std::all_of(all.begin(), all.end(), [](Cycles cycles) { return cycles.n == 1; });
  return full ? std::vector<Cycles>{} : all;
}

Cycles slowest_word(const std::vector<Cycles>& word_cycles) {
  Cycles slowest{1};
  for (const Cycles word : word_cycles) slowest = std::max(slowest, word);
  return slowest;
}

}  // namespace ocs
