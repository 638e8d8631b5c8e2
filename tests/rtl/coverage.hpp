// What an instance of a Verilated class reached is kept when it goes, in builds that count it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#ifdef LIGHTLOOP_COVERAGE
#include "rtl/object/coverage_sum.hpp"
#endif

namespace ocs {

/// Keeps what `top`, which is about to go, has reached. Nothing without LIGHTLOOP_COVERAGE (CMake).
template <class Top, class Syms>
void keep_coverage([[maybe_unused]] Top& top) {
#ifdef LIGHTLOOP_COVERAGE
  static_assert(sizeof(Syms) > 0, "the counters are in a class that Verilator keeps to itself: include NAME__Syms.h");
  CoverageSum<Top>::instance().add(top);
#endif
}

}  // namespace ocs
