// The backward pass, tensor by tensor.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/model/overlap.hpp"

#include <algorithm>

namespace ocs {

BackwardPass::BackwardPass(std::span<const Block> blocks, const OverlapRule& rule) : rule_(rule) {
  if (!rule.wait_free) return;
  std::uint32_t last = 0;
  for (const Block& block : blocks) last = std::max(last, block.tensor);
  std::vector<std::int64_t> bytes(last + std::size_t{1}, 0);
  for (const Block& block : blocks) bytes[block.tensor] += block.size.n;
  std::int64_t sum = 0;
  for (const std::int64_t each : bytes) {
    before_.push_back(sum);
    sum += each;
  }
  of_ = sum * rule.backward_den;
}

std::int64_t BackwardPass::ahead(std::uint32_t tensor) const {
  return rule_.wait_free ? before_.at(tensor) * rule_.backward_num : 0;
}

}  // namespace ocs
