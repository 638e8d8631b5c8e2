// Chooses between the two controllers.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/plan_controller.hpp"

#include "host/controller/confirmed.hpp"
#include "host/controller/timetable.hpp"

namespace ocs {

std::unique_ptr<PlanController> make_controller(Switch& plane, const ControlTimes& times, bool online) {
  if (times.mode == ControlMode::timetable) return std::make_unique<TimetableController>(plane, times, online);
  return std::make_unique<ConfirmedController>(plane, times);
}

}  // namespace ocs
