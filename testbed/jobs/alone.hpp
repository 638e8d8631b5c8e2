// When coflows and works began and ended, and how long each work takes when nothing else comes.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "host/controller/control_times.hpp"
#include "host/controller/planes/plane_split.hpp"
#include "host/core/policy.hpp"
#include "testbed/jobs/work.hpp"

namespace ocs {

/// When a coflow was released and ended. In order of the ends.
struct CoflowTime {
  std::uint32_t work;   ///< its place in the span
  std::uint32_t round;  ///< iteration * 2, + 1: pull
  Cycles released, ended;
  Cycles cct() const { return ended - released; }
  friend bool operator==(const CoflowTime&, const CoflowTime&) = default;
};

struct CarriedCoflows {
  std::vector<CoflowTime> coflows;  ///< with words; a coflow without any takes no time
  std::vector<Cycles> ended;        ///< of each work
  Cycles first, last;               ///< arrival of the first, end of the last
};

/// Switches on which a work is alone.
struct AloneRules {
  int ports = 0;
  std::size_t planes = 1;
  PlaneSplit split;    ///< over the planes, on which there is nothing to do
  ControlTimes times;  ///< by timetable all clocks are right
  std::uint64_t seed = 0;
  Cycles heard{0};                    ///< that a coflow is in is known so much later
  std::vector<Cycles> word_cycles{};  ///< of each port; empty: one cycle a word
};

/// What `time` says of each work; equal works are asked for once.
std::vector<Cycles> times_alone(std::span<const Work> works, const std::function<Cycles(const Work&)>& time);

/// How long each work takes when it is alone on switches that are dark at its arrival, and everything is executed as
/// planned. As nothing else comes, one plan is made for each coflow.
std::vector<Cycles> times_alone(std::span<const Work> works, const AloneRules& rules, const Scheduler& scheduler);

}  // namespace ocs
