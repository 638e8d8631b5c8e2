// Where two event logs part, in one sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// "output 3 went from TUNING to UP at cycle 812; expected LOCKING". A cycle is the stamp of the event. Empty: the logs
/// are equal.
std::string first_difference_in_words(std::span<const LoggedEvent> expected, std::span<const LoggedEvent> got);

}  // namespace ocs::conformance
