// From the file's text to placements, problems and plans.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/plan_file.hpp"

#include <algorithm>

#include "host/core/error.hpp"
#include "testbed/plans/plan_json.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_file_bytes = std::size_t{256} << 20;

FiledPhase phase_from_json(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  return {problem_from_json(fields.at("problem"), fields.place("problem")), plan_from_json(json, where)};
}

Placement placement_from_json(const Json& blocks, const std::string& where) {
  Placement placement;
  for (const Json& block : blocks) {
    const Fields fields(block, where + "[" + std::to_string(placement.shards.size()) + "]");
    placement.shards.push_back({.block = static_cast<std::uint32_t>(fields.whole("block", 0, 0xffff'ffff)),
                                .offset = {fields.whole("offset", 0, largest_tick, 0)},
                                .size = {fields.whole("bytes", 1, largest_tick)},
                                .server = Node{fields.port("server")}});
    placement.servers.push_back(placement.shards.back().server);
  }
  std::sort(placement.servers.begin(), placement.servers.end());
  placement.servers.erase(std::unique(placement.servers.begin(), placement.servers.end()), placement.servers.end());
  return placement;
}

FiledPlan plan_of_row(const Json& json, const std::string& where) {
  const Fields fields(json, where);
  FiledPlan plan{.policy = fields.text("policy", ""), .placement = {}, .push = {}, .pull = {}, .order = {}};
  if (fields.find("job") != nullptr) {
    plan.order = reservations_from_json(fields.list("reservations"), fields.place("reservations"));
    if (plan.order.empty()) refuse(fields.place("reservations") + " must have at least one reservation");
    return plan;
  }
  plan.push = phase_from_json(fields.at("push"), fields.place("push"));
  plan.pull = phase_from_json(fields.at("pull"), fields.place("pull"));
  if (fields.find("blocks") != nullptr)
    plan.placement = placement_from_json(fields.list("blocks"), fields.place("blocks"));
  return plan;
}

}  // namespace

std::vector<FiledPlan> plans_from_text(std::string_view text, const std::string& origin) {
  const Json json = parse_json(text, origin);
  const Fields fields(json, origin);
  fields.whole("schema_version", 1, 1);
  std::vector<FiledPlan> plans;
  for (const Json& plan : fields.list("plans"))
    plans.push_back(plan_of_row(plan, origin + ": plans[" + std::to_string(plans.size()) + "]"));
  return plans;
}

std::string plan_file_text(const std::filesystem::path& file) {
  return read_text_file(file, "file of plans", max_file_bytes);
}

std::vector<FiledPlan> read_plan_file(const std::filesystem::path& file) {
  return plans_from_text(plan_file_text(file), file.string());
}

}  // namespace ocs
