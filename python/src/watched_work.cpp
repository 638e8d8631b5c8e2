// The caller waits without the GIL, and looks at signals and at the clock now and then.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/watched_work.hpp"

#include <chrono>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>

#include "python/src/errors.hpp"
#include "python/src/function_call.hpp"

namespace ocs::python {
namespace {

constexpr std::chrono::milliseconds look_every{50};

/// What both threads have; it stays with one that is left behind.
struct Work {
  std::function<void()> body;
  Call call;
  std::mutex mutex;
  std::condition_variable end;
  bool ended = false;  ///< with the mutex
  std::exception_ptr thrown;
};

void execute(Work& work) {
  {
    const WatchedThread watched(work.call);
    try {
      work.body();
    } catch (const std::exception&) {
      work.thrown = std::current_exception();
    }
    work.body = nullptr;
  }
  const std::scoped_lock lock(work.mutex);
  work.ended = true;
  work.end.notify_all();
}

bool ended_soon(Work& work) {
  const nb::gil_scoped_release release;
  std::unique_lock lock(work.mutex);
  return work.end.wait_for(lock, look_every, [&work] { return work.ended; });
}

[[noreturn]] void rethrow(const Work& work) {
  try {
    std::rethrow_exception(work.thrown);
  } catch (const Error& error) {
    if (!work.call.raised.valid()) throw;
    set_error(error, work.call.raised.get());
  }
  throw nb::python_error();
}

}  // namespace

void watch_work(std::function<void()> body, ErrorKind kind) {
  const auto work = std::make_shared<Work>();
  work->body = std::move(body);
  const nb::object timeout = nb::module_::import_("lightloop.errors").attr("SchedulerTimeout");
  std::thread thread([work] { execute(*work); });
  std::optional<nb::python_error> interruption;
  while (!ended_soon(*work)) {
    if (!interruption && PyErr_CheckSignals() != 0) interruption.emplace();
    if (!outlasts(work->call, interruption.has_value(), timeout.ptr(), PyExc_KeyboardInterrupt)) continue;
    thread.detach();
    if (interruption) throw nb::python_error(std::move(*interruption));
    throw Error(kind, left_behind_text(work->call));
  }
  {
    const nb::gil_scoped_release release;
    thread.join();
  }
  if (interruption) throw nb::python_error(std::move(*interruption));
  if (work->thrown) rethrow(*work);
}

}  // namespace ocs::python
