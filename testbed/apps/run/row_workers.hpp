// Processes that run rows at the same time (run -j). Each is a copy of this one, made by fork: it has the resolved
// experiment, runs one row after another as this process would, and sends back what came of each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "testbed/apps/run/interruption.hpp"
#include "testbed/apps/run/row_run.hpp"

namespace ocs {

/// Processes, not threads: a process can hold one SystemC simulation, a row's peak of memory is that of its process,
/// and a row that crashes takes no other one with it. This process must have no threads while a worker is started,
/// which start() does when one is needed first.
class RowWorkers {
 public:
  using Work = std::function<RowOutcome(std::size_t row, Progress& progress, const std::function<void()>& pause,
                                        NodeRunners& runners)>;

  struct Finished {
    std::size_t row;
    RowOutcome outcome;
  };
  /// A row that runs, and what was last heard of it.
  struct Running {
    std::size_t row;
    Picos now;
    double fraction = 0;
    std::string waiting_for;
  };

  /// @param count at least 1. Each worker keeps to its share of the cores that this process may use.
  RowWorkers(std::size_t count, Work work, const Interruption& interruption);
  ~RowWorkers();  ///< ends all rows that run, and what they have started
  RowWorkers(const RowWorkers&) = delete;
  RowWorkers& operator=(const RowWorkers&) = delete;

  bool has_free() const;
  std::size_t running() const;
  /// The lowest row that runs; nothing: none does.
  std::optional<Running> first() const;
  /// Gives the row to a free worker. @throws Error (run) if the system allows no more processes.
  void start(std::size_t row);
  /// Rows that have ended, after so long at most. Of a worker that has died, the outcome is a failure.
  std::vector<Finished> wait(std::chrono::milliseconds patience);

 private:
  struct Worker {
    pid_t id = -1;
    int socket = -1;
    std::optional<Running> running;
    std::string received;
  };
  void fork_worker(std::size_t number);
  [[noreturn]] void be_worker(std::size_t number, int socket);
  RowOutcome outcome_of_row(std::size_t row, Progress& progress, NodeRunners& runners);
  void receive(Worker& worker, std::vector<Finished>& finished);
  void bury(Worker& worker, std::vector<Finished>& finished);

  Work work_;
  const Interruption& interruption_;
  std::vector<Worker> workers_;
  bool killed_ = false;  ///< a signal ended a worker, which then left its folder behind
};

}  // namespace ocs
