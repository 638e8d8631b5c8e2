// How standard output can be drawn on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/gantt/draw.hpp"

namespace ocs {

/// On a terminal its width, and colour unless NO_COLOR says otherwise (no-color.org); else no colour, and the width
/// that COLUMNS says, or 100.
TextStyle terminal_style();

}  // namespace ocs
