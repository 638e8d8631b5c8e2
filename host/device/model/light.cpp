// Detectors and ringing (section 6).
// SPDX-License-Identifier: Apache-2.0
#include "host/device/model/light.hpp"

namespace ocs::model {

bool Detector::watch(const LightSettings& settings, Cycle c, bool missing, bool lost) {
  if (missing == lost) {
    decides_ = no_cycle;
    return false;
  }
  if (decides_ == no_cycle) decides_ = c + (lost ? settings.los_release : settings.los_assert);
  if (decides_ != c) return false;
  decides_ = no_cycle;
  return true;
}

void Detector::go_on(const LightSettings& settings, Cycle c, bool missing) {
  dim_ = missing;
  if (stretch_ends_ != c) return;
  if (!swung_)
    swing_away(settings, c);
  else if (--rings_ > 0)
    swing_back(settings, c);
  else
    stand_still();
}

void Detector::arrive(const LightSettings& settings, Cycle c, bool dark) {
  rest(dark);
  if (!settings.on || settings.ring == 0 || settings.rings == 0) return;
  rings_ = settings.rings;
  swing_back(settings, c);
}

/// A stretch with light from c + 1 on; left out if it has no cycles.
void Detector::swing_back(const LightSettings& settings, Cycle c) {
  if (settings.ring_after == 0) return swing_away(settings, c);
  swung_ = false;
  stretch_ends_ = c + settings.ring_after;
}

/// A stretch without light from c + 1 on; the end of all ringing if it has no cycles.
void Detector::swing_away(const LightSettings& settings, Cycle c) {
  if (settings.ring == 0) return stand_still();
  swung_ = true;
  stretch_ends_ = c + settings.ring;
}

void Detector::stand_still() {
  swung_ = false;
  stretch_ends_ = no_cycle;
}

}  // namespace ocs::model
