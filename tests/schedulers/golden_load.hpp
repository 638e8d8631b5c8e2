// Golden cases of adaptive server load, as tests/goldens/sync/fields.md defines them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "tests/load/abstract_load.hpp"
#include "tests/schedulers/golden_fields.hpp"

namespace ocs::golden {

struct LoadCase {
  abstract::LoadInput input;
  abstract::LoadOutput expected;
};

/// One input under each policy; times in ns.
struct LoadTotalsCase {
  abstract::LoadInput input;
  std::int64_t fixed, adaptive, oracle;
};

LoadCase read_load(const Fields& fields);
LoadTotalsCase read_load_totals(const Fields& fields);

}  // namespace ocs::golden
