// Bulk synchronous parallel: a round closes when every worker's push is in, and then releases all.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/core/sync.hpp"

namespace ocs {

/// Textbook BSP. Invariants: staleness 0; clocks differ by at most 1 at any time and by 0 at each release.
/// A worker asks for iteration k (`asked`) and is let through when the pushes of iterations below k are all in; the
/// pushes of a round are held and applied together, in ascending order of the workers, when the last one is in. A
/// worker that left is waited for no more.
/// @throws Error (internal) from on() for a worker that doesn't exist and for a push out of its turn.
std::unique_ptr<SyncScheme> make_bsp(std::uint16_t workers);

}  // namespace ocs
