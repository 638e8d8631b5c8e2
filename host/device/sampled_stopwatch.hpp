// What very many very short calls take together: a few of them are timed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>

namespace ocs {

/// Off, a call costs one comparison. On, every 13th is timed (a prime, so that no regular pattern of calls hides from
/// it), without what reading the clock takes.
template <class Clock>
class SampledStopwatchBy {
 public:
  explicit SampledStopwatchBy(bool on) : on_(on) {
    for (int k = 0; on && k < 1000; ++k) {
      const auto begin = Clock::now();
      nothing_ = std::min(nothing_, Clock::now() - begin);
    }
  }

  template <class F>
  void operator()(F&& call) {
    if (!on_) return call();
    if (++calls_ % every != 0) return call();
    const auto begin = Clock::now();
    call();
    timed_ += std::max(typename Clock::duration{}, Clock::now() - begin - nothing_);
  }

  /// Estimates the time of all calls so far from those that were timed; 0 when off or before any was timed.
  std::chrono::nanoseconds total() const {
    const std::int64_t timed = calls_ / every;
    if (timed == 0) return {};
    const double each = std::chrono::duration<double, std::nano>(timed_).count() / static_cast<double>(timed);
    return std::chrono::nanoseconds(static_cast<std::int64_t>(each * static_cast<double>(calls_)));
  }

 private:
  static constexpr std::int64_t every = 13;

  bool on_;
  std::int64_t calls_ = 0;
  typename Clock::duration timed_{}, nothing_ = Clock::duration::max();
};

using SampledStopwatch = SampledStopwatchBy<std::chrono::steady_clock>;

}  // namespace ocs
