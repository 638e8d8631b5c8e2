// One refusal a key.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/packets.hpp"

#include <string>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {

void check_packets(const Point& point, const Origins& origins) {
  const auto must = [&](bool holds, const char* key, const std::string& what, const char* right) {
    if (!holds)
      throw Error(ErrorKind::input, origin_of(origins, {key, "network"}) + ": " + key + " is " + what +
                                        ", but must be " + right +
                                        " with network \"packet\", where ports are shared and nothing is switched");
  };
  const FabricSettings& fabric = point.fabric;
  const PlanningSettings& planning = point.planning;
  must(!fabric.all_stop, "fabric.all_stop", "true", "false");
  must(!fabric.words_cross, "fabric.fidelity", "\"word\"", "\"burst\"");
  must(point.control.mode == "confirmed", "control.mode", in_quotes(point.control.mode), "\"confirmed\"");
  must(!planning.outside, "scheduler", in_quotes(planning.scheduler), "one of lightloop's, or \"\"");
  must(planning.charge == PlanningSettings::Charge::none, "charge_planning", in_quotes(planning.charge_text),
       "\"none\"");
}

void without_switch(Row& row) {
  row.network = "packet";
  row.scheduler = row.device = row.switch_name = row.control = row.extra_tuning = "";
  row.programming.reset();
  row.neighbours.reset();
  row.light.reset();
  row.tuning = row.locking = row.delta = row.guard = row.lead = Picos{0};
  RequestedTimes& requested = row.requested;
  requested.tuning = requested.locking = requested.guard = requested.lead = Picos{0};
}

}  // namespace ocs
