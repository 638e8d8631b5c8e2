// The fabric core: what every output selects and in which state it is (sections 2 to 6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/device/model/light.hpp"
#include "host/device/model/types.hpp"

namespace ocs::model {

class Crossbar {
 public:
  /// Registers of an output, in cycles.
  struct Settings {
    std::uint32_t base = 0, slow = 0, lock = 0, jitter_mask = 0, flap = 0;
  };

  /// Registers of a port: `los` of the input, `stuck` and `keeps` of the output, `dead` of both.
  struct Faults {
    bool los = false, dead = false, stuck = false, keeps = false;
  };

  /// Power of a port in hundredths: `laser` into the input in dBm, `loss` of the path to the output in dB.
  struct Powers {
    std::int32_t laser = 0, loss = 0;
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

  /// Which outputs a start disturbs, and for how many cycles; 0 cycles: none.
  struct Neighbours {
    std::uint32_t cycles = 0;
    std::uint32_t distances = 0;  ///< bit k: those k + 1 outputs away
  };

  struct Port {
    Settings settings;
    Selection selected;
    State state = State::idle;
    Cause cause = Cause::none;
    Cycle last = no_cycle;  ///< last cycle of this state: of TUNING, LOCKING, and of UP before a flap
    Cycle steady_from = 0;  ///< first cycle in which no start disturbs it any longer
    Selection position;     ///< what it selected when it last finished tuning and wasn't stuck
    Detector detector;
    std::uint32_t random = 0;
    std::uint64_t dark = 0, tunings = 0, restarts = 0;

    bool lost() const { return state == State::failed && cause == Cause::light; }  ///< a loss of light is asserted
    bool detecting() const { return needs_light(state) || lost(); }                ///< its detector works
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

  /// What became of the outputs at the end of one cycle.
  struct Changes {
    PortMask entered;  ///< entered a state, be it the same one
    PortMask losing;   ///< a start disturbs them from the next cycle on, or they are dim from then on
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
  Neighbours& neighbours() { return neighbours_; }
  LightSettings& light_settings() { return light_settings_; }
  Powers& powers(std::size_t p) { return powers_[p]; }
  std::uint32_t& pair(std::size_t o, std::size_t i) { return pair_[o * size() + i]; }
  const Fanout& fanout(std::size_t i) const { return fanout_[i]; }
  bool stop() const { return stop_; }

  /// The output loses its words in cycle `c`, also if it is UP. @param c the present cycle
  bool disturbed(std::size_t o, Cycle c) const { return c < outputs_[o].steady_from; }

  /// Register POWER: hundredths of a dBm, or `no_power`.
  std::int32_t power(std::size_t o) const;

  /// Some output is FAILED with cause misrouted.
  bool misroutes() const { return misroutes_; }

  /// The words of this input come out of an output that is FAILED with cause misrouted.
  Selection misrouted(std::size_t o) const;

  /// The selections of all outputs.
  Map active() const;

  /// The next cycle, not before `now`, in which an output changes by itself.
  Cycle next_action(Cycle now) const;

  /// Counts `k` cycles in which nothing changes.
  void count(Cycle k);

  /// The end of cycle `c`: timers, commit, RETRY, faults, all-stop. Appends the states that were entered.
  Changes act(Cycle c, const Orders& orders, std::vector<Happening>& events);

 private:
  /// The next state of an output while it is worked out.
  struct Move {
    Selection selected;
    State state;
    Cause cause;
    bool entered = false;      ///< the state is entered, be it again
    bool tuned = false;        ///< tuning ends in this cycle (also: T = 0); false again if the mirror is stuck
    std::uint64_t tuning = 0;  ///< T, on entering TUNING
    Cycle locking = 0;         ///< L, on entering LOCKING
  };

  bool light(std::size_t o, Selection in) const;
  std::int32_t power(std::size_t o, Selection in) const;
  bool detects() const { return light_settings_.on || detected_; }
  bool due_to_faults(std::size_t o) const;
  Cycle next_of_detectors(Cycle now) const;
  void watch(Cycle c);
  bool dark(std::size_t o, const Move& move) const;
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
  PortMask disturb(Cycle c, const PortMask& started);
  PortMask dim(Cycle c, const PortMask& entered);
  void survey();

  std::vector<Port> outputs_;
  std::vector<Faults> faults_;
  Programming programming_;
  Receivers receivers_;
  Neighbours neighbours_;
  LightSettings light_settings_;
  std::vector<Powers> powers_;
  std::vector<Cycle>
      lit_until_;  ///< row o: the first cycle in which o and an input weren't UP or HELD any longer, or 0
  std::vector<std::uint32_t> pair_;  ///< row o: what output o needs more for each input
  std::vector<Fanout> fanout_;       ///< of each input, as the outputs stand
  std::vector<Move> moves_;          ///< of the cycle at hand; kept for its storage
  bool stop_ = false;                ///< section 5
  bool misroutes_ = false;
  bool detected_ = false;  ///< detectors were on in the cycle before, so that there may be something to end
  PortMask missing_;       ///< outputs without light in the cycle at hand
  PortMask turning_;       ///< outputs at which a loss of light is asserted or released at the end of it
};

}  // namespace ocs::model
