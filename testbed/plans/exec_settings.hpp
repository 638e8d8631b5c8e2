// How programs of schedulers are executed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "testbed/coordinator/processes/process_keeper.hpp"

namespace ocs {

struct ExecSettings {
  bool sandbox = false;  ///< by bubblewrap: no network, no other process, nothing to write but empty folders
  ProcessLimits limits = {};
  friend bool operator==(const ExecSettings&, const ExecSettings&) = default;
};

}  // namespace ocs
