// How a mirror comes to rest, and how much light is missing meanwhile.
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace ocs::sysc {

/// A mirror as an underdamped second-order system that is told to move at time 0. Time is in units in which it has
/// settled, for good, at 1: when the light that misses the fibre stays below `tuned_within_db`.
class SettlingCurve {
 public:
  /// @param damping ratio, above 0 and below 1.
  /// @param misaligned_db loss at the angle where the movement begins (it grows with the square of the angle for a
  /// Gaussian beam), above tuned_within_db. @param tuned_within_db above 0.
  /// @throws ocs::Error (input) out of these ranges.
  SettlingCurve(double damping, double misaligned_db, double tuned_within_db);

  /// Angle that is missing at `time` >= 0, as a part of the whole movement; overshoot is negative.
  double angle(double time) const;
  /// Loss by misalignment, in dB.
  double loss_db(double time) const;

 private:
  double phase_angle(double phase) const;

  double damping_, misaligned_db_;
  double settled_ = 0;  ///< phase, natural frequency times time, at which it has settled
};

}  // namespace ocs::sysc
