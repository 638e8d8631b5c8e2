// Keys that were said although they change nothing in this experiment.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/experiment/experiment.hpp"

namespace ocs {

/// When a key changes nothing, and why: half a sentence.
struct UnusedKey {
  std::string_view key;
  bool (*in)(const Point&);
  std::string_view why;
};

/// All that are known. To add one: a line.
std::span<const UnusedKey> keys_with_conditions();

/// A sentence for each key that was said and changes nothing in some or all rows, and for each value that makes no
/// rows: its place, and why.
std::vector<std::string> without_effect(const Experiment& experiment);

}  // namespace ocs
