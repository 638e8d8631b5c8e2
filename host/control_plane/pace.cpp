// From wall time to cycles, in whole numbers.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/pace.hpp"

#include <algorithm>
#include <utility>

namespace ocs::serve {
namespace {

constexpr std::chrono::nanoseconds longest_gap = std::chrono::milliseconds(500);  ///< of wall time, made up at most
constexpr std::int64_t shortest_stride = 64, longest_stride = std::int64_t{1} << 40;

}  // namespace

Pace::Pace(SwitchService& service, ClockKind kind, std::int64_t speed, Stopwatch wall)
    : service_(service), kind_(kind), speed_(speed), wall_(std::move(wall)), last_(wall_()), due_(service.now()) {}

void Pace::set_due() {
  const std::chrono::nanoseconds now = wall_();
  const std::chrono::nanoseconds gone = std::min(now - last_, longest_gap);
  last_ = now;
  // At most 5e8 ns * 1000 * 1e6 = 5e17, and less than a cycle.
  const std::int64_t ps = gone.count() * 1000 * speed_ + rest_;
  due_ += Cycles{ps / service_.cycle().n};
  rest_ = ps % service_.cycle().n;
  const Cycles most{longest_gap.count() * 1000 / service_.cycle().n * speed_};
  if (lag() > most) {
    left_out_ += lag() - most;
    due_ = service_.now() + most;
  }
}

void Pace::keep_up(std::chrono::nanoseconds at_most) {
  if (kind_ == ClockKind::wall_time) {
    service_.advance_to(service_.now());
    return;
  }
  set_due();
  const std::chrono::nanoseconds begin = last_;
  for (std::chrono::nanoseconds spent{0}; behind() && spent < at_most;) {
    service_.advance_to(std::min(due_, service_.now() + Cycles{stride_}));
    const std::chrono::nanoseconds later = wall_() - begin, took = later - spent;
    spent = later;
    if (took > at_most / 4) stride_ = std::max(stride_ / 2, shortest_stride);
    if (took < at_most / 16) stride_ = std::min(stride_ * 2, longest_stride);
  }
}

}  // namespace ocs::serve
