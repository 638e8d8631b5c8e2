// How much memory this process has used.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/units.hpp"

namespace ocs {

/// The most memory that this process had at one time (VmHWM of /proc/self/status) since it started or since
/// reset_peak_rss(). Pages that it shares with other processes count in each of them. 0 where the kernel doesn't say.
Bytes peak_rss();

/// Lets peak_rss() begin anew from what is used now (/proc/self/clear_refs). Nothing happens where the kernel can't.
void reset_peak_rss();

}  // namespace ocs
