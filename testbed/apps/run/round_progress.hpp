// Progress of work that goes in rounds: on a terminal a line that is written over, else a line every few seconds.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdio>
#include <string>

namespace ocs {

class RoundProgress {
 public:
  /// @param quiet shows nothing.
  RoundProgress(std::FILE* out, std::string what, bool quiet);
  ~RoundProgress();
  RoundProgress(const RoundProgress&) = delete;
  RoundProgress& operator=(const RoundProgress&) = delete;

  void tick(int round, int rounds);

 private:
  using Clock = std::chrono::steady_clock;
  std::FILE* out_;
  std::string what_;
  bool quiet_, terminal_, shown_ = false;
  Clock::time_point next_;
};

}  // namespace ocs
