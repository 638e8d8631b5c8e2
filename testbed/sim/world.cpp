// Virtual wall time and the processes in it.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/sim/world.hpp"

#include <algorithm>

namespace ocs::sim {

void World::end() {
  end_listener_ = nullptr;
  // A stack that is left goes to its end first: what lies on it has to be freed.
  for (auto& process : processes_) kill(*process);
  for (auto& process : processes_)
    for (int turns = 0; !process->over && turns < 1000; ++turns) resume(*process);
}

Process& World::spawn(std::string name, Process* parent, std::function<std::string()> body) {
  Process& process = *processes_.emplace_back(std::make_unique<Process>());
  process.id = static_cast<std::uint32_t>(processes_.size() + 100);
  process.name = std::move(name);
  process.parent = parent;
  process.fiber = std::make_unique<Fiber>([this, &process, run = std::move(body)] {
    std::string end;
    if (!process.killed) {
      try {
        end = run();
      } catch (const Killed&) {
      }
    }
    process.over = true;
    if (!process.killed) {
      process.ended = end;
      for (auto& child : processes_)  // the kernel ends them with it
        if (child->parent == &process) kill(*child);
      if (end_listener_) end_listener_(process);
    }
    trace(process.id);
  });
  if (parent != nullptr && parent->killed) kill(process);
  ready(process);
  return process;
}

void World::ready(Process& process) {
  process.waits = false;
  ready_.push_back(&process);
}

void World::kill(Process& process) {
  if (process.killed || process.over) return;
  process.killed = true;
  process.ended = "was ended by signal 9 (Killed)";
  trace(process.id + 1'000'000U);
  for (auto& child : processes_)
    if (child->parent == &process) kill(*child);
  if (end_listener_) end_listener_(process);
  if (process.waits) ready(process);
}

void World::stop(Process& process, Nanos time) { process.stopped_until = std::max(process.stopped_until, now_ + time); }

void World::at(Nanos when, std::function<void()> what) {
  events_.emplace(std::pair(std::max(when, now_), event_++), std::move(what));
}

void World::wait(Nanos deadline) {
  if (!self_->killed) wait_or_end(deadline);
  if (self_->killed) throw Killed();
}

void World::wait_or_end(Nanos deadline) {
  Process& process = *self_;
  if (process.killed) return;
  process.waits = true;
  const std::uint64_t turn = ++process.waited;
  if (deadline <= now_)
    ready(process);
  else if (deadline != never_again)
    at(deadline, [this, &process, turn] {
      if (process.waits && process.waited == turn) ready(process);
    });
  process.fiber->pause();
}

void World::wake(Process& process) {
  if (!process.waits) return;
  if (process.slow_by == Nanos{0}) return ready(process);
  const std::uint64_t turn = process.waited;
  at(now_ + process.slow_by, [this, &process, turn] {
    if (process.waits && process.waited == turn) ready(process);
  });
}

void World::resume(Process& process) {
  Process* const before = std::exchange(self_, &process);
  process.fiber->resume();
  self_ = before;
}

void World::run() {
  while (!ready_.empty() || !events_.empty()) {
    if (++steps_ > most_steps) throw Stuck("more than " + std::to_string(most_steps) + " steps");
    if (now_ > most_time) throw Stuck("more than 24 h of virtual wall time");
    if (ready_.empty()) {
      auto event = events_.extract(events_.begin());
      now_ = std::max(now_, event.key().first);
      event.mapped()();
      continue;
    }
    const std::size_t chosen = draw_.below(ready_.size());
    Process& process = *ready_[chosen];
    ready_[chosen] = ready_.back();
    ready_.pop_back();
    if (process.over) continue;
    if (process.stopped_until > now_ && !process.killed) {
      at(process.stopped_until, [this, &process] { ready_.push_back(&process); });
      continue;
    }
    trace(process.id);
    trace(static_cast<std::uint64_t>(now_.count()));
    resume(process);
  }
}

}  // namespace ocs::sim
