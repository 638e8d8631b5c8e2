// How the keys of server load are read, shown and checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// Values of `job.server_load`.
inline const std::vector<std::string> server_loads = {"placed", "static", "adaptive"};

/// "1.05", "21/20": 1 to 1000. @throws Error (input) with half a sentence: "must be ..."
void parse_hysteresis(std::string_view text, LoadSettings& settings);
/// "8 MB", or "none". @throws Error (input) with half a sentence
std::optional<Bytes> parse_budget(std::string_view text);

/// Servers have what the balancer gives them, key by key, not what the policy places there.
inline bool by_keys(const JobSettings& job) { return job.server_load != "placed"; }

/// Settings that count in the result, empty if servers have what is placed there.
std::string load_text(const JobSettings& job);

/// Checks what server load asks of others. @throws Error (input).
void check_load(const Point& point, const Origins& origins);

}  // namespace ocs
