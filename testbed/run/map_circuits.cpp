// A map network a plane, and what joins them.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/run/map_circuits.hpp"

#include <utility>
#include <vector>

#include "testbed/experiment/prepare.hpp"
#include "testbed/run/circuits.hpp"

namespace ocs {

MapCircuits::MapCircuits(const Point& point, const RunOptions& options, Fabric& fabric) : cycle_(point.fabric.cycle) {
  std::vector<std::unique_ptr<MapNetwork>> planes;
  planes.reserve(fabric.planes());
  for (std::size_t p = 0; p < fabric.planes(); ++p)
    planes.push_back(std::make_unique<MapNetwork>(
        fabric.plane(p), control_times(point),
        MapHooks{fabric.log(p), carried_hook(options, Plane{static_cast<std::uint8_t>(p)})},
        MapRules{point.fabric.all_stop, point.nodes.word_cycles}));
  if (planes.size() == 1)
    one_ = std::move(planes.front());
  else
    planes_ = std::make_unique<MapPlanes>(std::move(planes), point.fabric.word.n, [&fabric] { fabric.settled(); });
}

Network& MapCircuits::network() { return one_ ? static_cast<Network&>(*one_) : *planes_; }

void MapCircuits::are_set_by(CollectiveMaps& maps) {
  if (one_) {
    maps.set = [one = one_.get()](const PlaneMap& given) { one->set(given.map); };
    return;
  }
  maps.set = [all = planes_.get()](const PlaneMap& given) { all->set(given.plane, given.map); };
  maps.split = [all = planes_.get(), cycle = cycle_](const std::vector<PlanePart>& given) {
    std::vector<MapPart> parts;
    parts.reserve(given.size());
    for (const PlanePart& part : given) parts.push_back({part.plane, cycle * part.wait, part.most});
    all->split(std::move(parts));
  };
}

}  // namespace ocs
