// The switch behind its registers, event by event: between two actions nothing is computed, counters are settled when
// somebody asks or something changes. Written from docs/switch-contract.md alone; section numbers are its own.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "sysc/core/deadlines.hpp"
#include "sysc/core/event_fifo.hpp"
#include "sysc/core/ports.hpp"
#include "sysc/core/sequencer.hpp"

namespace ocs::sysc {

/// Bits of ERROR.
namespace error_bit {
inline constexpr std::uint32_t range = 1, conflict = 2, late = 4, access = 16, overflow = 32, seg_overrun = 64;
}

inline constexpr std::int32_t no_power = std::numeric_limits<std::int32_t>::min();

class Fabric {
 public:
  /// @param ports 2 to 256. @param fifo_depth records, at least 1.
  Fabric(std::size_t ports, std::size_t fifo_depth);

  std::size_t ports() const { return outputs_.size(); }
  std::size_t fifo_depth() const { return fifo_depth_; }

  Cycle time() const { return time_; }
  /// The earliest cycle that ends with an action, no_cycle if none is ahead.
  Cycle next_action() const { return due_.earliest(); }
  /// Until time() is `cycle`; nothing if it is or is past. @return actions on the way.
  std::size_t run_to(Cycle cycle);
  /// Section 12, SOFT_RESET: PAIR and the sequencer's entries stay.
  void reset();

  bool irq() const { return (irq_status() & irq_enable) != 0; }
  std::uint32_t irq_status() const;
  std::uint32_t status() const;

  // ---- what registers read; counters of the cycles before the present one ----
  Output& output_now(std::size_t o);  ///< with its counters settled
  Engine& input_now(std::size_t i);

  // ---- what writes do, in force in the present cycle ----
  void command_commit();
  void cancel_commits() { software_ = false, timed_ = false, due_.set(timed_slot(), no_cycle); }
  void arm_commit(std::uint64_t at);
  void load_shadow();
  void seed(std::uint32_t value);
  void store_entry(std::size_t entry);
  /// START, STOP, RETRY, sequencer commands, a fault, EXTERNAL, a word on a pin: looked at in the present cycle.
  void look_now() { due_.set(now_slot(), time_); }
  void set_rate(std::size_t i, std::uint16_t rate);

  /// What POWER reads: hundredths of a dBm, or no_power.
  std::int32_t power(std::size_t o) const;

  /// Outputs that pass a word of input i in the present cycle.
  std::vector<Port> passing(std::size_t i) const;

  // Registers without further effect.
  bool all_stop = false, multicast = false;
  std::uint32_t irq_enable = 0, error = 0;
  std::uint32_t prog = 0, prog_lanes = 0;
  std::uint8_t commit_tag = 0;
  bool brief = false;
  bool receivers_on = false;
  std::uint32_t warm_time = 0;
  std::array<std::uint32_t, 16> lock_warm{}, lock_cold{};
  std::uint32_t disturb = 0, disturb_at = 0;
  bool level_on = false;
  std::int16_t threshold = 0;
  std::uint16_t hysteresis = 0;
  std::uint32_t los_assert = 0, los_release = 0, ring_after = 0, ring = 0;
  std::uint8_t rings = 0;
  std::uint64_t commit_at = 0, commits = 0, refused = 0, late = 0, dropped = 0;
  Map shadow;
  std::vector<bool> dead, retry;
  std::vector<std::uint32_t> pair;  ///< at o * ports + i
  Sequencer sequencer;
  EventFifo events;

 private:
  /// Where an output goes at the end of the cycle that is being executed.
  struct Next {
    State state = State::idle;
    Cause cause = Cause::none;
    bool entered = false, commit = false;
    bool programmed = false;  ///< by the commit or by RETRY
    bool starts = false;      ///< programmed, and not disconnected
    bool arrives = false;     ///< finishes tuning, and isn't stuck
    std::uint64_t lock = 0;   ///< cycles of LOCKING
  };

  std::size_t engine_slot(std::size_t i) const { return ports() + i; }
  std::size_t timed_slot() const { return 2 * ports(); }
  std::size_t sequencer_slot() const { return 2 * ports() + 1; }
  std::size_t now_slot() const { return 2 * ports() + 2; }
  std::size_t disturbance_slot(std::size_t o) const { return 2 * ports() + 3 + o; }         ///< its last cycle
  std::size_t detector_slot(std::size_t o) const { return disturbance_slot(ports()) + o; }  ///< last cycle of its count
  std::size_t ring_slot(std::size_t o) const { return detector_slot(ports()) + o; }         ///< last cycle of a stretch
  std::size_t slots() const { return ring_slot(ports()); }

  void act();
  void timers();
  void commit();
  bool map_is_legal(const Map& map);
  void take_map(const Map& map);
  void retries();
  /// Section 2, in the order of the outputs, which gives each its rank. @return one of them starts.
  bool start_programmed();
  void start(std::size_t o, std::uint64_t rank);
  void disturb_around(std::size_t o);
  void disturbances();
  std::uint64_t lock_cycles(std::size_t o) const;
  void finish_tuning(std::size_t o);
  void arrive(std::size_t o);
  bool dark(std::size_t o) const;
  void filters(bool set_stop);
  void enter_states();
  void engines();
  void close_record();
  void enter(std::size_t o, const Next& next);
  void change_selection(std::size_t o, MapEntry to);
  void change_stray(std::size_t o, bool stray);

  // fabric_light.cpp
  std::int32_t power_from(std::size_t o, Port i) const;
  bool lacks_light(std::size_t o) const;
  void watch();
  void lights();
  void ring_on(std::size_t o);
  void swing_back(std::size_t o);
  void swing_away(std::size_t o);
  void stand_still(std::size_t o);
  void look_again();

  bool light(std::size_t o, Port i) const { return !outputs_dark(o) && !engines_[i].los && !dead[i]; }
  bool outputs_dark(std::size_t o) const { return dead[o]; }
  std::uint32_t draw(std::size_t o);

  // fabric_words.cpp
  void count_words_until(std::size_t i, Cycle until);
  void pass(Engine& engine, std::uint64_t words, bool of_engine);
  void end_segment(std::size_t o);
  void end_segments_of(std::size_t i);
  void find_whole_bursts();
  void reopen(std::size_t i);
  void plan_engine(std::size_t i);
  void begin_loop(Engine& engine);
  void end_engine_cycle(std::size_t i);
  void offer_pin(std::size_t i);

  std::size_t fifo_depth_;
  Cycle time_ = 0;
  std::vector<Output> outputs_;
  std::vector<Cycle> left_;  ///< at o * ports + i: the first cycle in which the pair wasn't UP or HELD any longer, or 0
  std::vector<Engine> engines_;
  Deadlines due_;
  bool software_ = false, timed_ = false, stop_ = false;
  std::uint8_t software_tag_ = 0, timed_tag_ = 0;

  // Of the cycle being executed.
  std::vector<Next> next_;
  std::vector<MapEntry> select_;
  std::optional<std::uint8_t> taken_, refused_;  ///< source of the commit
  std::uint8_t tag_ = 0;                         ///< of the commit
  bool entry_taken_ = false, wrapped_ = false;
  std::vector<bool> whole_;  ///< inputs of which a whole burst ends
  std::vector<bool> launch_;
  std::vector<bool> shaken_;   ///< outputs that a start disturbs from the next cycle on
  std::vector<bool> missing_;  ///< outputs that lack light
  std::vector<bool> turns_;    ///< outputs at which the loss of light is asserted, or released
  std::vector<SwitchEvent> record_;
  std::vector<Port> done_;
};

}  // namespace ocs::sysc
