// Which settings of an experiment are shown with a row of its results.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <vector>

#include "testbed/experiment/experiment.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs {

/// Every axis but the policy, in the order of the keys; of the other keys those that were said, and some that every job
/// has, where they have an effect on this row (unused_keys.hpp). Values as written; a scheduler that isn't said is that
/// of the policy.
std::vector<ShownSetting> shown_settings(const Experiment& experiment, std::size_t row);

}  // namespace ocs
