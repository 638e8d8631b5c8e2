// What `lightloop merge` and `lightloop sweep` say of a merge.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include "testbed/results/database/merge.hpp"

namespace ocs {

/// "3 databases, 120 rows: 100 added to study.db, 20 were there already".
std::string merged_text(const std::string& out, std::size_t databases, const MergeCounts& counts);

}  // namespace ocs
