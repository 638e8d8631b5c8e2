// The light at the outputs: power, detectors and mirrors that ring, section 6 of the contract.
// SPDX-License-Identifier: Apache-2.0
#include "sysc/core/fabric.hpp"

namespace ocs::sysc {
namespace {

bool is_lost(State state, Cause cause) { return state == State::failed && cause == Cause::light; }

/// The detector works.
bool looks(State state, Cause cause) {
  return state == State::locking || state == State::up || state == State::held || is_lost(state, cause);
}

}  // namespace

std::int32_t Fabric::power_from(std::size_t o, Port i) const {
  return light(o, i) ? engines_[i].laser - outputs_[o].set.loss : no_power;
}

std::int32_t Fabric::power(std::size_t o) const {
  const Output& out = outputs_[o];
  return looks(out.state, out.cause) && !out.swung ? power_from(o, out.selected.input) : no_power;
}

bool Fabric::lacks_light(std::size_t o) const { return power(o) < threshold + (outputs_[o].dim ? hysteresis : 0); }

/// What the detectors say in this cycle; a count begins, ends or is given up.
void Fabric::watch() {
  for (std::size_t o = 0; o < ports(); ++o) {
    const Output& out = outputs_[o];
    missing_[o] = turns_[o] = false;
    if (!level_on || !looks(out.state, out.cause)) continue;
    const bool lost = is_lost(out.state, out.cause);
    missing_[o] = lacks_light(o);
    Cycle decides = due_.of(detector_slot(o));
    if (missing_[o] == lost)
      decides = no_cycle;
    else if (decides == no_cycle)
      decides = time_ + (lost ? los_release : los_assert);
    turns_[o] = decides == time_;
    due_.set(detector_slot(o), turns_[o] ? no_cycle : decides);
  }
}

/// What the next cycle finds of each detector and of each ring; outputs still select what they did.
void Fabric::lights() {
  for (std::size_t o = 0; o < ports(); ++o) {
    Output& out = outputs_[o];
    const Next& next = next_[o];
    const bool works = level_on && looks(next.state, next.cause);
    const bool goes_on = works && !next.arrives;
    const bool dim = goes_on ? missing_[o] : is_lost(next.state, next.cause);
    if (dim != out.dim) {
      if (out.selected.valid) count_words_until(out.selected.input, time_ + 1);
      if (out.state == State::up) end_segment(o);
      out.dim = dim;
    }
    if (goes_on) {
      if (due_.of(ring_slot(o)) == time_) ring_on(o);
      continue;
    }
    due_.set(detector_slot(o), no_cycle);
    stand_still(o);
    if (!works || ring == 0 || rings == 0) continue;
    out.swings_left = rings;
    swing_back(o);
  }
}

/// A stretch of ringing ends.
void Fabric::ring_on(std::size_t o) {
  Output& out = outputs_[o];
  if (!out.swung) return swing_away(o);
  if (--out.swings_left == 0) return stand_still(o);
  swing_back(o);
}

/// With light from the next cycle on; at once away again if that lasts no cycle.
void Fabric::swing_back(std::size_t o) {
  if (ring_after == 0) return swing_away(o);
  outputs_[o].swung = false;
  due_.set(ring_slot(o), time_ + ring_after);
}

/// Without light from the next cycle on.
void Fabric::swing_away(std::size_t o) {
  if (ring == 0) return stand_still(o);
  outputs_[o].swung = true;
  due_.set(ring_slot(o), time_ + ring);
}

void Fabric::stand_still(std::size_t o) {
  outputs_[o].swung = false;
  due_.set(ring_slot(o), no_cycle);
}

/// In the next cycle a detector may see at once what it hasn't seen in this one.
void Fabric::look_again() {
  if (!level_on) return;
  for (std::size_t o = 0; o < ports(); ++o)
    if (looks(outputs_[o].state, outputs_[o].cause) && lacks_light(o) != outputs_[o].dim)
      due_.set(now_slot(), time_ + 1);
}

}  // namespace ocs::sysc
