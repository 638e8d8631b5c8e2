// lightloop list: what can be named in an experiment file.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <iostream>
#include <memory>
#include <optional>
#include <utility>

#include "host/device/catalogue.hpp"
#include "host/scheduler/catalogue.hpp"
#include "host/scheduler/placers/allocation.hpp"
#include "testbed/apps/column_lists.hpp"
#include "testbed/apps/commands.hpp"
#include "testbed/apps/help/two_columns.hpp"
#include "testbed/apps/run/unknown_name.hpp"
#include "testbed/collectives/catalogue.hpp"
#include "testbed/experiment/experiment.hpp"
#include "testbed/experiment/files/switch_profile.hpp"
#include "testbed/experiment/keys/key_kinds.hpp"
#include "testbed/experiment/quantity.hpp"
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

/// @param name of a kind of job; empty: none
std::optional<JobKind> kind_named(const std::string& name) {
  if (name.empty()) return std::nullopt;
  const auto found = std::ranges::find(job_kinds(), name, &JobKindEntry::name);
  if (found != job_kinds().end()) return found->kind;
  std::vector<std::string> names;
  for (const JobKindEntry& entry : job_kinds()) names.emplace_back(entry.name);
  throw Error(ErrorKind::input, unknown_name("kind of job", name, names));
}

Lines key_lines(std::optional<JobKind> kind) {
  Lines lines;
  for (const Key& key : experiment_keys())
    if (!kind || has_key(*kind, key.name))
      lines.emplace_back(std::string(key.name) + " = " + std::string(key.fallback), key.summary);
  return lines;
}

Lines column_lines(const std::vector<ListedColumn>& columns) {
  Lines lines;
  for (const ListedColumn& column : columns) lines.push_back(list_line(column));
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
  bool markdown = false;
};

using Kind = std::optional<JobKind>;

struct ListEntry {
  std::string_view name;
  Lines (*lines)(const Environment&, Kind);
  bool of_kinds = false;                    ///< it has an own form for each kind of job
  std::string (*markdown)(Kind) = nullptr;  ///< null: it is no list of a page
};

constexpr std::array<ListEntry, 14> lists{{
    {"devices", [](const Environment&, Kind) { return lines_of(devices()); }},
    {"policies", [](const Environment&, Kind) { return policy_lines(); }},
    {"schedulers", [](const Environment&, Kind) { return lines_of(schedulers()); }},
    {"placers", [](const Environment&, Kind) { return lines_of(placers()); }},
    {"allocations", [](const Environment&, Kind) { return lines_of(allocations()); }},
    {"workloads", [](const Environment& given, Kind) { return workload_lines(given); }},
    {"sync", [](const Environment&, Kind) { return lines_of(sync_schemes()); }},
    {"collectives", [](const Environment&, Kind) { return collective_lines(); }},
    {"selections", [](const Environment&, Kind) { return lines_of(receiver_selections()); }},
    {"switches", [](const Environment& given, Kind) { return switch_lines(given); }},
    {"kinds", [](const Environment&, Kind) { return lines_of(job_kinds()); }},
    {"keys", [](const Environment&, Kind kind) { return key_lines(kind); }, true},
    {"columns", [](const Environment&, Kind kind) { return column_lines(listed_columns(kind)); }, true,
     [](Kind kind) { return markdown_list(listed_columns(kind)); }},
    {"job_columns", [](const Environment&, Kind kind) { return column_lines(listed_job_columns(kind)); }, true,
     [](Kind kind) { return markdown_list(listed_job_columns(kind)); }},
}};

std::vector<std::string> list_names() {
  std::vector<std::string> names;
  names.reserve(lists.size());
  for (const ListEntry& entry : lists) names.emplace_back(entry.name);
  return names;
}

/// Without those whose name does not contain a text.
void keep_like(Lines& lines, const ListArguments& arguments) {
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
}

void list(const ListArguments& arguments, const Environment& environment) {
  const auto found = std::ranges::find(lists, arguments.list, &ListEntry::name);
  if (found == lists.end()) throw Error(ErrorKind::input, unknown_name("list", arguments.list, list_names()));
  const auto refuse = [](const char* sentence) { throw Error(ErrorKind::input, sentence); };
  if (!arguments.kind.empty() && !found->of_kinds)
    refuse("--for is an option of the lists keys, columns and job_columns");
  if (arguments.markdown && found->markdown == nullptr)
    refuse("--markdown is an option of the lists columns and job_columns");
  if (arguments.markdown && !arguments.filter.empty()) refuse("--markdown prints the whole list and takes no FILTER");
  const Kind kind = kind_named(arguments.kind);
  if (arguments.markdown) {
    std::cout << found->markdown(kind);
    return;
  }
  Lines lines = found->lines(environment, kind);
  keep_like(lines, arguments);
  arguments.list == "keys" ? print_keys(lines) : print(lines);
}

}  // namespace

void add_list(CLI::App& app, Action& action) {
  CLI::App* command = app.add_subcommand("list", "Lists the names and keys that an experiment file can have.");
  const auto arguments = std::make_shared<ListArguments>();
  command->add_option("LIST", arguments->list, joined(list_names()))->type_name("")->required();
  command->add_option("FILTER", arguments->filter, "prints only names and keys that contain this text")->type_name("");
  command
      ->add_option("--for", arguments->kind,
                   "of keys and columns: prints those of one kind of job (`lightloop list kinds`)")
      ->type_name("KIND");
  command->add_flag("--markdown", arguments->markdown, "of columns: prints the list of docs/results.md");
  command->callback(
      [arguments, &action] { action = [arguments](const Environment& given) { list(*arguments, given); }; });
}

}  // namespace ocs
