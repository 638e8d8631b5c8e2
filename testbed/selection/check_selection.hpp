// The one checker that every selection of receivers passes, from any source.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/error.hpp"
#include "testbed/selection/selection.hpp"

namespace ocs {

/// Checks a selection against its problem: receivers are other peers. Where all are ready, every pair of `must` is
/// selected, and every sender has `least` receivers. With `sending`, who is sending keeps to pairs of its plan, the
/// peer that is ready chooses freely, and nobody else sends; pairs of `must` that are among these are selected, and
/// each has `least` receivers or all that its plan has; what is aborted is in the plan and not selected, and a deadline
/// is that of a sender.
/// @param kind what a broken rule means to the caller: `internal` for selections of ours.
/// @throws BrokenRule (receivers) that names the peers.
void check_selection(const SelectionProblem& problem, const Selection& selection, ErrorKind kind);

}  // namespace ocs
