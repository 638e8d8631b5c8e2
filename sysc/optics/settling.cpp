// The last time that the loss crosses its limit, found from the envelope backwards.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/optics/settling.hpp"

#include <cmath>
#include <string>

#include "host/core/error.hpp"

namespace ocs::sysc {
namespace {

void require_settling(bool right, const char* what, double value, const std::string& range) {
  if (!right)
    throw Error(ErrorKind::input,
                std::string("optics: ") + what + " is " + std::to_string(value) + ", but must be " + range);
}

}  // namespace

SettlingCurve::SettlingCurve(double damping, double misaligned_db, double tuned_within_db)
    : damping_(damping), misaligned_db_(misaligned_db) {
  require_settling(damping > 0.01 && damping < 0.99, "damping", damping, "from 0.01 to 0.99");
  require_settling(tuned_within_db > 0, "tuned_within_db", tuned_within_db, "above 0");
  require_settling(misaligned_db > tuned_within_db && misaligned_db < 1000, "misaligned_db", misaligned_db,
                   "above tuned_within_db and below 1000");
  const double limit = std::sqrt(tuned_within_db / misaligned_db);
  const double envelope = 1 / std::sqrt(1 - damping * damping);
  constexpr double grid = 1e-3;
  double phase = std::log(envelope / limit) / damping;
  while (std::abs(phase_angle(phase)) <= limit) phase -= grid;
  double outside = phase, inside = phase + grid;
  for (int k = 0; k < 60; ++k) {
    const double middle = (outside + inside) / 2;
    (std::abs(phase_angle(middle)) > limit ? outside : inside) = middle;
  }
  settled_ = inside;
}

double SettlingCurve::phase_angle(double phase) const {
  const double ringing = std::sqrt(1 - damping_ * damping_);
  return std::exp(-damping_ * phase) * (std::cos(ringing * phase) + damping_ / ringing * std::sin(ringing * phase));
}

double SettlingCurve::angle(double time) const { return phase_angle(time * settled_); }

double SettlingCurve::loss_db(double time) const { return misaligned_db_ * angle(time) * angle(time); }

}  // namespace ocs::sysc
