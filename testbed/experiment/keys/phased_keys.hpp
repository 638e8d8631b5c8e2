// Workloads that say their phases themselves: "llm:MODEL?..." (docs/llm.md), and Chakra traces (docs/chakra.md).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string_view>
#include <vector>

#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// Of JobSettings::collective, where the workload says its phases; no experiment file can say it.
inline constexpr std::string_view phases_name = "phases";

bool names_phases(std::string_view workload);

struct ChakraGraph;
/// Of a workload "chakra:FILE.%d"; nullptr: another one.
std::shared_ptr<const ChakraGraph> graph_of(const Point& point);

/// @throws Error (input) for what a trace doesn't go with
void check_graph(const Point& point, const Origins& origins);

/// @throws Error (input)
PhasedInput load_phased_input(std::string_view name, const std::filesystem::path& base);

/// Workers, computing and payload are as the workload says. @throws Error (input)
void adopt_phases(Point& point, std::shared_ptr<const PhasedInput> input, const Origins& origins);

/// The legs of one iteration, and the computing after them.
struct PhasedLegs {
  std::vector<Leg> legs;
  Cycles tail{0};
  std::vector<PhaseList> lists{};  ///< with payload
};
/// @throws Error (input), half a sentence: "must ..."
PhasedLegs phased_legs(const Point& point, std::uint32_t iteration, std::int64_t lag);

}  // namespace ocs
