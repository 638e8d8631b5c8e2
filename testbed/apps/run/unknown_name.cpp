// The known name that is most alike comes first, then all of them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/unknown_name.hpp"

#include "testbed/workloads/input.hpp"

namespace ocs {

std::string unknown_name(std::string_view kind, std::string_view name, std::span<const std::string> known) {
  const std::string like = nearest(name, known);
  return "unknown " + std::string(kind) + " " + in_quotes(name) +
         (like.empty() ? "; known: " : " (did you mean " + in_quotes(like) + "?); known: ") + joined(known);
}

}  // namespace ocs
