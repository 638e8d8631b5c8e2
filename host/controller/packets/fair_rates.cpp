// One round for each level at which a side is full.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/packets/fair_rates.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace ocs {

FairRates::FairRates(std::vector<std::int64_t> capacities)
    : capacities_(std::move(capacities)), sides_(capacities_.size()) {}

void FairRates::fill(std::span<const SidePair> pairs, std::span<std::int64_t> rates) {
  used_.clear();
  risen_.assign(pairs.size(), 0);
  for (std::uint32_t t = 0; t < pairs.size(); ++t)
    for (const std::uint32_t s : {pairs[t].from, pairs[t].to}) {
      Side& side = sides_[s];
      if (side.rising == 0) {
        side.left = capacities_[s];
        side.transfers.clear();
        used_.push_back(s);
      }
      ++side.rising;
      side.transfers.push_back(t);
    }
  while (!used_.empty()) {
    std::int64_t level = std::numeric_limits<std::int64_t>::max();
    for (const std::uint32_t s : used_) level = std::min(level, sides_[s].left / sides_[s].rising);
    const auto full = std::partition(used_.begin(), used_.end(),
                                     [&](std::uint32_t s) { return sides_[s].left / sides_[s].rising > level; });
    for (auto s = full; s != used_.end(); ++s)
      for (const std::uint32_t t : sides_[*s].transfers) {
        if (risen_[t] != 0) continue;
        risen_[t] = 1;
        rates[t] = level;
        for (const std::uint32_t end : {pairs[t].from, pairs[t].to}) {
          sides_[end].left -= level;
          --sides_[end].rising;
        }
      }
    std::erase_if(used_, [&](std::uint32_t s) { return sides_[s].rising == 0; });
  }
}

}  // namespace ocs
