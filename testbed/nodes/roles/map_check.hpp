// What every node checks of a map of keys before it goes by it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "host/core/error.hpp"
#include "host/transport/fields.hpp"

namespace ocs {

/// @param keys of the job; 0: it has no map. @throws Error (run) for a map of another number of keys
inline void check_map(const MapFields& map, std::size_t keys) {
  if (map.owner.size() == keys) return;
  throw Error(ErrorKind::run, "version " + std::to_string(map.version) + " of the map of keys has " +
                                  std::to_string(map.owner.size()) + " keys; the job has " + std::to_string(keys));
}

}  // namespace ocs
