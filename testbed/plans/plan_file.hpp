// The file that `lightloop plan --json` writes and that --check and --execute read: for each row of an experiment a
// placement, and demand and plan of pushes and pulls; of a job without phases the reservations of an iteration.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// Pushes or pulls.
struct FiledPhase {
  Problem problem;
  Plan plan;
};

struct FiledPlan {
  std::string policy;                  ///< as the file says; may be empty
  std::optional<Placement> placement;  ///< without padding; none: the file leaves it to the policy
  FiledPhase push, pull;
  std::vector<Reservation>
      order;  ///< of a job without phases, an iteration of it; none: `push` and `pull` are the plan
};

/// @param origin the file's name, for messages.
/// @throws Error (input) that names the place: no JSON, another schema_version, a field missing or out of range.
std::vector<FiledPlan> plans_from_text(std::string_view text, const std::string& origin);

/// The same of a file of at most 256 MiB.
std::vector<FiledPlan> read_plan_file(const std::filesystem::path& file);

/// The bytes of a file of plans. @throws Error (input) as read_text_file().
std::string plan_file_text(const std::filesystem::path& file);

}  // namespace ocs
