// Where the wall time of a run goes: a stopwatch that belongs to one part at a time.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>

namespace ocs {

/// Parts of a run, from the outside in. What one calls belongs to the part that is called.
enum class Part : std::uint8_t {
  rest,        ///< the coordinator itself, starting and ending nodes, and what is none of the others
  database,    ///< writing the row
  placer,      ///< placing the job
  network,     ///< controller: plans into commits and bursts, events into deliveries
  scheduler,   ///< planning
  accounting,  ///< following each output and worker: where the simulated time goes
  driver,      ///< register_switch and ocs_dev.c: commands and events into register accesses
  device,      ///< around the evaluation of the RTL: clock, bus, strides; all of a device that isn't RTL
  transport,   ///< messages to and from nodes, with waiting for what they answer
  payload,     ///< waiting, at the end, for payload that nodes still work on
};
inline constexpr std::size_t parts = 10;

/// For one thread. The clock's own cost is measured and kept apart: every part is shown without it.
class Profile {
 public:
  using Clock = std::chrono::steady_clock;
  using Now = Clock::time_point (*)();

  explicit Profile(Now now = &Clock::now);

  /// From here on all time belongs to a part: `rest` at first.
  void start();
  void stop();
  /// What start() to stop() took; the sum of all parts and of `stopwatch`.
  Clock::duration whole() const { return stopped_ - started_; }
  /// Without the cost of the stopwatch. Rounding may make a part that is next to nothing 0.
  Clock::duration of(Part part) const;
  Clock::duration stopwatch() const;

  /// What evaluating the RTL took of the part `device`, and of how many edges; 0 where there is none.
  void evaluated(std::chrono::nanoseconds time, std::uint64_t edges);
  Clock::duration evaluation() const;
  std::uint64_t edges() const { return edges_; }

  /// While it lives, time belongs to `part`; then to the part before again. nullptr: nothing is measured.
  class In {
   public:
    In(Profile* profile, Part part) : profile_(profile) {
      if (profile_) before_ = profile_->change(part);
    }
    ~In() {
      if (profile_) profile_->change(before_);
    }
    In(const In&) = delete;
    In& operator=(const In&) = delete;

   private:
    Profile* profile_;
    Part before_ = Part::rest;
  };

 private:
  Part change(Part to);

  struct Share {
    Clock::duration time{};
    std::int64_t readings = 0;  ///< of the clock
  };
  Now now_;
  Clock::duration reading_{};  ///< what one takes
  Part running_ = Part::rest;
  Clock::time_point started_, since_, stopped_;
  std::array<Share, parts> shares_{};
  std::chrono::nanoseconds evaluation_{};
  std::uint64_t edges_ = 0;
};

/// One line a part, the longest first, with its share; they add up to the whole, which the heading shows.
/// @param heading what was run
std::string profile_text(const Profile& profile, const std::string& heading);

}  // namespace ocs
