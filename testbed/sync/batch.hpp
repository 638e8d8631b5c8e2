// Adaptive batches: who waits at the gate takes more samples.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "host/core/units.hpp"

namespace ocs {

/// batch + round(blocked * samples / per), halves up: what a worker that computes `samples` in `per` could have done
/// more while it was blocked. Saturates. @throws Error (input) unless blocked >= 0 and per >= 1.
std::uint32_t adapted_batch(std::uint32_t batch, Ticks blocked, std::uint64_t samples, Ticks per);

/// The same within [least, most]; a change under 5 % of `batch` is not made.
std::uint32_t next_batch(std::uint32_t batch, std::uint32_t adapted, std::uint32_t least, std::uint32_t most);

}  // namespace ocs
