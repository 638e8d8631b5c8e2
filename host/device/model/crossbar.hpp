// The fabric core: what every output selects and in which state it is (sections 2 to 6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/device/model/types.hpp"

namespace ocs::model {

class Crossbar {
 public:
  /// Registers of an output, in cycles.
  struct Settings {
    std::uint32_t base = 0, slow = 0, lock = 0, jitter_mask = 0, flap = 0;
  };

  /// Registers of a port: `los` of the input, `stuck` of the output, `dead` of both.
  struct Faults {
    bool los = false, dead = false, stuck = false;
  };

  /// Serial programming: a group of `lanes` outputs waits `cycles` longer than the one before it; 0 lanes mean 1.
  struct Programming {
    std::uint32_t cycles = 0, lanes = 0;
  };

  /// Receivers that lock by what they last received. Off, L is LOCK and nothing is remembered.
  struct Receivers {
    static constexpr std::size_t points = 16;
    bool on = false;
    std::uint32_t warm_time = 0;               ///< cycles that a pair stays warm after it was UP or HELD
    std::array<std::uint32_t, points> warm{};  ///< quantiles of what is added to LOCK, in cycles: of a warm pair
    std::array<std::uint32_t, points> cold{};  ///< and of any other
  };

  struct Port {
    Settings settings;
    Selection selected;
    State state = State::idle;
    Cause cause = Cause::none;
    Cycle last = no_cycle;  ///< last cycle of this state: of TUNING, LOCKING, and of UP before a flap
    std::uint32_t random = 0;
    std::uint64_t dark = 0, tunings = 0, restarts = 0;
  };

  /// Which outputs select an input.
  struct Fanout {
    std::uint16_t selecting = 0, up = 0;
    bool lit() const { return selecting > 0 && up == selecting; }  ///< the gate of section 8
  };

  /// What is asked for in one cycle: a map that passed its check or none, and RETRY.
  struct Orders {
    const Map* commit = nullptr;
    PortMask retry;
    bool all_stop = false;
  };

  explicit Crossbar(std::size_t ports);

  /// Everything but the PAIR memory.
  void reset();

  /// A write of SEED: loads all generators.
  void seed(std::uint32_t value);

  std::size_t size() const { return outputs_.size(); }
  const Port& output(std::size_t o) const { return outputs_[o]; }
  Settings& settings(std::size_t o) { return outputs_[o].settings; }
  Faults& faults(std::size_t p) { return faults_[p]; }
  Programming& programming() { return programming_; }
  Receivers& receivers() { return receivers_; }
  std::uint32_t& pair(std::size_t o, std::size_t i) { return pair_[o * size() + i]; }
  const Fanout& fanout(std::size_t i) const { return fanout_[i]; }
  bool stop() const { return stop_; }

  /// The selections of all outputs.
  Map active() const;

  /// The next cycle, not before `now`, in which an output changes by itself.
  Cycle next_action(Cycle now) const;

  /// Counts `k` cycles in which nothing changes.
  void count(Cycle k);

  /// The end of cycle `c`: timers, commit, RETRY, faults, all-stop. Appends the states that were entered.
  /// @return the outputs that entered one.
  PortMask act(Cycle c, const Orders& orders, std::vector<Happening>& events);

 private:
  /// The next state of an output while it is worked out.
  struct Move {
    Selection selected;
    State state;
    Cause cause;
    bool entered = false;      ///< the state is entered, be it again
    bool tuned = false;        ///< tuning ends in this cycle (also: T = 0)
    std::uint64_t tuning = 0;  ///< T, on entering TUNING
    Cycle locking = 0;         ///< L, on entering LOCKING
  };

  bool light(std::size_t o, Selection in) const;
  bool due_to_faults(std::size_t o) const;
  Cycle locking(std::size_t o, Selection in, Cycle c) const;
  bool concerned(std::size_t o, Cycle c, const Orders& orders) const;
  State held_back() const;
  Move stay(std::size_t o) const;
  Move timers(std::size_t o, Cycle c) const;
  bool connect(std::size_t o, Cycle c, const Orders& orders, std::size_t& rank, Move& move);
  void start(std::size_t o, Cycle c, Selection in, std::size_t rank, Move& move);
  void filter_faults(std::size_t o, Move& move) const;
  void filter_all_stop(Move& move) const;
  void arrive(std::size_t o, Cycle c, Move& move) const;
  void remember(std::size_t o, Cycle c);
  void enter(std::size_t o, Cycle c, const Move& move);
  void survey();

  std::vector<Port> outputs_;
  std::vector<Faults> faults_;
  Programming programming_;
  Receivers receivers_;
  std::vector<Cycle>
      lit_until_;  ///< row o: the first cycle in which o and an input weren't UP or HELD any longer, or 0
  std::vector<std::uint32_t> pair_;  ///< row o: what output o needs more for each input
  std::vector<Fanout> fanout_;       ///< of each input, as the outputs stand
  std::vector<Move> moves_;          ///< of the cycle at hand; kept for its storage
  bool stop_ = false;                ///< section 5
};

}  // namespace ocs::model
