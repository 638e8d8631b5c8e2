// A scheduler that is a function of Python, called in this process for every plan.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nanobind/nanobind.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <string>

#include "host/core/policy.hpp"

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

class PlanFunction {
 public:
  /// @param name "python:mine" @param hash of its text, 16 hexadecimal digits
  PlanFunction(nb::object function, std::string name, std::string hash)
      : function_(std::move(function)), name_(std::move(name)), hash_(std::move(hash)) {}
  nb::handle function() const { return function_.get(); }
  const std::string& name() const { return name_; }
  const std::string& hash() const { return hash_; }

 private:
  SharedObject function_;
  std::string name_, hash_;
};

/// The call of a function that a thread is in, if it is in one; read and written by who holds the GIL.
struct Call {
  bool under_way = false, timed_out = false, interrupted = false;
  bool attached = false;     ///< Python keeps its state of this thread: to make one anew costs 30 us
  unsigned long thread = 0;  ///< Python's number of it
  std::chrono::steady_clock::time_point since, asked_to_end;
  std::chrono::milliseconds patience{};
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

/// @param latest no plan may end later. @param patience wall time for one plan.
std::unique_ptr<Scheduler> make_function_scheduler(std::shared_ptr<const PlanFunction> function, Ticks latest,
                                                   std::chrono::milliseconds patience);

/// "hasn't answered within 10 s, its planning_timeout"
std::string late_text(const Call& call);

}  // namespace ocs::python
