// Which lightloop this is.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ocs {

/// "0.1.0", or "0.1.0+gitHASH" when built from a repository; "-dirty" at the end: with changes that aren't committed.
const char* version();

}  // namespace ocs
