// What the ratios of the printed table refer to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "testbed/results/print/table.hpp"
#include "testbed/results/rows/record.hpp"

namespace ocs {

/// @param text "KEY=VALUE"; empty: policy psscheduler if it is one of several policies, else none.
/// @throws Error (input): no such key or value in the experiment, or the key has one value.
std::optional<Baseline> baseline_of(const std::string& text, const ExperimentRecord& experiment);

}  // namespace ocs
