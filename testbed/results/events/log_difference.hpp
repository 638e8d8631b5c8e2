// Where two event logs of one experiment differ in time, and by how much.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "host/core/switch.hpp"

namespace ocs {

/// The k-th event of a kind on a port of one log is held against the k-th of that kind on that port of the other. Who
/// gave a commit (its port) makes no difference. Shifts are those of the second log, in picoseconds: each log has its
/// own cycle.
struct LogDifference {
  struct Shifts {
    std::int64_t events = 0, shifted = 0;  ///< in both logs; not at the same instant
    Picos largest{0};                      ///< of either sign, the first of those that are equally large
    Picos sum{0};
  };
  std::map<EventKind, Shifts> kinds;
  std::int64_t other_words = 0;                        ///< runs and bursts in both logs, of other words
  std::vector<Event> only_first, only_second;          ///< in the order of their logs
  std::optional<std::pair<Event, Event>> first_shift;  ///< the earliest by the first log
  std::vector<Picos> shifts;                           ///< of all events in both, ascending

  bool same() const;
  /// The shift that `ppm` of a million events don't exceed in size; 0 without events.
  Picos size_quantile(std::int64_t ppm) const;
};

LogDifference difference_of(std::span<const Event> first, Picos first_cycle, std::span<const Event> second,
                            Picos second_cycle);

/// Lines: by kind, then where they part first.
std::string to_text(const LogDifference& difference);

}  // namespace ocs
