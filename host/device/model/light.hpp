// The light at one output: its detector, and the mirror that rings (section 6).
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <limits>

#include "host/device/model/types.hpp"

namespace ocs::model {

/// The registers of all detectors. Powers are in hundredths of a dBm, times in cycles.
struct LightSettings {
  bool on = false;  ///< else LOS and DEAD act at once, and nothing counts or rings
  std::int32_t threshold = 0;
  std::int32_t hysteresis = 0;  ///< what a dim output needs above the threshold, in hundredths of a dB
  std::uint32_t los_assert = 0, los_release = 0;
  std::uint32_t ring_after = 0, ring = 0;
  std::uint8_t rings = 0;
};

/// What POWER reads where there is no light.
inline constexpr std::int32_t no_power = std::numeric_limits<std::int32_t>::min();

class Detector {
 public:
  /// Section 6: the output passes no words.
  bool dim() const { return dim_; }

  /// The mirror swings away from the light in the present cycle.
  bool rings() const { return swung_; }

  /// @param power what POWER reads, or would read
  bool misses(const LightSettings& settings, std::int32_t power) const {
    return power < settings.threshold + (dim_ ? settings.hysteresis : 0);
  }

  /// The end of cycle `c`, of an output that lacks light in it or not. @param lost the loss is asserted
  /// @return it is from now on, or isn't any longer.
  bool watch(const LightSettings& settings, Cycle c, bool missing, bool lost);

  /// The output goes on with its circuit from c + 1 on.
  void go_on(const LightSettings& settings, Cycle c, bool missing);

  /// It arrives at the end of cycle `c`. @param dark it finds no light
  void arrive(const LightSettings& settings, Cycle c, bool dark);

  /// Nothing counts and nothing rings.
  void rest(bool dim) { *this = Detector(dim); }

  /// The next cycle in which a count or a stretch ends.
  Cycle next_action() const { return std::min(decides_, stretch_ends_); }

  Detector() = default;

 private:
  explicit Detector(bool dim) : dim_(dim) {}
  void swing_back(const LightSettings& settings, Cycle c);
  void swing_away(const LightSettings& settings, Cycle c);
  void stand_still();

  bool dim_ = false;
  bool swung_ = false;
  std::uint8_t rings_ = 0;         ///< stretches without light that are left, one under way included
  Cycle decides_ = no_cycle;       ///< last cycle of a count: it asserts or releases at its end
  Cycle stretch_ends_ = no_cycle;  ///< last cycle of a stretch of ringing
};

}  // namespace ocs::model
