// The switches of a point, one a plane, as devices and drivers, with what they count.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/controller/plane_split.hpp"
#include "host/core/device.hpp"
#include "testbed/engine/port_time.hpp"
#include "testbed/engine/watched_switch.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/results/row.hpp"

namespace ocs {

class Planes {
 public:
  /// @param pause as WatchedSwitch. @throws Error (input) when the device can't be built so.
  Planes(const Point& point, const std::function<void()>& pause);

  Switch& at(std::size_t plane) { return *planes_.at(plane)->watched; }
  std::size_t size() const { return planes_.size(); }
  /// Every event is the same in every run.
  bool exact();
  /// Sums over the planes; cycles are those of one.
  void add_counters(Row& row);

 private:
  struct One {
    explicit One(int ports) : time(ports) {}
    std::unique_ptr<Device> device;
    std::unique_ptr<Switch> bare;
    PortTime time;
    std::unique_ptr<WatchedSwitch> watched;
  };
  std::vector<std::unique_ptr<One>> planes_;
};

/// Adds what one switch has counted.
void add_counters(Row& row, Switch& plane);
/// Adds what its outputs did until row.cycles.
void add_port_time(Row& row, PortTime& time);

/// How the point's demand is split over its planes.
PlaneSplit plane_split(const Point& point);

}  // namespace ocs
