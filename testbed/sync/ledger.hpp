// Who asked, was granted and pushed: the life cycle that all schemes share, checked at every event.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "host/core/sync.hpp"

namespace ocs {

/// Books of a parameter server: each worker asks, is granted, pushes, in this order, for iterations 0, 1, 2 ...; each
/// push is applied or dropped once; its staleness is within the scheme's bound. What breaks that is an Error
/// (internal) with a sentence, in all builds.
class Ledger {
 public:
  static constexpr std::uint64_t no_bound = std::numeric_limits<std::uint64_t>::max();

  /// @throws Error (input) without workers.
  Ledger(std::string scheme, std::uint16_t workers);

  /// Takes down what happened. An ask, a push, the end or the leaving of a worker that can't be now is refused, and so
  /// is time that goes back.
  void take(const GateEvent& event);

  void grant(GateActions& actions, std::uint16_t worker, std::uint32_t quota = 1, std::uint32_t ahead = 0,
             std::uint32_t batch = 0);
  /// Applies the pushes of `members` as one update of the model: single updates that enter it together.
  void apply(GateActions& actions, const std::vector<std::uint16_t>& members, std::uint64_t stale_bound);
  void hold(GateActions& actions, std::uint16_t worker) const;
  void drop(GateActions& actions, std::uint16_t worker);

  std::uint16_t workers() const { return static_cast<std::uint16_t>(workers_.size()); }
  bool asking(std::uint16_t worker) const { return workers_[worker].asking; }
  bool running(std::uint16_t worker) const { return workers_[worker].running; }
  /// Its push is in and neither applied nor dropped.
  bool pushed(std::uint16_t worker) const { return workers_[worker].push_waits; }
  /// Neither finished nor left.
  bool active(std::uint16_t worker) const { return workers_[worker].active; }
  std::uint16_t active_workers() const;
  std::uint32_t clock(std::uint16_t worker) const { return workers_[worker].clock; }  ///< pushes applied
  /// Least clock of the active workers; 0 without one.
  std::uint32_t least_clock() const;
  Ticks asked_at(std::uint16_t worker) const { return workers_[worker].asked_at; }
  /// The time from the worker's last grant to the arrival of its last push.
  Ticks interval(std::uint16_t worker) const { return workers_[worker].interval; }
  Ticks now() const { return now_; }

  /// Breaks the run. @throws Error (internal)
  [[noreturn]] void broken(std::uint16_t worker, const std::string& what) const;

 private:
  struct Worker {
    bool active = true, asking = false, running = false, push_waits = false;
    std::uint32_t pushes = 0, clock = 0;
    std::uint64_t seen = 0;
    Ticks asked_at, granted_at, interval;
  };
  void take_push(const GateEvent& event, Worker& worker);
  Worker& resolve(std::uint16_t worker);

  std::string scheme_;
  std::vector<Worker> workers_;
  std::uint64_t version_ = 0;  ///< single updates in the model
  Ticks now_{std::numeric_limits<std::int64_t>::min()};
};

/// e += (x - e) >> shift; the first value is taken as it is.
class MovingAverage {
 public:
  explicit MovingAverage(std::uint32_t shift) : shift_(shift) {}
  void add(Ticks x) {
    value_ = known_ ? Ticks{value_.n + ((x.n - value_.n) >> shift_)} : x;
    known_ = true;
  }
  bool known() const { return known_; }
  Ticks value() const { return value_; }

 private:
  std::uint32_t shift_;
  bool known_ = false;
  Ticks value_;
};

/// @throws Error (input): "ssp: s is 2000000; 0 to 1000000 is needed"
void require_range(const std::string& what, std::uint64_t value, std::uint64_t low, std::uint64_t high);

}  // namespace ocs
