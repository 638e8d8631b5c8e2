// The circuit network of a point over its fabric: that of one switch, or of several planes side by side.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "host/controller/paper_switch.hpp"
#include "host/controller/planes/plane_network.hpp"
#include "testbed/engine/fabric.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

/// The switches that the point asks for.
FabricSpec fabric_spec(const Point& point);
/// What of the options is for the fabric. @param watchers of every plane
FabricHooks fabric_hooks(const RunOptions& options, std::vector<OutputWatcher*> watchers = {});

/// What of the options sees the reservations of a plane that have ended; empty: nobody does.
std::function<void(const Carried&)> carried_hook(const RunOptions& options, Plane plane);

/// How the point's demand is split over its planes.
PlaneSplit plane_split(const Point& point);

/// How circuits are planned.
struct CircuitRules {
  bool online = false;                ///< as CircuitConfig
  bool join_coflows = true;           ///< as CircuitConfig
  bool at_ends = false;               ///< as CircuitConfig
  std::function<Cycles()> charged{};  ///< as CircuitConfig
};

class Circuits {
 public:
  /// Plans are checked before they run. The rest outlives the circuits.
  /// @throws Error (input) for a switch with a clock of its own under a timetable.
  Circuits(const Point& point, const RunOptions& options, Fabric& fabric, const Scheduler& scheduler,
           const CircuitRules& rules);

  /// On paper: by confirmation, everything is executed as planned, no port dies, and nothing is logged or checked.
  Circuits(const Point& point, const Scheduler& scheduler, const CircuitRules& rules);

  Network& network() { return planes_ ? static_cast<Network&>(*planes_) : *one_; }
  /// The mean of the plans' bounds over the iterations; of several planes the largest, for the split as it was: no
  /// plane was faster than its own.
  Picos bound(int iterations) const;
  /// Of all planes: by timetable, bursts that began further from their planned cycle than their guard.
  std::int64_t guard_misses() const;
  const NetworkStats& stats(std::size_t plane) const { return planes_ ? planes_->plane(plane).stats() : one_->stats(); }

 private:
  void join(const Point& point, std::vector<std::unique_ptr<CircuitNetwork>> networks, std::function<void()> settled);

  Picos cycle_;
  std::size_t count_;
  std::vector<std::unique_ptr<PaperSwitch>> paper_;
  std::unique_ptr<CircuitNetwork> one_;
  std::unique_ptr<PlaneNetwork> planes_;
};

}  // namespace ocs
