// A device whose time and counters begin far from 0, shown as if they began there.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "host/conformance/program.hpp"
#include "host/core/device.hpp"

namespace ocs::conformance {

/// @param inner its 64-bit registers begin with `origin` in their high words; in their low words with 0, or with `origin`
/// where they count neither cycles nor words; so they do after a SOFT_RESET. @return reads and writes of high words are moved by that, and so is the clock.
std::unique_ptr<Device> displaced(std::unique_ptr<Device> inner, std::uint32_t origin);

/// Whether all cycles that the program names stay below 2^63 when they are moved.
bool may_be_displaced(std::span<const Op> program);

}  // namespace ocs::conformance
