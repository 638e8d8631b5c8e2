// When a worker's next intervals will end, by those that it had.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "testbed/sync/ledger.hpp"

namespace ocs {

/// The k-th interval from now takes I or, with a trend, I + b k: I is a moving average of the intervals so far, b one
/// of the changes of I from interval to interval, 0 before the second. None takes less than a tick with a trend.
class Forecast {
 public:
  Forecast(std::uint32_t shift, bool trend) : length_(shift), change_(shift), trend_(trend) {}

  void add(Ticks interval) {
    const bool first = !length_.known();
    const Ticks before = length_.value();
    length_.add(interval);
    if (!first) change_.add(length_.value() - before);
  }

  /// Ends of the next `count` intervals, ascending.
  std::vector<Ticks> ends(Ticks now, std::uint32_t count) const {
    std::vector<Ticks> all;
    for (std::uint32_t k = 1; k <= count; ++k) {
      const Ticks interval = trend_ ? std::max(Ticks{1}, length_.value() + change_.value() * k) : length_.value();
      all.push_back((all.empty() ? now : all.back()) + interval);
    }
    return all;
  }

 private:
  MovingAverage length_, change_;
  bool trend_;
};

}  // namespace ocs
