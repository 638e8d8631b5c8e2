// What networks of several planes are together: the first to deliver, and a node's ports on all of them.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "host/core/network.hpp"

namespace ocs {

template <class PlaneNetworks>
Picos first_of(const PlaneNetworks& planes) {
  Picos first = never<Picos>;
  for (const auto& plane : planes) first = std::min(first, plane->next());
  return first;
}

template <class PlaneNetworks>
PortUse use_of(const PlaneNetworks& planes, Node node) {
  PortUse all;
  for (const auto& plane : planes) all += plane->use(node);
  return all;
}

}  // namespace ocs
