// What to do when the machine has no memory left: one sentence, wherever that is noticed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ocs {

inline constexpr const char* out_of_memory = "out of memory; a smaller job, or job.payload = \"none\", needs less";

}  // namespace ocs
