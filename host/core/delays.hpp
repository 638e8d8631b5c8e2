// How long a switch takes to set up a circuit, for every pair of ports.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "host/core/ids.hpp"
#include "host/core/units.hpp"

namespace ocs {

/// Receivers that lock by what they last received: what is added to L, as quantiles in cycles from 0 to 2^30 - 1.
struct Receivers {
  static constexpr std::size_t points = 16;
  Cycles warm_time{0};                ///< a pair is warm if it was left less than so many cycles ago
  std::array<Cycles, points> warm{};  ///< LOCK_WARM
  std::array<Cycles, points> cold{};  ///< LOCK_COLD: of any other pair

  /// The most that may be added.
  Cycles longest() const { return std::max(*std::ranges::max_element(warm), *std::ranges::max_element(cold)); }
  friend bool operator==(const Receivers&, const Receivers&) = default;
};

/// Mirrors that disturb others when they move: these lose their words meanwhile.
struct Neighbours {
  Cycles disturbed{0};          ///< DISTURB, 0 to 2^30 - 1; 0: nobody is disturbed
  std::uint32_t distances = 0;  ///< DISTURB_AT: bit k stands for outputs whose numbers differ by k + 1

  bool any() const { return disturbed.n > 0 && distances != 0; }
  friend bool operator==(const Neighbours&, const Neighbours&) = default;
};

/// The level of light at outputs, and what detectors and mirrors make of it (section 6 of docs/switch-contract.md).
/// Levels are hundredths of a dBm, differences hundredths of a dB.
struct LightLevel {
  int laser = 0, loss = 0;            ///< LASER of every input, LOSS of every output
  std::vector<int> lasers{};          ///< LASER of each input; empty: every input has `laser`
  std::vector<int> losses{};          ///< LOSS of each output; empty: every output has `loss`
  bool detected = false;              ///< LEVEL.ON: without it light is there or not, as faults say
  int threshold = 0, hysteresis = 0;  ///< LEVEL
  Cycles lost{0}, back{0};            ///< LOS_ASSERT, LOS_RELEASE
  Cycles ring_after{0}, ring{0};      ///< RING_AFTER, RING
  int rings = 0;                      ///< RINGS, 0 to 255

  bool any_ring() const { return detected && rings > 0 && ring.n > 0; }
  int laser_of(Input in) const { return lasers.empty() ? laser : lasers[index(in)]; }
  int loss_of(Output out) const { return losses.empty() ? loss : losses[index(out)]; }
  friend bool operator==(const LightLevel&, const LightLevel&) = default;
};

/// T and L of section 2 of docs/switch-contract.md, in cycles from 0 to 2^30 - 1.
struct SwitchDelays {
  Cycles tuning{0}, locking{0};          ///< the longest of any pair, and of any output
  std::vector<Cycles> pair_tuning{};     ///< ports * ports, at in * ports + out; empty: every pair has `tuning`
  std::vector<Cycles> output_locking{};  ///< of each output; empty: every output has `locking`
  Cycles programming{0};                 ///< PROG: each further group of a commit is programmed so much later
  int lanes = 1;                         ///< PROG_LANES: outputs of a group, 1 to 256
  Cycles jitter{0};                      ///< JITTER_MASK of every output: each tuning takes 0 to so many cycles more
  std::uint32_t seed = 0;                ///< SEED: of what jitter and receivers draw
  std::optional<Receivers> receivers{};  ///< none: L is LOCK
  Neighbours neighbours{};               ///< whom a mirror that moves disturbs, and for how long
  std::optional<LightLevel> light{};     ///< none: light has no level

  Cycles tuning_of(Input in, Output out, int ports) const {
    if (pair_tuning.empty()) return tuning;
    return pair_tuning[static_cast<std::size_t>(index(in)) * static_cast<std::size_t>(ports) + index(out)];
  }
  Cycles locking_of(Output out) const { return output_locking.empty() ? locking : output_locking[index(out)]; }
  /// What an output waits for its programming if the same commit changes `rank` outputs below it.
  Cycles programming_of(int rank) const { return programming * (rank / lanes); }
  bool uniform() const { return pair_tuning.empty() && output_locking.empty(); }
  friend bool operator==(const SwitchDelays&, const SwitchDelays&) = default;
};

}  // namespace ocs
