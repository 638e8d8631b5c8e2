// Columns that are known without a run.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/failed_row.hpp"

#include <algorithm>
#include <iterator>

namespace ocs {
namespace {

constexpr std::string_view known_before[] = {"policy",
                                             "scheduler",
                                             "placer",
                                             "device",
                                             "seed",
                                             "workload",
                                             "workers",
                                             "servers",
                                             "delta_ps",
                                             "rate_bps",
                                             "iterations",
                                             "payload",
                                             "version",
                                             "name",
                                             "ports",
                                             "cycle_ps",
                                             "word_bytes",
                                             "tuning_ps",
                                             "tuning_requested_ps",
                                             "locking_ps",
                                             "locking_requested_ps",
                                             "time_warp",
                                             "sync",
                                             "compute_ps",
                                             "transport",
                                             "control",
                                             "workload_bytes",
                                             "guard_ps",
                                             "guard_requested_ps",
                                             "lead_ps",
                                             "lead_requested_ps",
                                             "fibre_ps",
                                             "fibre_requested_ps",
                                             "clock_offset",
                                             "control_latency_ps",
                                             "clock_spread_ps",
                                             "clock_spread_requested_ps",
                                             "retransmit",
                                             "switch",
                                             "allocation",
                                             "colocated",
                                             "all_stop",
                                             "fidelity",
                                             "node_rates",
                                             "rate_trace",
                                             "extra_tuning",
                                             "charge_planning",
                                             "reproducible",
                                             "planes",
                                             "outages",
                                             "sync_settings",
                                             "duration_ps",
                                             "deaths",
                                             "compute_model",
                                             "fusion_bytes",
                                             "slice_bytes",
                                             "overlap",
                                             "priorities",
                                             "collective",
                                             "server_load",
                                             "load_settings",
                                             "network",
                                             "gradients",
                                             "error",
                                             "learning_settings"};

}  // namespace

std::vector<std::pair<std::string, Value>> failed_fields(const Row& row) {
  std::vector<std::pair<std::string, Value>> fields = to_fields(row);
  for (auto& [name, value] : fields)
    if (std::find(std::begin(known_before), std::end(known_before), name) == std::end(known_before))
      value = std::monostate{};
  return fields;
}

}  // namespace ocs
