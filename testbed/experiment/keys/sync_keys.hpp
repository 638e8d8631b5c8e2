// How the keys of synchronisation schemes and of nodes that die are read and shown.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "host/core/units.hpp"
#include "testbed/coordinator/node_death.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/sync/settings.hpp"

namespace ocs {

/// "0.8", "4/5", "1": a reduced fraction, with a denominator of up to 1000000.
/// @throws Error (input) with half a sentence: "must be ..."
std::pair<std::uint32_t, std::uint32_t> parse_fraction(std::string_view text);

/// "3: 2 s, 5: 7 s": nodes and when they die; each once. @throws Error (input) with half a sentence
std::vector<NodeDeath> parse_deaths(std::string_view text);

/// What differs from a fixed time for all: "factors 0: 3; jitter uniform 10 %"; empty: nothing.
std::string compute_text(const JobSettings& job);

/// What of the settings the scheme reads: "s=3"; empty: nothing.
std::string settings_text(const JobSettings& job);

/// How the job synchronises. @throws Error (input) for an unknown scheme.
const SyncEntry& scheme_of(const JobSettings& job);

}  // namespace ocs
