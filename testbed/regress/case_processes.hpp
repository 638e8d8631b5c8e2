// Processes in which cases run: made by fork, watched, and ended when their time is over.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "testbed/regress/case_note.hpp"
#include "testbed/regress/outcome.hpp"

namespace ocs::regress {

/// This process must have no threads. What a case has started ends together with it, and all end with this process.
class CaseProcesses {
 public:
  struct Limits {
    std::chrono::milliseconds time;
    std::int64_t memory_bytes;  ///< address space of each process
  };
  struct Finished {
    std::size_t number;
    Outcome outcome;
  };

  CaseProcesses() = default;
  ~CaseProcesses();  ///< ends all that run
  CaseProcesses(const CaseProcesses&) = delete;
  CaseProcesses& operator=(const CaseProcesses&) = delete;

  using Work = std::function<Outcome(CaseNote&)>;
  /// @param number comes back with the outcome. @param work notes what it does, which the sentence about a time-out says.
  /// @throws Error (run) if the system allows no more processes.
  void start(std::size_t number, const Work& work, const Limits& limits);
  std::size_t running() const { return running_.size(); }
  std::int64_t memory_bytes() const;  ///< the limits of all that run together
  /// Those that have ended, after so long at most.
  std::vector<Finished> wait(std::chrono::milliseconds patience);

 private:
  using Clock = std::chrono::steady_clock;
  struct Running {
    std::size_t number;
    pid_t id;
    int pipe;
    Clock::time_point began;
    Limits limits;
    std::unique_ptr<CaseNote> note;
    std::string received;
  };
  /// @return whether it has ended.
  static bool read_from(Running& one);
  static Outcome bury(Running& one);
  std::chrono::milliseconds until_next_limit(std::chrono::milliseconds patience) const;

  std::vector<Running> running_;
};

}  // namespace ocs::regress
