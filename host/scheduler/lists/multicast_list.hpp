// A list scheduler for multicasts: one input's words to several outputs at once.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "host/core/policy.hpp"

namespace ocs {

/// Whenever ports become free, and at the beginning, flows whose input and outputs are all free are gone through in
/// this order: by priority; then inputs for which most outputs wait first (by fan-out, where every input has one
/// multicast), of these the lower one; of an input's flows the one with the output for which most flows wait, then the
/// lowest first output, then as given. Who finds all its ports still free starts, and keeps them until its last word is
/// through; nothing is split. So priorities are strict, and no flow waits whose ports nobody uses. Circuits may be busy
/// at the beginning. O(f^2) for f flows.
class MulticastList final : public Scheduler {
 public:
  /// Plan::bound is the longest load of a port: of an input or output, each of its flows with a set-up, or without one
  /// for the one that is up at the beginning. @throws Error (input) for several planes, all-stop, dead ports, flows
  /// released later, and sums beyond 64 bits.
  Plan plan(const Problem& problem) const override;
};

}  // namespace ocs
