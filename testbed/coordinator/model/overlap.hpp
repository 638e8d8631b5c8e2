// When gradients are ready while a worker still computes, and which of them go first.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "host/core/policy.hpp"

namespace ocs {

/// docs/transfers.md states the rules.
struct OverlapRule {
  bool wait_free = false;                            ///< a slice is pushed as soon as its gradients are there
  std::uint32_t backward_num = 2, backward_den = 3;  ///< share of the backward pass in computing; 0 to 1, 1 to 1000
  bool by_layer = false;                             ///< slices of earlier tensors go first
  friend bool operator==(const OverlapRule&, const OverlapRule&) = default;
};

/// The backward pass goes from the last tensor to the first, and takes time by their bytes.
class BackwardPass {
 public:
  /// @param blocks of the model: 1 byte or more in all, at most 2^47.
  BackwardPass(std::span<const Block> blocks, const OverlapRule& rule);

  /// A tensor's gradient is there before the end of computing: by ahead() / of() of the computing time. 0 for the
  /// first.
  std::int64_t ahead(std::uint32_t tensor) const;
  std::int64_t of() const { return of_; }

 private:
  std::vector<std::int64_t> before_;  ///< by tensor: bytes of those before it
  OverlapRule rule_;
  std::int64_t of_ = 1;
};

}  // namespace ocs
