// Events in time, in the order of one instant that the schemes' definitions state.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <tuple>
#include <vector>

namespace ocs::abstract {

/// Of one instant: by kind, then by worker, then first scheduled.
enum class Moves : std::uint8_t { push_in, pull_starts, pulled, computed, timer };

struct Event {
  std::int64_t at;
  Moves kind;
  std::uint16_t worker;
  std::uint64_t number;
  friend auto operator<=>(const Event&, const Event&) = default;
};

class Agenda {
 public:
  void add(std::int64_t at, Moves kind, std::uint16_t worker) { events_.push({at, kind, worker, number_++}); }
  bool empty() const { return events_.empty(); }
  Event next() const { return events_.top(); }
  void drop() { events_.pop(); }

 private:
  std::priority_queue<Event, std::vector<Event>, std::greater<>> events_;
  std::uint64_t number_ = 0;
};

}  // namespace ocs::abstract
