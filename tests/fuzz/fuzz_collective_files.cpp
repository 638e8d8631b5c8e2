// links: ocs_experiment_file
// Reads any bytes as a demand, as candidates, as a matrix of demand and as a file of phases: something sound, or one
// readable sentence.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <string>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/collectives/demand.hpp"
#include "testbed/collectives/port_map.hpp"
#include "testbed/experiment/files/demand_file.hpp"
#include "testbed/experiment/files/phases_file.hpp"

namespace {

template <class Parse>
void expect_sound(const Parse& parse) {
  try {
    parse();
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2 || sentence.empty()) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
}

/// A rank can't send more than it has.
void check_drawn(std::string_view text) {
  const ocs::DemandRule rule = ocs::parse_demand(text);
  if (rule.kind == ocs::DemandRule::Kind::equal || rule.kind == ocs::DemandRule::Kind::file) return;
  for (const auto& row : ocs::drawn_demand(rule, 8, 1000, 3))
    if (std::accumulate(row.begin(), row.end(), std::int64_t{0}) != 1000) std::abort();
}

void check_phases(std::string_view text) {
  const auto phases = ocs::parse_phases(text, "f.json");
  const ocs::PhasedIteration one = phases->iteration(0, {64, ocs::Picos{1}, 1});
  if (phases->nodes() < 2 || one.phases.empty()) std::abort();
  if (phases->nodes() <= 16) ocs::legs_of(one.phases, static_cast<std::uint32_t>(phases->nodes()), 1);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  expect_sound([&] { check_drawn(text); });
  expect_sound([&] {
    for (const auto& map : ocs::candidate_maps(ocs::parse_candidates(text), 5, {}))
      if (map.size() != 5) std::abort();
  });
  expect_sound([&] {
    const ocs::DemandMatrix matrix = ocs::parse_demand_file(text, "d.csv");
    if (matrix.size() != matrix.front().size()) std::abort();
  });
  expect_sound([&] { check_phases(text); });
  return 0;
}
