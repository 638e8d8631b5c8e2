// Words for types and for the rows that have a column.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/column.hpp"

#include <array>
#include <utility>

namespace ocs {
namespace {

constexpr std::array<std::pair<RunFeature, std::string_view>, 20> feature_words{{
    {RunFeature::phases, "in phases"},
    {RunFeature::circuits, "over circuits"},
    {RunFeature::one_plane, "on one plane"},
    {RunFeature::fixed_rates, "without nodes.rate_trace"},
    {RunFeature::placed, "with server_load placed"},
    {RunFeature::owned_keys, "with server_load static or adaptive"},
    {RunFeature::real_gradients, "with real gradients"},
    {RunFeature::coflows, "of coflows alone"},
    {RunFeature::whole_jobs, "of whole jobs"},
    {RunFeature::exact_switch, "on a cycle-exact switch"},
    {RunFeature::wall_clock, "on a wall-clock switch"},
    {RunFeature::charged, "with charge_planning"},
    {RunFeature::serial, "with fabric.program_time"},
    {RunFeature::unsteady, "with fabric.jitter, fabric.mirror_faults or fabric.receivers"},
    {RunFeature::timetable, "by timetable"},
    {RunFeature::drift, "with nodes.clock_drift"},
    {RunFeature::far, "with nodes.extra_fibre"},
    {RunFeature::neighbours, "with fabric.neighbours"},
    {RunFeature::light, "with fabric.light"},
    {RunFeature::failure, "that failed"},
}};

}  // namespace

std::string presence_text(const Presence& presence) {
  std::string text;
  const auto add = [&](std::string_view between, std::string_view word) {
    if (!text.empty()) text += between;
    text += word;
  };
  if (presence.kinds == all_job_kinds) {
    add("", "all kinds");
  } else {
    for (std::size_t k = 0; k < job_kind_names.size(); ++k)
      if ((presence.kinds >> k & 1U) != 0) add(", ", job_kind_names[k]);
  }
  std::string_view between = ": ";
  for (const auto& [feature, words] : feature_words)
    if ((presence.features & feature_set(feature)) != 0) add(std::exchange(between, ", "), words);
  if (presence.or_null) add("; ", "or null");
  return text;
}

std::string_view name_of(ColumnType type) {
  switch (type) {
    case ColumnType::whole:
      return "integer";
    case ColumnType::real:
      return "number";
    case ColumnType::text:
      break;
  }
  return "text";
}

}  // namespace ocs
