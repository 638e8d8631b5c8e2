// Section 10 of the contract: records of events, handed out one event at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <vector>

#include "sysc/core/ports.hpp"

namespace ocs::sysc {

struct SwitchEvent {
  Cycle stamp = 0;
  std::uint8_t cls = 0, kind = 0;
  Port port = 0;
  std::uint8_t tag = 0;  ///< of a commit
};

class EventFifo {
 public:
  explicit EventFifo(std::size_t depth) : depth_(depth) {}

  bool empty() const { return waiting_.empty(); }
  bool full() const { return records_ == depth_; }

  /// A record: at least one event, all of one stamp, in the order of section 10. The caller has asked full().
  void push(const std::vector<SwitchEvent>& record) {
    for (const SwitchEvent& event : record) waiting_.push_back({event, false});
    waiting_.back().last = true;
    ++records_;
  }

  /// Takes the oldest event; not from an empty one. `new_stamp`: it differs from that of the event taken before.
  SwitchEvent pop(bool& new_stamp) {
    const Waiting out = waiting_.front();
    waiting_.pop_front();
    if (out.last) --records_;
    new_stamp = out.event.stamp != taken_;
    taken_ = out.event.stamp;
    return out.event;
  }

  Cycle taken() const { return taken_; }  ///< stamp of the event taken last

 private:
  struct Waiting {
    SwitchEvent event;
    bool last;  ///< of its record
  };
  std::size_t depth_, records_ = 0;
  std::deque<Waiting> waiting_;
  Cycle taken_ = 0;
};

}  // namespace ocs::sysc
