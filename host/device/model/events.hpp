// The event FIFO: one record a cycle, handed out event by event (section 10).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <deque>
#include <optional>
#include <span>

#include "host/device/model/types.hpp"

namespace ocs::model {

class EventFifo {
 public:
  struct Taken {
    Happening what;
    bool new_stamp;  ///< the stamp differs from that of the event taken before (after reset: from 0)
  };

  explicit EventFifo(std::size_t records) : depth_(records) {}

  void reset();

  /// Appends what happened in one cycle, in the order of section 10, as one record; nothing happened: no record.
  /// @return false when the FIFO is full: then the whole record is dropped and counted.
  bool push(Cycle stamp, std::span<const Happening> record);

  /// Takes the next event. A record keeps its place until its last event is taken.
  std::optional<Taken> take();

  bool empty() const { return events_.empty(); }
  Cycle stamp_of_last_taken() const { return stamp_; }
  std::uint64_t dropped() const { return dropped_; }

 private:
  struct Stored {
    Cycle stamp;
    Happening what;
    bool last;  ///< of its record
  };

  std::size_t depth_;
  std::size_t records_ = 0;
  std::deque<Stored> events_;
  Cycle stamp_ = 0;
  std::uint64_t dropped_ = 0;
};

}  // namespace ocs::model
