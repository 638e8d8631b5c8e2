// The whole switch with checks, N = 4.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "Vocs_checked_4_64.h"
#include "Vocs_checked_4_64__Syms.h"
#include "Vocs_checked_4_64___024root.h"
#include "tests/rtl/stepped_switch.hpp"

namespace ocs::test {

using Switch = SteppedSwitch<Vocs_checked_4_64, Vocs_checked_4_64__Syms>;

}  // namespace ocs::test
