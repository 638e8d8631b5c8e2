// Event logs that are kept: seven numbers an event, events as text, and where two logs part.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "host/core/switch.hpp"

namespace ocs {

/// Of the columns of the table `event`: at, plane, kind, port, burst, first, words.
using EventNumbers = std::array<std::int64_t, 7>;

EventNumbers numbers_of(const Event& event);
/// The way back. @throws Error (input) for numbers that no event has.
Event event_of(const EventNumbers& numbers);

std::span<const EventKind> event_kinds();  ///< all, in the order of their numbers
std::string_view name_of(EventKind kind);  ///< "burst_done"

/// "cycle 1953127  output 3 up" or "cycle 30  output 3 passed words 0 to 9 of burst 1".
std::string to_text(const Event& event);

/// Holds a log that goes on against one that is kept; the first difference stays.
class LogComparison {
 public:
  static constexpr std::size_t shown_before = 10;

  explicit LogComparison(std::vector<Event> kept) : kept_(std::move(kept)) {}

  void add(const Event& event);
  /// After the last event: events that are missing are a difference too. @return whether both logs are equal.
  bool finish();

  /// Of two logs that differ: the events before the difference (at most ten), then that of each log; lines.
  std::string report() const;

 private:
  std::vector<Event> kept_;
  std::size_t count_ = 0;  ///< events of the new log
  bool differs_ = false;
  std::size_t first_ = 0;       ///< number of the first event that differs
  std::vector<Event> instead_;  ///< the new log's event there; none: it ended
};

}  // namespace ocs
