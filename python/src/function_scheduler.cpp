// Out of the engine into Python and back, with everything checked that comes back.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_scheduler.hpp"

#include <unistd.h>

#include <utility>

#include "host/core/wait_text.hpp"
#include "host/scheduler/check_plan.hpp"
#include "python/src/plans.hpp"
#include "python/src/problem.hpp"
#include "testbed/apps/interruption.hpp"
#include "testbed/plans/outside_plan.hpp"

namespace ocs::python {
namespace {

thread_local Call* watched = nullptr;  // Scheduler::plan() has no place for it

/// While it lives, the thread that waits for the row knows that the function is called.
class CallWatch {
 public:
  CallWatch(const PlanFunction& function, std::chrono::milliseconds patience) : call_(watched) {
    if (call_ == nullptr) return;
    if (!call_->attached) PyGILState_Ensure();
    call_->attached = true;
    call_->thread = PyThread_get_thread_ident();
    call_->since = std::chrono::steady_clock::now();
    call_->patience = patience;
    call_->name = function.name();
    call_->timed_out = call_->interrupted = false;
    call_->under_way = true;
  }
  ~CallWatch() {
    if (call_ == nullptr) return;
    call_->under_way = false;
    if (call_->timed_out || call_->interrupted)
      PyThreadState_SetAsyncExc(call_->thread, nullptr);  // not in the next call
  }
  CallWatch(const CallWatch&) = delete;
  CallWatch& operator=(const CallWatch&) = delete;
  Call* call() const { return call_; }

 private:
  Call* call_;
};

/// When the interpreter ends, Python unwinds the stack of a thread that was left in it, as pthread_exit() does. What
/// stands on the stack needs the interpreter, so such a thread stays where it is until the process has ended.
class StayAtEnd {
 public:
  StayAtEnd() = default;
  ~StayAtEnd() {
    while (Py_IsInitialized() == 0) pause();
  }
  StayAtEnd(const StayAtEnd&) = delete;
  StayAtEnd& operator=(const StayAtEnd&) = delete;
};

std::string text_of(nb::handle object) {
  try {
    return nb::cast<std::string>(nb::str(object));
  } catch (nb::python_error&) {
    return "(its text can't be made)";
  }
}

class FunctionScheduler final : public Scheduler {
 public:
  FunctionScheduler(std::shared_ptr<const PlanFunction> function, Ticks latest, std::chrono::milliseconds patience)
      : function_(std::move(function)), latest_(latest), patience_(patience) {}

  Plan plan(const Problem& problem) const override {
    std::vector<Reservation> list = ask(problem);
    const std::string where = function_->name() + ", plan " + std::to_string(asked_);
    try {
      return checked_plan(problem, std::move(list), latest_);
    } catch (const BrokenRule& broken) {
      throw BrokenRule(ErrorKind::run, broken.rule(),
                       where + ", breaks the rule \"" + std::string(name_of(broken.rule())) + "\": " + broken.what());
    }
  }

 private:
  /// Python may keep what it is given: that is a copy, which lives as long as anybody has it.
  std::vector<Reservation> ask(const Problem& problem) const {
    auto kept = std::make_shared<const Problem>(problem);
    const nb::gil_scoped_acquire gil;
    const CallWatch watch(*function_, patience_);
    const std::string where = function_->name() + ", plan " + std::to_string(++asked_);
    try {
      const nb::object answer = call(ProblemView(kept));
      const StayAtEnd stay;
      return reservations_from(answer, *kept, where);
    } catch (nb::python_error& raised) {
      if (watch.call() != nullptr && watch.call()->interrupted) throw Interrupted(SIGINT, "interrupted");
      throw Error(ErrorKind::run, failed(raised, watch.call()));
    } catch (const BrokenRule& broken) {
      throw BrokenRule(ErrorKind::run, broken.rule(),
                       where + ", breaks the rule \"" + std::string(name_of(broken.rule())) + "\": " + broken.what());
    } catch (const Error& wrong) {
      throw Error(ErrorKind::run, wrong.what());
    }
  }

  nb::object call(ProblemView problem) const {
    const StayAtEnd stay;
    return function_->function()(std::move(problem));
  }

  std::string failed(nb::python_error& raised, Call* call) const {
    if (call != nullptr && call->timed_out) return function_->name() + " " + late_text(*call);
    const nb::object value = nb::borrow(raised.value());
    std::string sentence = function_->name() + " raised " + text_of(value.type().attr("__name__"));
    if (const std::string text = text_of(value); !text.empty()) sentence += ": " + text;
    if (call != nullptr) call->raised = SharedObject(value);
    return sentence;
  }

  std::shared_ptr<const PlanFunction> function_;
  Ticks latest_;
  std::chrono::milliseconds patience_;
  mutable std::int64_t asked_ = 0;  ///< for messages
};

}  // namespace

SharedObject::~SharedObject() {
  if (!object_.is_valid()) return;
  if (Py_IsInitialized() == 0) {  // the interpreter has ended, and with it the object
    object_.release();
    return;
  }
  const nb::gil_scoped_acquire gil;
  object_.reset();
}

SharedObject& SharedObject::operator=(SharedObject&& other) noexcept {
  if (this == &other) return *this;
  SharedObject old(std::move(object_));
  object_ = std::move(other.object_);
  return *this;
}

WatchedThread::WatchedThread(Call& call) : call_(call) { watched = &call; }

WatchedThread::~WatchedThread() {
  watched = nullptr;
  if (!call_.attached || Py_IsInitialized() == 0) return;
  const nb::gil_scoped_acquire gil;
  PyGILState_Release(PyGILState_LOCKED);
}

std::string late_text(const Call& call) {
  return "hasn't answered within " + wait_text(call.patience) + ", its planning_timeout";
}

std::unique_ptr<Scheduler> make_function_scheduler(std::shared_ptr<const PlanFunction> function, Ticks latest,
                                                   std::chrono::milliseconds patience) {
  return std::make_unique<FunctionScheduler>(std::move(function), latest, patience);
}

}  // namespace ocs::python
