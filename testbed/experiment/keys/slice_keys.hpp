// How the keys of slices and of overlap are read, shown and checked.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string_view>

#include "host/core/units.hpp"
#include "testbed/experiment/fit/fit.hpp"

namespace ocs {

/// "4 MB", or "none": 0. @throws Error (input) with half a sentence: "must be ..."
Bytes parse_slice(std::string_view text);

/// Sets the share of the backward pass. @throws Error (input) with half a sentence
void read_backward(std::string_view text, OverlapRule& rule);

/// "none", or "wait_free_backprop backward=2/3".
std::string overlap_text(const OverlapRule& rule);

/// Checks what is pushed early, and what first. @throws Error (input).
void check_overlap(const Point& point, const Origins& origins);

/// Checks slices against each other and the job, once the fabric has been fitted. @throws Error (input).
void check_slices(const Point& point, const Origins& origins);

}  // namespace ocs
