// Virtual wall time and the processes in it: one thread, one order of everything, drawn from one seed.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "host/core/fnv.hpp"
#include "testbed/sim/draw.hpp"
#include "testbed/sim/fiber.hpp"

namespace ocs::sim {

using Clock = std::chrono::steady_clock;
using Nanos = std::chrono::nanoseconds;

inline constexpr Nanos never_again = Nanos::max();

inline Nanos ms(std::uint64_t n) { return std::chrono::milliseconds(static_cast<std::int64_t>(n)); }

/// Thrown where a process that has been killed would wait: it does nothing more. No std::exception, so that nobody
/// takes it for an error.
struct Killed {};

/// A simulated process. Its code runs in a fiber of its own.
struct Process {
  std::uint32_t id = 0;
  std::string name;
  Process* parent = nullptr;
  std::unique_ptr<Fiber> fiber;
  bool killed = false;               ///< it has no effect any more
  bool over = false;                 ///< its code has ended
  std::optional<std::string> ended;  ///< as waitpid() says it; set when it was killed or is over
  Nanos stopped_until{0};            ///< by a signal, or because the machine has no time for it
  Nanos slow_by{0};                  ///< so much later it goes on after each wait
  bool waits = false;
  std::uint64_t waited = 0;  ///< how often: tells an old deadline from the present one
};

class World {
 public:
  explicit World(std::uint64_t seed) : draw_(seed) {}
  ~World() { end(); }
  /// Kills everybody and frees what they hold; before what they use goes.
  void end();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  Nanos now() const { return now_; }
  Clock::time_point clock() const { return Clock::time_point(now_); }
  /// The process whose code runs; nullptr: none.
  Process* self() const { return self_; }

  /// @param body returns what waitpid() would say: "ended with exit code 0"
  Process& spawn(std::string name, Process* parent, std::function<std::string()> body);
  /// Kills it and its children. What runs now goes on until it next waits, without effect.
  void kill(Process& process);
  void stop(Process& process, Nanos time);

  /// Called with each process that has been killed or has ended.
  void on_end(std::function<void(Process&)> listener) { end_listener_ = std::move(listener); }

  void at(Nanos when, std::function<void()> what);
  /// The present process waits until `deadline` or wake(). @throws Killed
  void wait(Nanos deadline);
  /// As wait(), but a killed process just goes on: for destructors.
  void wait_or_end(Nanos deadline);
  void wake(Process& process);
  /// Nobody runs for so long: a machine that was suspended.
  void jump(Nanos time) { now_ += time; }

  /// Until nothing more happens. @throws Stuck: more steps or more time than there should ever be
  void run();
  struct Stuck : std::runtime_error {
    using std::runtime_error::runtime_error;
  };

  /// All that happens, in one number.
  void trace(std::uint64_t what) { trace_.add(what, 8); }
  std::uint64_t trace_hash() const { return trace_.value(); }
  std::uint64_t steps() const { return steps_; }
  const std::vector<std::unique_ptr<Process>>& processes() const { return processes_; }

 private:
  void resume(Process& process);
  void ready(Process& process);

  static constexpr std::uint64_t most_steps = 2'000'000;
  static constexpr Nanos most_time = std::chrono::hours(24);

  Draw draw_;
  std::function<void(Process&)> end_listener_;
  Nanos now_{std::chrono::seconds(1000)};
  Process* self_ = nullptr;
  std::vector<std::unique_ptr<Process>> processes_;
  std::vector<Process*> ready_;
  std::map<std::pair<Nanos, std::uint64_t>, std::function<void()>> events_;
  std::uint64_t event_ = 0, steps_ = 0;
  Fnv1a trace_;
};

}  // namespace ocs::sim
