// Progress of a run on a terminal: one line that is written over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "testbed/apps/interruption.hpp"
#include "testbed/coordinator/job.hpp"

namespace ocs {

/// Shows simulated time, percentage and who is waited for, at most ten times a second; nothing if `out` is no terminal.
/// Ends the run when the user wants it.
class TerminalProgress : public Progress {
 public:
  /// @param quiet shows nothing.
  TerminalProgress(std::FILE* out, const Interruption& interruption, bool quiet);
  ~TerminalProgress() override;

  void begin(const std::string& what);  ///< a new run: "[2/4] sunflow"
  /// @throws Interrupted
  void tick(Picos now, double fraction, const std::string& waiting_for) override;
  void clear();  ///< takes the line away, before something else is printed

 private:
  std::FILE* out_;
  const Interruption& interruption_;
  bool terminal_, shown_ = false;
  std::string what_;
  std::chrono::steady_clock::time_point next_;
};

}  // namespace ocs
