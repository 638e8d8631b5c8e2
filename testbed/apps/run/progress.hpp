// Progress of a run: on a terminal one line that is written over, and everywhere a heartbeat every few seconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

#include "testbed/apps/run/interruption.hpp"
#include "testbed/coordinator/job.hpp"

namespace ocs {

/// On a terminal: simulated time, percentage, the estimated time left of all runs and who is waited for, at most ten
/// times a second. Every `heartbeat` of wall time a line that stays, whatever `out` is: simulated time, rate, time
/// left, the slowest node since the last one. Ends the run when the user wants it.
class TerminalProgress : public Progress {
 public:
  /// @param quiet shows nothing.
  TerminalProgress(std::FILE* out, const Interruption& interruption, bool quiet,
                   std::chrono::milliseconds heartbeat = std::chrono::seconds{5});
  ~TerminalProgress() override;

  void expect(std::size_t runs) { expected_ = runs; }  ///< so many; from then on the time left is estimated
  void begin(const std::string& what);                 ///< a new run: "[2/4] sunflow"
  void ended(std::size_t runs) { begun_ = runs + 1; }  ///< where several go on at the same time
  /// @throws Interrupted
  void tick(const Report& report) override;
  /// The coordinator calls this while it is on a long way through the switch. @throws Interrupted
  void pause();
  void clear();  ///< takes the line away, before something else is printed

 private:
  using Clock = std::chrono::steady_clock;
  std::string time_left(Clock::time_point wall) const;
  void show();
  void beat_if_due(Clock::time_point wall);

  std::FILE* out_;
  const Interruption& interruption_;
  bool quiet_, terminal_, shown_ = false;
  std::chrono::milliseconds heartbeat_;
  std::string what_, waiting_for_;
  Picos now_, beat_at_;  ///< simulated: now, and when the last heartbeat was
  double fraction_ = 0;
  std::size_t expected_ = 0, begun_ = 0;
  Answered slowest_;  ///< since then
  Clock::time_point next_show_, last_beat_, first_begin_;
};

}  // namespace ocs
