// Each thread takes the next row; a row that fails ends those after it.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/row_threads.hpp"

#include <algorithm>
#include <new>
#include <utility>

#include "host/core/out_of_memory.hpp"
#include "host/device/catalogue.hpp"
#include "testbed/apps/run/interruption.hpp"
#include "testbed/engine/progress.hpp"
#include "testbed/run/run.hpp"
#include "testbed/session/names.hpp"
#include "testbed/session/node_runners.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs::python {
namespace {

/// A process holds one of some devices at a time; rows of several runs wait for each other.
std::mutex& one_in_the_process() {
  static std::mutex mutex;
  return mutex;
}

[[noreturn]] void end_row() { throw Interrupted(SIGINT, "interrupted"); }

/// What only one row can have at a time, as `lightloop run -j` refuses it. @throws Error (input)
void check_parallel(const Experiment& experiment) {
  for (const Point& point : experiment.points) {
    if (const std::string& device = point.fabric.device; device.find(':') != std::string::npos)
      throw Error(ErrorKind::input, "fabric.device is " + in_quotes(device) + ", which is one device: it needs jobs=1");
    if (!point.nodes.listen.empty() && point.nodes.transport != "inproc")
      throw Error(ErrorKind::input, "nodes.listen is " + in_quotes(point.nodes.listen) +
                                        ", where one row at a time can listen: it needs jobs=1");
  }
}

}  // namespace

struct RowThreads::Worker {
  std::optional<std::size_t> row;  ///< that it runs; with the mutex
  std::atomic<bool> end{false}, abandoned{false};
  Call call;
  mutable std::mutex progress_mutex;
  RowProgress progress;
};

struct RowThreads::Shared {
  std::shared_ptr<const LoadedExperiment> experiment;
  std::vector<std::size_t> rows;
  bool events = false, keep_going = false;
  mutable std::mutex mutex;
  std::condition_variable ended_one;
  std::size_t next = 0, handed_out = 0;
  std::size_t end = 0;  ///< rows behind it don't count: one before it has failed, or all were interrupted
  std::map<std::size_t, RowEnd> ended;  ///< by place in `rows`
  std::vector<std::shared_ptr<Worker>> workers;
  std::vector<Row> earlier;

  void end_with(std::size_t place, RowEnd outcome, bool last) {
    if (last) {
      end = std::min(end, place + 1);
      for (const auto& worker : workers)
        if (worker->row && *worker->row > place) worker->end = true;
    }
    ended.insert_or_assign(place, std::move(outcome));
    ended_one.notify_all();
  }
};

namespace {

class ThreadProgress final : public Progress {
 public:
  ThreadProgress(const std::atomic<bool>& end, std::mutex& mutex, RowProgress& progress)
      : end_(end), mutex_(mutex), progress_(progress) {}
  void tick(const Report& report) override {
    if (end_) end_row();
    const auto now = std::chrono::steady_clock::now();
    if (now < next_) return;
    next_ = now + std::chrono::milliseconds(50);
    const std::scoped_lock lock(mutex_);
    progress_.fraction = report.fraction;
    progress_.now = report.now;
    progress_.waiting_for = report.waiting_for;
  }

 private:
  const std::atomic<bool>& end_;
  std::mutex& mutex_;
  RowProgress& progress_;
  std::chrono::steady_clock::time_point next_;
};

RowEnd::Failure failure_of(const Experiment& experiment, std::size_t row, const Error& error) {
  RowEnd::Failure failure;
  failure.kind = error.kind();
  failure.sentence = name_in_errors(experiment, row) + error.what();
  if (const auto* broken = dynamic_cast<const BrokenRule*>(&error)) failure.rule = broken->rule();
  return failure;
}

/// One row from its start to its end, with whatever comes of it.
RowEnd run_row(const LoadedExperiment& loaded, std::size_t row, RunOptions options, bool events) {
  RowEnd end;
  end.row = row;
  const Point& point = loaded.experiment.points[row];
  if (events) options.on_event = [&end](const Event& event) { end.log.push_back(event); };
  const auto fail = [&](const Error& error) { end.failure = failure_of(loaded.experiment, row, error); };
  try {
    std::unique_lock<std::mutex> alone;
    if (!point.packets && device_traits(point.fabric.device).one_in_a_process)
      alone = std::unique_lock(one_in_the_process());
    end.result = run_point(point, options);
  } catch (const Interrupted&) {
    end.interrupted = true;
  } catch (const Error& error) {
    fail(error);
  } catch (const std::bad_alloc&) {
    fail(Error(ErrorKind::run, out_of_memory));
  } catch (const std::exception& error) {
    fail(Error(ErrorKind::internal, std::string("internal error: ") + error.what()));
  }
  return end;
}

}  // namespace

RowThreads::RowThreads(std::shared_ptr<const LoadedExperiment> experiment, std::vector<std::size_t> rows,
                       std::size_t jobs, bool events, bool keep_going)
    : shared_(std::make_shared<Shared>()) {
  if (jobs > 1) check_parallel(experiment->experiment);
  shared_->experiment = std::move(experiment);
  shared_->rows = std::move(rows);
  shared_->end = shared_->rows.size();
  shared_->events = events;
  shared_->keep_going = keep_going;
  const std::size_t count = std::min(std::max(jobs, std::size_t{1}), shared_->rows.size());
  for (std::size_t k = 0; k < count; ++k) shared_->workers.push_back(std::make_shared<Worker>());
  for (const auto& worker : shared_->workers)
    threads_.emplace_back([shared = shared_, worker] { work(shared, worker); });
}

