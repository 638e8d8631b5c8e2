// The light of the outputs: power, what mirrors that are stuck show, detectors (section 6).
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "host/device/model/crossbar.hpp"

namespace ocs::model {

/// The power at the output if it selects `in`, but for a ring.
std::int32_t Crossbar::power(std::size_t o, Selection in) const {
  return light(o, in) ? powers_[index(*in)].laser - powers_[o].loss : no_power;
}

std::int32_t Crossbar::power(std::size_t o) const {
  const Port& out = outputs_[o];
  return out.detecting() && !out.detector.rings() ? power(o, out.selected) : no_power;
}

Selection Crossbar::misrouted(std::size_t o) const {
  const Port& out = outputs_[o];
  return out.cause == Cause::misrouted && light(o, out.position) ? out.position : std::nullopt;
}

/// Section 6: which outputs miss their light in cycle `c`, and at which a loss is asserted or released at its end.
void Crossbar::watch(Cycle c) {
  missing_.reset();
  if (!light_settings_.on) return;
  for (std::size_t o = 0; o < size(); ++o) {
    Port& out = outputs_[o];
    if (!out.detecting()) continue;
    missing_[o] = out.detector.misses(light_settings_, power(o));
    turning_[o] = out.detector.watch(light_settings_, c, missing_[o], out.lost());
  }
}

Cycle Crossbar::next_of_detectors(Cycle now) const {
  Cycle next = no_cycle;
  for (std::size_t o = 0; o < size(); ++o) {
    const Port& out = outputs_[o];
    if (!out.detecting()) continue;
    const bool dim_next = light_settings_.on ? out.detector.misses(light_settings_, power(o)) : out.lost();
    if (dim_next != out.detector.dim()) return now;
    next = std::min(next, out.detector.next_action());
  }
  return next;
}

/// What the light filter goes by: whether the output is without light with its next selection.
bool Crossbar::dark(std::size_t o, const Move& move) const {
  if (!light_settings_.on) return !light(o, move.selected);
  if (move.tuned) return power(o, move.selected) < light_settings_.threshold;
  return outputs_[o].lost() != turning_[o];
}

/// Section 6: what the detectors and the mirrors that ring do with the next cycle. @return outputs dim from then on.
PortMask Crossbar::dim(Cycle c, const PortMask& entered) {
  PortMask dimmed;
  for (std::size_t o = 0; o < size(); ++o) {
    Port& out = outputs_[o];
    const bool was_dim = out.detector.dim();
    if (entered[o] && moves_[o].tuned)
      out.detector.arrive(light_settings_, c, out.lost());
    else if (light_settings_.on && out.detecting())
      out.detector.go_on(light_settings_, c, missing_[o]);
    else
      out.detector.rest(out.lost());
    dimmed[o] = out.detector.dim() && !was_dim;
  }
  turning_.reset();
  detected_ = light_settings_.on;
  return dimmed;
}

}  // namespace ocs::model
