// How long control and light take, and how plans are shaped by it.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "host/core/fibres.hpp"
#include "host/core/ids.hpp"

namespace ocs {

enum class ControlMode : std::uint8_t {
  confirmed,  ///< circuits are confirmed by events, words wait for them: nothing is lost
  timetable,  ///< commits and words go by the clock, blind: what is late or early is lost
};

/// All in cycles, 0 or more but for the offsets. docs/loss.md has a picture.
struct ControlTimes {
  ControlMode mode = ControlMode::confirmed;
  Cycles tuning{0}, locking{0};       ///< of every output, as the switch was made with
  Cycles lead{0};                     ///< a decision taken in t acts in t + lead
  Fibres fibre{};                     ///< from each node to the switch, and back
  Cycles guard{0};                    ///< timetable: a circuit is up so long before its first word and after its last
  std::vector<Cycles> pair_tuning{};  ///< of each pair, at in * ports + out; empty: each has `tuning`, the longest
  std::vector<Cycles> output_locking{};     ///< of each output; empty: each has `locking`, the longest
  std::vector<Cycles> clock_offset{};       ///< timetable: node v sends so much later than planned; none: 0
  std::vector<std::int64_t> clock_drift{};  ///< timetable: in 10^9 cycles node v falls so many behind; none: 0
  Cycles clock_sync{0};                     ///< with a drift: in its multiples each clock is set to its offset
  Cycles programming{0};                    ///< confirmed: each further group of a commit is programmed so much later
  int lanes = 1;                            ///< outputs of a group

  /// By how much a node is late, by its clock, with what it is to do in cycle `at`; early: below 0.
  Cycles lateness(Input in, Cycles at) const {
    const std::size_t v = index(in);
    const Cycles offset = v < clock_offset.size() ? clock_offset[v] : Cycles{0};
    return v < clock_drift.size() ? offset + drifted(v, Cycles{at.n % clock_sync.n}) : offset;
  }
  /// Its lateness when its clock has just been set, and before it is set again: it is never outside of the two.
  std::array<Cycles, 2> lateness_between_syncs(Input in) const {
    return {lateness(in, Cycles{0}), lateness(in, clocks_drift() ? clock_sync - Cycles{1} : Cycles{0})};
  }
  /// The time by which the fastest clock is early, at most.
  Cycles earliness() const {
    Cycles most{0};
    for (std::size_t v = 0; v < std::max(clock_offset.size(), clock_drift.size()); ++v)
      for (const Cycles late : lateness_between_syncs(Input{static_cast<std::uint16_t>(v)}))
        most = std::max(most, Cycles{0} - late);
    return most;
  }
  bool clocks_drift() const { return !clock_drift.empty(); }
  /// The guard of a plan with words that have been sent `sent` times before: each time twice as long, and so in the end
  /// longer than any clock is off. Below 2^31.
  Cycles guard_after(std::uint32_t sent) const {
    if (sent == 0) return guard;
    constexpr std::int64_t most = std::int64_t{1} << 30;
    std::int64_t longer = std::max<std::int64_t>(guard.n, 1);
    for (std::uint32_t k = 0; k < sent && longer < most; ++k) longer *= 2;
    return Cycles{longer};
  }
  /// What no plan counts with: an output's wait if the same commit changes `rank` outputs below it.
  Cycles programming_of(std::size_t rank) const { return programming * (static_cast<std::int64_t>(rank) / lanes); }
  /// Whether set-ups of some pairs of ports take longer than those of others.
  bool by_pair() const {
    return !pair_tuning.empty() || !output_locking.empty() || (mode == ControlMode::confirmed && fibre.differ());
  }
  /// The time from the commit of a circuit to light at all its outputs.
  Cycles light(Input in, const Outputs& outs, int ports) const {
    if (!by_pair()) return tuning + locking;
    const auto row = static_cast<std::size_t>(index(in)) * static_cast<std::size_t>(ports);
    Cycles most{0};
    for_each_output(outs, [&](std::size_t out) {
      most = std::max(most, (pair_tuning.empty() ? tuning : pair_tuning[row + out]) +
                                (output_locking.empty() ? locking : output_locking[out]));
    });
    return most;
  }
  /// Problem.delta: from a reservation's start to its first word when its circuit is to be set up. At least 1, so that
  /// who has been sending is known to have ended.
  Cycles set_up(std::uint32_t sent = 0) const { return set_up_of(tuning + locking, sent, fibre.longest()); }
  /// Problem.pair_delta: the same of each pair; empty if all are alike.
  std::vector<Ticks> pair_set_ups(int ports, std::uint32_t sent = 0) const {
    std::vector<Ticks> all;
    for (int in = 0; in < ports && by_pair(); ++in)
      for (int out = 0; out < ports; ++out)
        all.push_back({set_up_of(light(static_cast<Input>(in), Outputs{}.set(static_cast<std::size_t>(out)), ports),
                                 sent, fibre.of(static_cast<std::size_t>(in)))
                           .n});
    return all;
  }
  /// Problem.reuse of a plan that is made while circuits carry data: what starting on an established circuit costs. A
  /// burst can't be started in the cycle in which the one before it on its input ends; by confirmation that end has to
  /// be heard of first.
  Cycles reuse() const { return mode == ControlMode::timetable ? Cycles{1} : Cycles{1} + lead + fibre.longest(); }
  /// Problem.now of a plan that is asked for in cycle `asked`: nothing of the plan has to act before it can.
  /// @param reuses a flow could use a circuit that is up
  Cycles origin(Cycles asked, bool reuses) const {
    if (mode == ControlMode::timetable) return asked + Cycles{1} + lead + fibre.longest() + earliness();
    return reuses ? asked + Cycles{1} + lead + fibre.longest() : asked;
  }

  /// The same of a plan that is made while others go on.
  Cycles online_origin(Cycles asked) const { return mode == ControlMode::timetable ? origin(asked, true) : asked; }

 private:
  /// What a clock has fallen behind so long after it was set, rounded towards 0.
  Cycles drifted(std::size_t node, Cycles after) const {
    constexpr std::int64_t billion = 1'000'000'000;
    return Cycles{clock_drift[node] * after.n / billion};
  }
  Cycles set_up_of(Cycles dark, std::uint32_t sent, Cycles to_switch) const {
    if (mode == ControlMode::timetable) return std::max(Cycles{1}, dark + guard_after(sent) * 2);
    return dark + Cycles{1} + lead + to_switch;
  }
};

}  // namespace ocs
