// What Python raises becomes an error of the engine.
// SPDX-License-Identifier: Apache-2.0
#include "python/src/function_call.hpp"

#include <unistd.h>

#include <csignal>

#include "host/core/error.hpp"
#include "host/core/wait_text.hpp"
#include "testbed/apps/run/interruption.hpp"

namespace ocs::python {
namespace {

constexpr std::chrono::milliseconds patience_with_calls{1000};  ///< from the exception that ends a call to its end

thread_local Call* watched = nullptr;  // no seam has a place for it

/// While it lives, the thread that waits for the row knows that the function is called.
class CallWatch {
 public:
  explicit CallWatch(const PolicyFunction& function) : call_(watched) {
    if (call_ == nullptr) return;
    if (!call_->attached) PyGILState_Ensure();
    call_->attached = true;
    call_->thread = PyThread_get_thread_ident();
    call_->since = std::chrono::steady_clock::now();
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

std::string text_of(nb::handle object) {
  try {
    return nb::cast<std::string>(nb::str(object));
  } catch (nb::python_error&) {
    return "(its text can't be made)";
  }
}

std::string late_text(const Call& call) {
  return call.name + " hasn't answered within " + wait_text(call.patience) + ", its planning_timeout";
}

std::string failed(const PolicyFunction& function, nb::python_error& raised, Call* call) {
  if (call != nullptr && call->timed_out) return late_text(*call);
  const nb::object value = nb::borrow(raised.value());
  std::string sentence = function.name() + " raised " + text_of(value.type().attr("__name__"));
  if (const std::string text = text_of(value); !text.empty()) sentence += ": " + text;
  if (call != nullptr) call->raised = SharedObject(value);
  return sentence;
}

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

StayAtEnd::~StayAtEnd() {
  while (Py_IsInitialized() == 0) pause();
}

void ask_function(const PolicyFunction& function, const std::string& where, const std::function<void()>& body) {
  const nb::gil_scoped_acquire gil;
  const CallWatch watch(function);
  try {
    body();
  } catch (nb::python_error& raised) {
    if (watch.call() != nullptr && watch.call()->interrupted) throw Interrupted(SIGINT, "interrupted");
    throw Error(ErrorKind::run, failed(function, raised, watch.call()));
  } catch (const BrokenRule& broken) {
    throw named(where, broken);
  } catch (const Error& wrong) {
    throw Error(ErrorKind::run, wrong.what());
  }
}

BrokenRule named(const std::string& where, const BrokenRule& broken) {
  return {ErrorKind::run, broken.rule(),
          where + ", breaks the rule \"" + std::string(name_of(broken.rule())) + "\": " + broken.what()};
}

void set_patience(std::chrono::milliseconds patience) {
  if (watched != nullptr) watched->patience = patience;
}

bool outlasts(Call& call, bool end, PyObject* timeout, PyObject* interrupted) {
  if (!call.under_way) return false;
  const auto now = std::chrono::steady_clock::now();
  if (call.timed_out || call.interrupted) return now >= call.asked_to_end + patience_with_calls;
  call.interrupted = end;
  call.timed_out = !end && now > call.since + call.patience;
  if (!call.timed_out && !call.interrupted) return false;
  call.asked_to_end = now;
  PyThreadState_SetAsyncExc(call.thread, call.timed_out ? timeout : interrupted);
  return false;
}

std::string left_behind_text(const Call& call) { return late_text(call) + ", and can't be ended: its thread goes on"; }

}  // namespace ocs::python
