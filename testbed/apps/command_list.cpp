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
#include "testbed/apps/two_columns.hpp"
#include "testbed/apps/unknown_name.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/key_kinds.hpp"
#include "testbed/experiment/quantity.hpp"
#include "testbed/experiment/switch_profile.hpp"
#include "testbed/results/row.hpp"
#include "testbed/selection/catalogue.hpp"
#include "testbed/sync/catalogue.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

/// Names and defaults, each with its summary.
using Lines = std::vector<std::pair<std::string, std::string>>;

template <class E>
Lines lines_of(std::span<const E> catalogue) {
  Lines lines;
  for (const E& entry : catalogue) lines.emplace_back(entry.name, entry.summary);
  return lines;
}

/// job.collective and job.algorithm; the first of each is its default.
Lines collective_lines() {
  Lines lines;
  for (const CollectiveEntry& entry : collectives())
    lines.emplace_back(std::string(name_of(entry.kind)) + " " + std::string(entry.name), entry.summary);
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

/// The columns of a row, or of one of its jobs.
template <class Column>
Lines column_lines(std::span<const Column> columns) {
  using Type = typename Column::Type;
  Lines lines;
  for (const Column& column : columns) {
    const char* type = column.type == Type::whole ? " integer" : column.type == Type::real ? " number" : " text";
    lines.emplace_back(std::string(column.name) + type, column.meaning);
  }
  return lines;
}

/// @param kind of job, by name; empty: any
Lines key_lines(const std::string& kind) {
  const auto wanted = std::ranges::find(job_kinds(), kind, &JobKindEntry::name);
  if (wanted == job_kinds().end() && !kind.empty()) {
    std::vector<std::string> names;
    for (const JobKindEntry& entry : job_kinds()) names.emplace_back(entry.name);
    throw Error(ErrorKind::input, unknown_name("kind of job", kind, names));
  }
  Lines lines;
  for (const Key& key : experiment_keys())
    if (kind.empty() || has_key(wanted->kind, key.name))
      lines.emplace_back(std::string(key.name) + " = " + std::string(key.fallback), key.summary);
  return lines;
}

/// Name and summary in two columns.
void print(const Lines& lines) {
  constexpr std::size_t most_name = 32;
  std::size_t width = 0;
  for (const auto& [name, summary] : lines) width = std::max(width, std::min(name.size(), most_name));
  for (const auto& [name, summary] : lines) std::cout << two_columns(name, summary, width + 2);
}

/// The keys of each table together, tables in the order of their first keys.
void print_keys(const Lines& lines) {
  std::vector<std::pair<std::string, Lines>> tables;
  for (const auto& line : lines) {
    const std::size_t dot = line.first.substr(0, line.first.find(' ')).find('.');
    const std::string table = dot == std::string::npos ? "" : line.first.substr(0, dot);
    auto found = std::ranges::find(tables, table, &std::pair<std::string, Lines>::first);
    if (found == tables.end()) found = tables.insert(tables.end(), {table, {}});
    found->second.push_back(line);
  }
  for (const auto& [table, keys] : tables) {
    if (&keys != &tables.front().second) std::cout << '\n';
    std::cout << (table.empty() ? "outside tables" : "[" + table + "]") << '\n';
    print(keys);
  }
}

struct ListArguments {
  std::string list, filter, kind;
};

using Maker = Lines (*)(const Environment&);

const std::vector<std::pair<std::string, Maker>> lists{
    {"devices", [](const Environment&) { return lines_of(devices()); }},
    {"policies", [](const Environment&) { return policy_lines(); }},
    {"schedulers", [](const Environment&) { return lines_of(schedulers()); }},
    {"placers", [](const Environment&) { return lines_of(placers()); }},
    {"allocations", [](const Environment&) { return lines_of(allocations()); }},
    {"workloads", workload_lines},
    {"sync", [](const Environment&) { return lines_of(sync_schemes()); }},
    {"collectives", [](const Environment&) { return collective_lines(); }},
    {"selections", [](const Environment&) { return lines_of(receiver_selections()); }},
    {"switches", switch_lines},
    {"kinds", [](const Environment&) { return lines_of(job_kinds()); }},
    {"keys", [](const Environment&) { return key_lines({}); }},
    {"columns", [](const Environment&) { return column_lines(row_columns()); }},
    {"job_columns", [](const Environment&) { return column_lines(job_columns()); }},
};

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  names.reserve(lists.size());
  for (const auto& [name, maker] : lists) names.push_back(name);
  return names;
}

void list(const ListArguments& arguments, const Environment& environment) {
  const auto found = std::ranges::find(lists, arguments.list, &std::pair<std::string, Maker>::first);
  if (found == lists.end()) throw Error(ErrorKind::input, unknown_name("list", arguments.list, list_names()));
  if (!arguments.kind.empty() && arguments.list != "keys")
    throw Error(ErrorKind::input, "--for is an option of `lightloop list keys`");
  Lines lines = arguments.kind.empty() ? found->second(environment) : key_lines(arguments.kind);
  std::vector<std::string> names;
  for (const auto& line : lines) {
    const std::string name = line.first.substr(0, line.first.find(' '));
    if (const std::size_t dot = name.find('.'); dot != std::string::npos) names.push_back(name.substr(0, dot));
    names.push_back(name);
  }
  std::erase_if(lines, [&](const auto& line) { return line.first.find(arguments.filter) == std::string::npos; });
  if (lines.empty() && !arguments.filter.empty()) {
    const std::string like = nearest(arguments.filter, names);
    throw Error(ErrorKind::input, "none of the " + arguments.list + " contains " + in_quotes(arguments.filter) +
                                      (like.empty() ? "" : "; did you mean " + in_quotes(like) + "?"));
  }
  arguments.list == "keys" ? print_keys(lines) : print(lines);
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "Lists the names and keys that an experiment file can have.");
  const auto arguments = std::make_shared<ListArguments>();
  command->add_option("LIST", arguments->list, joined(list_names()))->type_name("")->required();
  command->add_option("FILTER", arguments->filter, "prints only names and keys that contain this text")->type_name("");
  command->add_option("--for", arguments->kind, "of keys: prints those of one kind of job (`lightloop list kinds`)")
      ->type_name("KIND");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { list(*arguments, given); }; });
}

}  // namespace ocs
