// Affinity by the scheduler's own calls.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/coordinator/processes/one_core.hpp"

namespace ocs {

OneCore::OneCore() {
  const int here = sched_getcpu();
  if (here < 0 || here >= CPU_SETSIZE || sched_getaffinity(0, sizeof before_, &before_) != 0) return;
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(static_cast<unsigned>(here), &only);
  kept_ = sched_setaffinity(0, sizeof only, &only) == 0;
}

OneCore::~OneCore() {
  if (kept_) sched_setaffinity(0, sizeof before_, &before_);
}

}  // namespace ocs
