// When a worker may go on.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// The synchronisation scheme lets a worker go on.
struct GateGrant {
  Node worker;
  std::uint32_t iteration;  ///< that the worker may begin; one beyond the last: it pulls the final model
  Picos asked, at;
};
using GrantWatch = std::function<void(const GateGrant&)>;

}  // namespace ocs
