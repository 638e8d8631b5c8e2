// Calls of Python's functions from threads of the engine: who holds the lock, for how long, and what can go wrong.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "host/scheduler/check_plan.hpp"

namespace ocs::python {

namespace nb = nanobind;

/// A Python object that threads of the engine may hold and give up.
class SharedObject {
 public:
  SharedObject() = default;
  explicit SharedObject(nb::object object) : object_(std::move(object)) {}  ///< the caller holds the GIL
  ~SharedObject();                                                          ///< takes the GIL
  SharedObject(SharedObject&& other) noexcept : object_(std::move(other.object_)) {}
  SharedObject& operator=(SharedObject&& other) noexcept;
  SharedObject(const SharedObject&) = delete;
  SharedObject& operator=(const SharedObject&) = delete;
  nb::handle get() const { return object_; }
  bool valid() const { return object_.is_valid(); }

 private:
  nb::object object_;
};

/// What a function of Python says of itself, besides what it answers.
struct FunctionTraits {
  bool while_sending = false;      ///< of a selection: SelectionEntry::while_sending
  bool whole_rounds = false;       ///< of a scheme: SyncEntry::whole_rounds
  bool mean_of_members = false;    ///< of a scheme: SyncEntry::mean_of_members
  std::vector<std::string> reads;  ///< of a scheme: keys below [sync]
  std::string compute;             ///< of a scheme: "own_pull", "last_pull" or "local_steps"
  std::string collective;          ///< of a list: the kind, such as "all_reduce"
};

/// A policy: "scheduler", "placer", "selection", "scheme" or "collective".
class PolicyFunction {
 public:
  /// @param name "python:mine" @param hash of its text, 16 hexadecimal digits
  PolicyFunction(std::string kind, nb::object function, std::string name, std::string hash, FunctionTraits traits)
      : function_(std::move(function)),
        kind_(std::move(kind)),
        name_(std::move(name)),
        hash_(std::move(hash)),
        traits_(std::move(traits)) {}
  nb::handle function() const { return function_.get(); }
  const std::string& kind() const { return kind_; }
  const std::string& name() const { return name_; }
  const std::string& hash() const { return hash_; }
  const FunctionTraits& traits() const { return traits_; }

 private:
  SharedObject function_;
  std::string kind_, name_, hash_;
  FunctionTraits traits_;
};

/// The call of a function that a thread is in, if it is in one; read and written by who holds the GIL.
struct Call {
  bool under_way = false, timed_out = false, interrupted = false;
  bool attached = false;     ///< Python keeps its state of this thread: to make one anew costs 30 us
  unsigned long thread = 0;  ///< Python's number of it
  std::chrono::steady_clock::time_point since, asked_to_end;
  std::chrono::milliseconds patience{};  ///< wall time of one call: planning_timeout of the row that runs
  std::string name;
  SharedObject raised;  ///< what the last function of the row raised
};

/// Whose calls are watched: a thread that runs rows says so while it does.
class WatchedThread {
 public:
  explicit WatchedThread(Call& call);
  ~WatchedThread();
  WatchedThread(const WatchedThread&) = delete;
  WatchedThread& operator=(const WatchedThread&) = delete;

 private:
  Call& call_;
};

/// When the interpreter ends, Python unwinds the stack of a thread that was left in it, as pthread_exit() does. What
/// stands on the stack needs the interpreter, so such a thread stays where it is until the process has ended. Declared
/// after what needs the interpreter.
class StayAtEnd {
 public:
  StayAtEnd() = default;
  ~StayAtEnd();
  StayAtEnd(const StayAtEnd&) = delete;
  StayAtEnd& operator=(const StayAtEnd&) = delete;
};

/// The caller holds the GIL.
template <class... Args>
nb::object called(nb::handle function, Args&&... args) {
  const StayAtEnd stay;
  return function(std::forward<Args>(args)...);
}

/// Executes `body`, which calls the function and reads its answer, with the GIL; in a watched thread it has
/// planning_timeout for that.
/// @param where for messages, begins with the function's name.
/// @throws Error (run) for what the function raised or answered; BrokenRule (run) that names the rule; Interrupted
void ask_function(const PolicyFunction& function, const std::string& where, const std::function<void()>& body);

/// The same as of a function: "python:mine, plan 3, breaks the rule "early": ...", of kind run.
BrokenRule named(const std::string& where, const BrokenRule& broken);

/// Wall time that each later call of a function in this thread has, if calls in it are watched.
void set_patience(std::chrono::milliseconds patience);

/// Raises `timeout` in a call that has had its patience, and `interrupted` in any call if it is to `end`. Returns whether
/// a call goes on though this was done a second ago. The caller holds the GIL.
bool outlasts(Call& call, bool end, PyObject* timeout, PyObject* interrupted);

/// "python:mine hasn't answered within 10 s, its planning_timeout, and can't be ended: its thread goes on"
std::string left_behind_text(const Call& call);

}  // namespace ocs::python
