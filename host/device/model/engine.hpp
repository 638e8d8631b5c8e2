// The burst engine of one input: which words it offers, and when it is done (section 8).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>

#include "host/device/model/types.hpp"

namespace ocs::model {

class Engine {
 public:
  /// D of section 8: a rate of D is one word a cycle.
  static constexpr std::uint32_t full_rate = 40000;

  enum class Phase : std::uint8_t { off, gap, send };  ///< the numbers are those of register ENGINE

  /// Registers. All but `rate` and `external` are copied at START.
  struct Settings {
    std::uint32_t length = 0, gap = 0, repeat = 0;
    std::uint16_t tag = 0;
    bool gated = false;
    std::uint16_t rate = full_rate;
    bool external = false;
  };

  /// Words offered in one interval: `count` of them, numbered from `first` on.
  struct Offer {
    std::uint64_t count = 0;
    std::uint32_t first = 0;
    std::uint16_t tag = 0;
  };

  /// What happened to the engine at the end of a cycle; `started` or `done` ends the segments of its words.
  struct Outcome {
    bool started = false, done = false;
    bool finished = false;  ///< done with its last word, and not started again
  };

  Settings settings;

  Phase phase() const { return phase_; }

  /// The next cycle, not before `now`, in which the engine acts by itself.
  /// @param lit section 8's gate for GATED engines, as it stands until then.
  Cycle next_action(Cycle now, bool lit) const;

  /// The words of the next `k` cycles; k reaches at most to the next action.
  Offer offer(Cycle k, bool lit) { return open(lit) ? send(k) : Offer{}; }

  /// The end of cycle `c`, after its words: finish, then STOP, then START (section 4, point 7).
  Outcome act(Cycle c, bool stop, bool start) {
    return phase_ == Phase::off && !start ? Outcome{} : work(c, stop, start);
  }

 private:
  bool open(bool lit) const { return phase_ == Phase::send && (lit || !burst_.gated); }
  std::uint32_t rate() const { return std::min<std::uint32_t>(settings.rate, full_rate); }
  Offer send(Cycle k);
  Outcome work(Cycle c, bool stop, bool start);
  void begin_words(Cycle c);
  void launch(Cycle c);
  bool finish(Cycle c);

  Settings burst_;  ///< as copied at START
  Phase phase_ = Phase::off;
  std::uint32_t index_ = 0;    ///< of the next word; runs on over repeats
  std::uint32_t acc_ = 0;      ///< below D
  std::uint32_t left_ = 0;     ///< words left in this repeat
  std::uint32_t repeats_ = 0;  ///< further bursts
  Cycle gap_ends_ = 0;         ///< last cycle of GAP
};

}  // namespace ocs::model
