// Looks at what was given.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/help/unused_options.hpp"

#include <iostream>
#include <set>

namespace ocs {

void warn_of_unused(const CLI::App& command, const std::vector<UnusedOptions>& unused) {
  std::set<std::string> said;
  for (const UnusedOptions& group : unused)
    for (const std::string& option : group.options)
      if (group.when && command.count(option) > 0 && said.insert(option).second)
        std::cerr << "lightloop: warning: " + option + " has no effect: " + group.why + "\n";
}

}  // namespace ocs
