// Peers that average their models: keys and checks.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// "none", and all selections of receivers.
std::vector<std::string> selection_names();
/// Values of `peers.layer`.
inline const std::vector<std::string> peer_layers = {"L3", "L7"};

/// How receivers are chosen, with job.peers. @throws Error (input) for an unknown selection.
const SelectionEntry& selection_of(const JobSettings& job);

/// "3/4", "0.75": 0 to 1. @throws Error (input) with half a sentence: "must be ..."
void read_eta(std::string_view text, PeerSettings& settings);

/// Settings that count in the result: "p=2 k=4 layer=L3 delta=1".
std::string peer_text(const JobSettings& job);

/// Checks that the point's peers can be run. @throws Error (input).
void check_peers(const Point& point, const Origins& origins);

}  // namespace ocs
