// Who has a port when: what has been reserved at each port, and a place in time that only moves forward.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace ocs {

/// Times at which one port is taken, ascending and apart, and the port at the other end.
class PortTable {
 public:
  static constexpr std::int64_t endless = std::numeric_limits<std::int64_t>::max();

  struct Interval {
    std::int64_t start, end;
    std::uint16_t peer;
  };

  /// Back to the beginning.
  void rewind() { at_ = 0; }
  /// Moves to `now`, which is not before the last one.
  void move_to(std::int64_t now) {
    while (at_ < list_.size() && list_[at_].end <= now) ++at_;
  }
  /// Whether the port is free at `now`; looks from the present place on.
  bool free(std::int64_t now) const { return at_ == list_.size() || list_[at_].start > now; }
  /// When it is taken next; it must be free.
  std::int64_t next_start() const { return at_ == list_.size() ? endless : list_[at_].start; }
  /// What ended last; nullptr: nothing did.
  const Interval* last() const { return at_ == 0 ? nullptr : &list_[at_ - 1]; }
  /// When it is free again or, if it is free, when what comes next has ended; endless: nothing comes.
  std::int64_t next_end() const {
    std::size_t n = at_;
    if (n == list_.size()) return endless;
    while (n + 1 < list_.size() && list_[n + 1].start == list_[n].end) ++n;
    return list_[n].end;
  }

  /// Keeps for later; in ascending order since the last merge_noted().
  void note(Interval interval) { noted_.push_back(interval); }
  /// What was noted is taken from now on.
  void merge_noted() {
    if (noted_.empty()) return;
    const auto middle = static_cast<std::ptrdiff_t>(list_.size());
    list_.insert(list_.end(), noted_.begin(), noted_.end());
    noted_.clear();
    std::inplace_merge(list_.begin(), list_.begin() + middle, list_.end(),
                       [](const Interval& a, const Interval& b) { return a.start < b.start; });
  }

 private:
  std::vector<Interval> list_, noted_;
  std::size_t at_ = 0;  ///< the first that ends later than now
};

}  // namespace ocs
