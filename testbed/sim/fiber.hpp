// A stack of its own for each simulated process, all in one thread.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <memory>

namespace ocs::sim {

/// Runs a function until it pauses or ends. Production code that waits in the middle of a call needs a stack to wait
/// on.
class Fiber {
 public:
  explicit Fiber(std::function<void()> body);  ///< begins with the first resume(); `body` throws nothing
  ~Fiber();                                    ///< @pre over(), or it never began
  Fiber(const Fiber&) = delete;
  Fiber& operator=(const Fiber&) = delete;

  void resume();  ///< from outside any fiber
  void pause();   ///< from inside: resume() returns
  bool over() const;

  struct State;

 private:
  std::unique_ptr<State> state_;
};

}  // namespace ocs::sim
