// The events of several planes in one order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <functional>
#include <utility>
#include <vector>

#include "host/core/switch.hpp"

namespace ocs {

/// Merges by (cycle, plane); within both the order is the switch's own (class, port).
class PlaneEvents {
 public:
  /// @param to sees every event, with its plane; may be empty.
  explicit PlaneEvents(std::function<void(const Event&)> to) : to_(std::move(to)) {}

  /// What CircuitConfig::on_event and SessionConfig::on_event of that plane are to be.
  std::function<void(const Event&)> of(Plane plane) {
    return [this, plane](Event event) {
      event.plane = plane;
      waiting_.push_back(event);
    };
  }

  /// All planes have been brought to the same cycle: nothing earlier comes any more.
  void flush() {
    std::stable_sort(waiting_.begin(), waiting_.end(),
                     [](const Event& a, const Event& b) { return a.at != b.at ? a.at < b.at : a.plane < b.plane; });
    for (const Event& event : waiting_)
      if (to_) to_(event);
    waiting_.clear();
  }

 private:
  std::function<void(const Event&)> to_;
  std::vector<Event> waiting_;
};

}  // namespace ocs
