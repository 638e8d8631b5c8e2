// A workload whose phases a file says: "phases:FILE" (docs/collectives.md, section 8).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "testbed/collectives/phased_workload.hpp"

namespace ocs {

inline constexpr std::string_view phases_prefix = "phases:";

/// @param text JSON, an object: "ranks", 2 to 256; "phases", a list of {"collective", "algorithm", "chunks", "groups",
/// "words" or "demand", "gap"} and {"pairs", "gap"}; "tail". Words are words, gap and tail cycles.
/// @param where names the text, for messages. @throws Error (input)
std::shared_ptr<const PhasedWorkload> parse_phases(std::string_view text, const std::string& where);

/// The workload's text, for its hash, and what it says. @throws Error (input)
struct PhasesFile {
  std::string text;
  std::shared_ptr<const PhasedWorkload> phases;
};
PhasesFile load_phases(std::string_view name, const std::filesystem::path& base);

}  // namespace ocs
