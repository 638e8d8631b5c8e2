// The policies: what each promises.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/selection/selection.hpp"

namespace ocs {

/// SELMCAST where all send at once: Algorithm 1 of Luo et al., IEEE TSC 2024, with the set-up in every cost. Every
/// sender gets what must be served and the receivers with the least load until it has what it needs; then whatever else
/// fits within the longest load, pairs that weren't served for longest first. O(n^2 log n) for n peers.
/// Promises: all of `must`; at least `least` receivers each; bound(selected) == bound(basic).
class SelmcastBsp final : public ReceiverSelection {
 public:
  Selection select(const SelectionProblem& problem) const override;
};

/// SELMCAST where a worker becomes ready while others are sending: Algorithm 2. What must be served, or has mostly been
/// sent, is kept; senders with the least slack choose first; a further pair has to fit within its sender's deadline.
/// Pairs of the plan that fall out are aborted.
/// Promises: all of `must` that are in the plan, or of the worker that is ready; at least `least` receivers of each
/// sender, or all that its plan has.
class SelmcastSsp final : public ReceiverSelection {
 public:
  Selection select(const SelectionProblem& problem) const override;
};

/// What must be served first, then receivers drawn evenly until each sender has exactly `least`: a partial mesh as in
/// Orpheus. Each sender's draws are of its own sequence of the seed.
class RandomReceivers final : public ReceiverSelection {
 public:
  Selection select(const SelectionProblem& problem) const override;
};

/// Everybody sends to all others.
class FullMesh final : public ReceiverSelection {
 public:
  Selection select(const SelectionProblem& problem) const override;
};

}  // namespace ocs
