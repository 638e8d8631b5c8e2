// Chooses settings and writes their values.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/shown_settings.hpp"

#include <algorithm>
#include <array>
#include <string_view>

#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/point_scheduler.hpp"

namespace ocs {
namespace {

/// Shown even if the experiment leaves them at their defaults.
constexpr std::array<std::string_view, 12> of_every_job = {
    "fabric.device", "fabric.ports", "fabric.rate",    "fabric.tuning", "job.workload", "job.workers",
    "job.servers",   "job.sync",     "job.iterations", "job.compute",   "job.payload",  "seed"};

/// Names and policies have places of their own; `jobs` is a text that holds whole tables.
constexpr std::array<std::string_view, 3> shown_elsewhere = {"name", "jobs", "policy"};

bool has_effect(std::string_view key, const Point& point) {
  const std::span<const UnusedKey> conditions = keys_with_conditions();
  return std::none_of(conditions.begin(), conditions.end(),
                      [&](const UnusedKey& condition) { return condition.key == key && condition.in(point); });
}

}  // namespace

std::vector<ShownSetting> shown_settings(const Experiment& experiment, std::size_t row) {
  const Point& point = experiment.points.at(row);
  std::vector<ShownSetting> shown;
  for (std::size_t k = 0; k < experiment.settings.size(); ++k) {
    const Setting& setting = experiment.settings[k];
    const bool axis = setting.items.size() > 1;
    if (std::ranges::find(shown_elsewhere, setting.key) != shown_elsewhere.end()) continue;
    const bool wanted =
        setting.origin != "default" || std::ranges::find(of_every_job, setting.key) != of_every_job.end();
    if (!axis && !(wanted && has_effect(setting.key, point))) continue;
    ShownSetting& one = shown.emplace_back(
        ShownSetting{.key = setting.key, .value = as_written(item_of(experiment, row, k).value), .axis = axis});
    if (setting.key == "scheduler" && one.value.empty() && !point.packets)
      one.value = scheduler_name(point, find(policies(), point.policy, "policy"));
    if (setting.key == "job.payload" && setting.origin == "default") one.value = point.job.payload;
  }
  return shown;
}

}  // namespace ocs
