// Where two event logs part, in one sentence.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "host/conformance/program.hpp"

namespace ocs::conformance {

/// The name of an output's state, such as "TUNING".
std::string state_name(std::uint64_t state);

/// "output 3 went from TUNING to UP at cycle 812; expected LOCKING". A cycle is the stamp of the event. Empty: the logs
/// are equal.
std::string first_difference_in_words(std::span<const LoggedEvent> expected, std::span<const LoggedEvent> got);

}  // namespace ocs::conformance
