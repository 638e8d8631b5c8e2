// Rows of an experiment that run in threads of this process, while Python waits, or doesn't.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "host/core/error.hpp"
#include "host/core/switch.hpp"
#include "host/scheduler/check_plan.hpp"
#include "python/src/experiment.hpp"
#include "testbed/results/rows/row.hpp"

namespace ocs::python {

struct RowEnd {
  std::size_t row = 0;
  Row result;
  std::vector<Event> log;
  struct Failure {
    ErrorKind kind = ErrorKind::run;
    std::string sentence;
    std::optional<PlanRule> rule;
    SharedObject raised;  ///< by a function of Python
  };
  std::optional<Failure> failure;
  bool interrupted = false;
};

/// How far a row is.
struct RowProgress {
  std::size_t row = 0;
  double fraction = 0;
  Picos now;
  std::string waiting_for;
};

/// Threads, not processes as those of `lightloop run -j`: a function of Python can plan, and a notebook has threads
/// of its own, which no fork carries over.
class RowThreads {
 public:
  /// @param rows to run, ascending. @param events whether their event logs are kept.
  /// @throws Error (input): there is a device that only one row can have at a time, and there are several jobs.
  RowThreads(std::shared_ptr<const LoadedExperiment> experiment, std::vector<std::size_t> rows, std::size_t jobs,
             bool events, bool keep_going);
  ~RowThreads();  ///< interrupts what runs, and leaves threads alone that are in a function; without the GIL
  RowThreads(const RowThreads&) = delete;
  RowThreads& operator=(const RowThreads&) = delete;

  /// Rows that have ended, in their order and each once all before it have; after so long at most. The first one that
  /// fails is the last, unless rows keep going. The caller doesn't hold the GIL.
  std::vector<RowEnd> wait(std::chrono::milliseconds patience);
  /// Whether nothing more will come.
  bool done() const;
  /// The lowest row that runs.
  std::optional<RowProgress> first() const;
  /// Ends all rows that run, and starts no more.
  void interrupt();
  /// After interrupt(): the rows that had ended without a failure, though others before them hadn't.
  std::vector<RowEnd> rest();
  /// Ends the calls of functions that take too long, or of all after interrupt(). The caller holds the GIL.
  void watch_calls(PyObject* timeout, PyObject* interrupted);
  /// How many rows run.
  std::size_t running() const;

 private:
  struct Shared;
  struct Worker;
  static void work(const std::shared_ptr<Shared>& shared, const std::shared_ptr<Worker>& worker);
  void abandon(Worker& worker);
  std::shared_ptr<Shared> shared_;
  std::vector<std::thread> threads_;
};

}  // namespace ocs::python
