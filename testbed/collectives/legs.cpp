// Which steps share circuits and may stream.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <map>
#include <utility>

#include "testbed/collectives/collective.hpp"

namespace ocs {
namespace {

using Steps = std::vector<CollectiveStep>;

/// A leg in the making.
class Growing {
 public:
  Growing(const std::vector<Words>& sizes, std::int64_t lag) : sizes_(sizes), lag_(lag) {}

  /// Whether a step with the same pairs can stream behind what there is: whatever a rank passes on has come before, and
  /// nothing that it receives takes the place of what it hasn't sent.
  bool takes(const Steps& step) const {
    const auto same = [&](const CollectiveStep& s) { return length_.contains({s.sender, s.receiver}); };
    if (step.size() != length_.size() || !std::all_of(step.begin(), step.end(), same)) return false;
    Growing next = *this;
    next.add(step);
    return next.streams_;
  }

  void add(const Steps& step) {
    for (const CollectiveStep& s : step) {
      std::int64_t& at = length_[{s.sender, s.receiver}];
      for (std::uint32_t b = s.first; b < s.first + s.blocks; ++b) {
        if (const auto came = came_.find({s.sender, b}); came != came_.end())
          streams_ = streams_ && at >= came->second + lag_;
        sent_[{s.sender, b}] = at;
        coming_.push_back({{s.receiver, b}, at});
        at += sizes_[b].n;
      }
    }
    for (const auto& [place, at] : std::exchange(coming_, {})) {
      if (const auto sent = sent_.find(place); sent != sent_.end()) streams_ = streams_ && at >= sent->second;
      came_[place] = at;
    }
  }

  Leg finish(std::uint32_t first, std::uint32_t last) const {
    Leg leg{first, last, {}};
    for (const auto& [pair, words] : length_) leg.transfers.push_back({pair.first, pair.second, Words{words}});
    return leg;
  }

 private:
  using Place = std::pair<std::uint16_t, std::uint32_t>;  ///< rank, block
  const std::vector<Words>& sizes_;
  std::int64_t lag_;
  bool streams_ = true;
  std::map<std::pair<std::uint16_t, std::uint16_t>, std::int64_t> length_;  ///< words of each pair
  std::map<Place, std::int64_t> sent_, came_;                               ///< when, in words from the beginning
  std::vector<std::pair<Place, std::int64_t>> coming_;
};

}  // namespace

std::vector<Leg> legs_of(const Collective& collective, const std::vector<Words>& sizes, std::int64_t lag) {
  std::vector<Steps> steps;
  for (const CollectiveStep& each : collective.steps) {
    if (each.step == steps.size()) steps.emplace_back();
    steps.back().push_back(each);
  }
  std::vector<Leg> legs;
  for (std::uint32_t k = 0; k < steps.size();) {
    Growing leg(sizes, lag);
    const std::uint32_t first = k;
    do leg.add(steps[k++]);
    while (k < steps.size() && leg.takes(steps[k]));
    legs.push_back(leg.finish(first, k - 1));
  }
  return legs;
}

}  // namespace ocs
