// Products of two 64-bit numbers.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ocs {

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

}  // namespace ocs
