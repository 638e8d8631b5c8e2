// Where two runs part: the first plan, the first circuit and the first beginning of an iteration that differ.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "testbed/why/history.hpp"

namespace ocs {

/// A sentence each; what is the same in both is said too.
std::vector<std::string> partings_of(const History& one, const History& other);

}  // namespace ocs
