// The event FIFO (section 10).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/events.hpp"

namespace ocs::model {

void EventFifo::reset() {
  records_ = 0;
  events_.clear();
  stamp_ = 0;
  dropped_ = 0;
}

bool EventFifo::push(Cycle stamp, std::span<const Happening> record) {
  if (record.empty()) return true;
  if (records_ == depth_) {
    ++dropped_;
    return false;
  }
  for (const Happening& what : record) events_.push_back({stamp, what, false});
  events_.back().last = true;
  ++records_;
  return true;
}

std::optional<EventFifo::Taken> EventFifo::take() {
  if (events_.empty()) return std::nullopt;
  const Stored next = events_.front();
  events_.pop_front();
  if (next.last) --records_;
  const bool new_stamp = next.stamp != stamp_;
  stamp_ = next.stamp;
  return Taken{next.what, new_stamp};
}

}  // namespace ocs::model