RowThreads::~RowThreads() {
  interrupt();
  for (std::size_t k = 0; k < threads_.size(); ++k) {
    if (!threads_[k].joinable()) continue;
    if (shared_->workers[k]->call.under_way)
      threads_[k].detach();
    else
      threads_[k].join();
  }
}

void RowThreads::work(const std::shared_ptr<Shared>& shared, const std::shared_ptr<Worker>& worker) {
  const LoadedExperiment& loaded = *shared->experiment;
  const WatchedThread watched(worker->call);
  ThreadProgress progress(worker->end, worker->progress_mutex, worker->progress);
  NodeRunners runners(progress, program());
  const RunOptions options{.version = loaded.environment.version,
                           .progress = &progress,
                           .pause =
                               [&worker] {
                                 if (worker->end) end_row();
                               },
                           .on_event = {},
                           .runner = runners.by_point()};
  std::unique_lock lock(shared->mutex);
  while (shared->next < shared->end) {
    const std::size_t place = shared->next++;
    worker->row = place;
    {
      const std::scoped_lock reset(worker->progress_mutex);
      worker->progress = {};
      worker->progress.row = shared->rows[place];
    }
    lock.unlock();
    set_patience(patience_of(loaded.experiment.points[shared->rows[place]]));
    RowEnd end = run_row(loaded, shared->rows[place], options, shared->events);
    if (end.failure) end.failure->raised = std::move(worker->call.raised);
    lock.lock();
    if (worker->abandoned) return;
    worker->row.reset();
    const bool last = end.failure && !shared->keep_going;
    shared->end_with(place, std::move(end), last);
  }
}

std::vector<RowEnd> RowThreads::wait(std::chrono::milliseconds patience) {
  std::unique_lock lock(shared_->mutex);
  Shared& shared = *shared_;
  const auto there = [&shared] { return shared.ended.contains(shared.handed_out); };
  if (shared.handed_out < shared.end && !there()) shared.ended_one.wait_for(lock, patience, there);
  std::vector<RowEnd> list;
  for (; shared.handed_out < shared.end && there(); ++shared.handed_out) {
    RowEnd end = std::move(shared.ended.extract(shared.handed_out).mapped());
    if (!end.failure && !end.interrupted) {
      compare_with_psscheduler(end.result, shared.earlier);
      shared.earlier.push_back(end.result);
    }
    list.push_back(std::move(end));
  }
  return list;
}

bool RowThreads::done() const {
  const std::scoped_lock lock(shared_->mutex);
  return shared_->handed_out >= shared_->end;
}

std::optional<RowProgress> RowThreads::first() const {
  const std::scoped_lock lock(shared_->mutex);
  const Worker* lowest = nullptr;
  for (const auto& worker : shared_->workers)
    if (worker->row && (lowest == nullptr || *worker->row < *lowest->row)) lowest = worker.get();
  if (lowest == nullptr) return std::nullopt;
  const std::scoped_lock reading(lowest->progress_mutex);
  return lowest->progress;
}

std::size_t RowThreads::running() const {
  const std::scoped_lock lock(shared_->mutex);
  return static_cast<std::size_t>(
      std::ranges::count_if(shared_->workers, [](const auto& worker) { return worker->row.has_value(); }));
}

void RowThreads::interrupt() {
  const std::scoped_lock lock(shared_->mutex);
  shared_->next = shared_->rows.size();
  for (const auto& worker : shared_->workers) worker->end = true;
}

std::vector<RowEnd> RowThreads::rest() {
  const std::scoped_lock lock(shared_->mutex);
  std::vector<RowEnd> list;
  for (auto& [place, end] : shared_->ended)
    if (!end.failure && !end.interrupted) {
      compare_with_psscheduler(end.result, shared_->earlier);
      shared_->earlier.push_back(end.result);
      list.push_back(std::move(end));
    }
  shared_->ended.clear();
  return list;
}

void RowThreads::watch_calls(PyObject* timeout, PyObject* interrupted) {
  for (std::size_t k = 0; k < shared_->workers.size(); ++k) {
    Worker& worker = *shared_->workers[k];
    if (worker.abandoned || !outlasts(worker.call, worker.end, timeout, interrupted)) continue;
    abandon(worker);
    threads_[k].detach();
  }
}

/// It waits in a call that nothing ends: the row has failed without it, and what it uses stays for it.
void RowThreads::abandon(Worker& worker) {
  const std::scoped_lock lock(shared_->mutex);
  worker.abandoned = worker.end = true;
  if (!worker.row) return;
  const std::size_t place = *worker.row, row = shared_->rows[place];
  RowEnd end;
  end.row = row;
  end.failure = failure_of(shared_->experiment->experiment, row, Error(ErrorKind::run, left_behind_text(worker.call)));
  worker.row.reset();
  shared_->next = shared_->rows.size();
  shared_->end_with(place, std::move(end), true);
}

}  // namespace ocs::python
