// Keeps a thread, and those it starts, on the core where it runs.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sched.h>

namespace ocs {

/// Threads that only hand over to one another (no two of them ever have work at once) are fastest on one core: waking
/// a thread there is a switch of context, on another core an interrupt to a processor that may be asleep. Where the
/// system refuses, nothing changes. Results never depend on it.
class OneCore {
 public:
  OneCore();
  /// The calling thread may use the cores it could use before; threads that it started stay where they are.
  ~OneCore();
  OneCore(const OneCore&) = delete;
  OneCore& operator=(const OneCore&) = delete;

 private:
  cpu_set_t before_{};
  bool kept_ = false;
};

}  // namespace ocs
