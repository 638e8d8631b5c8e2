// lightloop list: what can be named in an experiment file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <iostream>
#include <memory>
#include <utility>

#include "host/device/catalogue.hpp"
#include "host/scheduler/allocation.hpp"
#include "host/scheduler/catalogue.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/switch_profile.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/sync/catalogue.hpp"

namespace ocs {
namespace {

using Lines = std::vector<std::pair<std::string, std::string>>;

template <class E>
Lines lines_of(std::span<const E> catalogue) {
  Lines lines;
  for (const E& entry : catalogue) lines.emplace_back(entry.name, entry.summary);
  return lines;
}

Lines policy_lines() {
  Lines lines;
  for (const Policy& policy : policies())
    lines.emplace_back(policy.name, std::string(policy.summary) + " (placer " + std::string(policy.placer) +
                                        ", allocation " + std::string(policy.allocation) + ", scheduler " +
                                        std::string(policy.scheduler) + ")");
  return lines;
}

Lines workload_lines(const Environment& environment) {
  const std::filesystem::path folder = environment.data / "workloads";
  Lines lines;
  for (const std::string& name : workload_names(folder)) {
    const Workload workload = load_workload(name, folder, folder);
    lines.emplace_back(
        name, std::to_string(workload.tensors.size()) + " tensors, " + to_text(workload.total.n, Dimension::size));
  }
  return lines;
}

Lines switch_lines(const Environment& environment) {
  Lines lines;
  for (const std::string& name : switch_names(environment.switches)) {
    const SwitchProfile profile = load_switch_profile(name, environment.switches, {});
    lines.emplace_back(name, profile.summary + ", " + std::to_string(profile.ports) + " ports");
  }
  return lines;
}

Lines key_lines() {
  Lines lines;
  for (const Key& key : experiment_keys())
    lines.emplace_back(std::string(key.name) + " = " + std::string(key.fallback), key.summary);
  return lines;
}

void print(const Lines& lines) {
  std::size_t width = 0;
  for (const auto& [name, summary] : lines) width = std::max(width, std::min<std::size_t>(name.size(), 32));
  for (const auto& [name, summary] : lines)
    std::cout << name << std::string(width - std::min(width, name.size()) + 2, ' ') << summary << '\n';
}

void list(const std::string& what, const Environment& environment) {
  if (what == "devices") print(lines_of(devices()));
  if (what == "policies") print(policy_lines());
  if (what == "schedulers") print(lines_of(schedulers()));
  if (what == "placers") print(lines_of(placers()));
  if (what == "allocations") print(lines_of(allocations()));
  if (what == "workloads") print(workload_lines(environment));
  if (what == "sync") print(lines_of(sync_schemes()));
  if (what == "collectives") print(lines_of(collectives()));
  if (what == "selections") print(lines_of(receiver_selections()));
  if (what == "switches") print(switch_lines(environment));
  if (what == "keys") print(key_lines());
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "Lists what an experiment file can name, a line each.");
  const auto what = std::make_shared<std::string>();
  command->add_option("WHAT", *what, "which list")
      ->required()
      ->check(CLI::IsMember({"devices", "policies", "schedulers", "placers", "allocations", "workloads", "sync",
                             "collectives", "selections", "switches", "keys"}));
  command->callback([what, &action] { action = [what](const Environment& given) { list(*what, given); }; });
}

}  // namespace ocs
