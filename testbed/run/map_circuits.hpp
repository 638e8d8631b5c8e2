// The network of a point whose collective sets maps by a policy: over one switch, or over several planes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "host/controller/planes/map_planes.hpp"
#include "testbed/collectives/collective_job.hpp"
#include "testbed/engine/fabric.hpp"
#include "testbed/run/run.hpp"

namespace ocs {

class MapCircuits {
 public:
  /// The rest outlives the circuits. @throws Error (input) as MapNetwork
  MapCircuits(const Point& point, const RunOptions& options, Fabric& fabric);

  Network& network();
  /// Gives `maps` what sets the maps of the network, which must outlive it.
  void are_set_by(CollectiveMaps& maps);

 private:
  Picos cycle_;
  std::unique_ptr<MapNetwork> one_;
  std::unique_ptr<MapPlanes> planes_;  ///< if there are several
};

}  // namespace ocs
