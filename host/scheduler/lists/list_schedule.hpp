// List scheduling: whenever ports become free, waiting flows are tried in a fixed order.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "host/scheduler/demand.hpp"

namespace ocs {

/// What is freed before the list is scanned again, when several circuits end at one instant.
enum class Freeing : std::uint8_t {
  one,  ///< one circuit (the one started first), then a scan, then the next
  all,  ///< all of them, then one scan
};

/// Scans the list `order` (numbers of Demand::pairs, each once) at the origin and after each freeing; a scan starts
/// every flow whose two ports are free. At most O(flows * ports).
Plan list_schedule(const Demand& demand, const std::vector<std::uint32_t>& order, Freeing freeing);

}  // namespace ocs
