// Carries lists of steps out on sums by name: two sums of the same two sums have one name.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/sum_order.hpp"

#include <algorithm>
#include <map>
#include <utility>

namespace ocs {
namespace {

using Name = std::uint32_t;

/// Names of numbers: those of the ranks, then sums of two that have names.
class SumNames {
 public:
  explicit SumNames(std::uint32_t ranks) : next_(ranks) {}

  Name of_sum(Name a, Name b) {
    const auto [known, is_new] = names_.try_emplace(std::minmax(a, b), next_);
    next_ += is_new ? 1 : 0;
    return known->second;
  }

 private:
  std::map<std::pair<Name, Name>, Name> names_;
  Name next_;
};

}  // namespace

bool adds_alike(const Collective& of) {
  std::vector<std::vector<Name>> have(of.ranks);
  for (std::uint32_t rank = 0; rank < of.ranks; ++rank) have[rank].assign(of.blocks, rank);
  SumNames names(of.ranks);
  for (const CollectiveStep& step : of.steps) {
    std::vector<Name> sent;  // as it was before the step
    for (const CollectiveTransfer& one : step)
      for (const std::uint32_t block : one.blocks) sent.push_back(have[one.sender][block]);
    auto next = sent.begin();
    for (const CollectiveTransfer& one : step)
      for (const std::uint32_t block : one.blocks) {
        Name& own = have[one.receiver][block];
        own = one.adds ? names.of_sum(own, *next) : *next;
        ++next;
      }
  }
  return std::all_of(have.begin(), have.end(), [&](const auto& of_rank) { return of_rank == have.front(); });
}

}  // namespace ocs
