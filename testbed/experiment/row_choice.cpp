// Zips axes, counts their cross product, and holds each combination against the tables.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/row_choice.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "host/core/error.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_combinations = 1'000'000;
constexpr std::string_view zip = "zip#", only = "only#", skip = "skip#";

std::optional<std::size_t> number_of(std::span<const Setting> settings, std::string_view key) {
  const auto found =
      std::find_if(settings.begin(), settings.end(), [&](const Setting& setting) { return setting.key == key; });
  if (found == settings.end()) return std::nullopt;
  return static_cast<std::size_t>(found - settings.begin());
}

std::size_t key_named(std::span<const Setting> settings, std::string_view key, const std::string& origin,
                      const std::string& where) {
  if (const auto number = number_of(settings, key)) return *number;
  std::vector<std::string> known;
  for (const Setting& setting : settings) known.push_back(setting.key);
  const std::string like = nearest(key, known);
  refuse(origin, where + " names " + in_quotes(key) + ", but must name keys of the experiment" +
                     (like.empty() ? "" : "; did you mean " + in_quotes(like) + "?"));
}

std::string value_count(std::size_t count) { return std::to_string(count) + (count == 1 ? " value" : " values"); }

/// Returns for each key the first key of its group; itself if it isn't zipped.
std::vector<std::size_t> leaders_of(std::span<const Setting> settings, std::span<const Setting> chosen) {
  std::vector<std::size_t> leaders(settings.size());
  for (std::size_t k = 0; k < leaders.size(); ++k) leaders[k] = k;
  std::vector<bool> zipped(settings.size());
  for (const Setting& group : chosen) {
    if (!group.key.starts_with(zip)) continue;
    if (group.items.size() < 2) refuse(group.origin, "zip must have at least two keys in each of its lists");
    std::vector<std::size_t> keys;
    for (const Setting::Item& item : group.items) {
      const auto* name = std::get_if<std::string>(&item.value);
      if (name == nullptr) refuse(item.origin, "zip holds " + to_text(item.value) + ", but must hold names of keys");
      keys.push_back(key_named(settings, *name, item.origin, "zip"));
      if (zipped[keys.back()]) refuse(item.origin, "zip names " + in_quotes(*name) + " twice, but must name it once");
      zipped[keys.back()] = true;
      const Setting &first = settings[keys.front()], &here = settings[keys.back()];
      if (first.items.size() != here.items.size())
        refuse(item.origin, "zip pairs " + first.key + " of " + value_count(first.items.size()) + " with " + here.key +
                                " of " + value_count(here.items.size()) + ", but both must have as many");
    }
    const std::size_t leader = *std::min_element(keys.begin(), keys.end());
    for (const std::size_t key : keys) leaders[key] = leader;
  }
  return leaders;
}

/// A table [[only]] or [[skip]]: for each key that it names, which of its values it wants.
struct Table {
  bool only;
  std::map<std::size_t, std::vector<bool>> wanted;
};

std::vector<Table> tables_of(std::span<const Setting> settings, std::span<const Setting> chosen,
                             const RowChoice::Same& same) {
  std::map<std::string, Table> tables;
  for (const Setting& setting : chosen) {
    if (setting.key.starts_with(zip)) continue;
    const bool is_only = setting.key.starts_with(only);
    const std::string name = is_only ? "[[only]]" : "[[skip]]";
    const std::size_t dot = setting.key.find('.');
    if (dot == std::string::npos)
      refuse(setting.origin, "a table " + name + " is empty, but must name values, such as policy = \"hlf\"");
    const std::size_t key = key_named(settings, std::string_view(setting.key).substr(dot + 1), setting.origin, name);
    if (setting.items.empty())
      refuse(setting.origin, name + " has the empty table " + in_quotes(setting.key.substr(dot + 1)) +
                                 ", but must name values, such as policy = \"hlf\"");
    Table& table = tables[setting.key.substr(0, dot)];
    table.only = is_only;
    std::vector<bool>& wanted = table.wanted[key];
    wanted.reserve(settings[key].items.size());
    for (const Setting::Item& item : settings[key].items)
      wanted.push_back(std::any_of(setting.items.begin(), setting.items.end(),
                                   [&](const Setting::Item& one) { return same(key, one, item); }));
  }
  std::vector<Table> list;
  list.reserve(tables.size());
  for (auto& [name, table] : tables) list.push_back(std::move(table));
  return list;
}

/// Refuses a value, or a combination of zipped values, that would make a row twice.
void check_values(std::span<const Setting> settings, const std::vector<std::size_t>& leaders, std::size_t leader) {
  std::vector<std::size_t> keys;
  for (std::size_t k = 0; k < settings.size(); ++k)
    if (leaders[k] == leader) keys.push_back(k);
  std::set<std::string> seen;
  for (std::size_t at = 0; at < settings[leader].items.size(); ++at) {
    std::string values, whole;  // what is shown of a long text may be what is shown of another
    for (const std::size_t k : keys) {
      const std::string shown = to_text(settings[k].items[at].value);
      values += (values.empty() ? "" : ", ") + settings[k].key + " = " + shown;
      whole += shown + as_written(settings[k].items[at].value) + '\n';
    }
    if (!seen.insert(whole).second)
      refuse(settings[leader].items[at].origin,
             "an axis has " + values + " twice, but must have each value once: both would make the same rows");
  }
}

}  // namespace

bool chooses_rows(const Setting& setting) {
  const std::string_view key = setting.key;
  return key.starts_with(zip) || key.starts_with(only) || key.starts_with(skip);
}

RowChoice::RowChoice(std::span<const Setting> settings, std::span<const Setting> chosen, const Same& same)
    : places_(settings.size()) {
  const std::vector<std::size_t> leaders = leaders_of(settings, chosen);
  std::size_t combinations = 1;
  for (std::size_t k = settings.size(); k-- > 0;) {  // the last axis varies fastest
    if (leaders[k] != k) continue;
    check_values(settings, leaders, k);
    places_[k] = {combinations, settings[k].items.size()};
    combinations *= places_[k].size;
    if (combinations > most_combinations)
      refuse(settings[k].origin,
             "the axes make more than " + std::to_string(most_combinations) + " combinations, the most allowed");
  }
  for (std::size_t k = 0; k < settings.size(); ++k) places_[k] = places_[leaders[k]];
  const std::vector<Table> tables = tables_of(settings, chosen, same);
  const bool choosy = std::any_of(tables.begin(), tables.end(), [](const Table& table) { return table.only; });
  for (std::size_t number = 0; number < combinations; ++number) {
    bool in = !choosy, out = false;
    for (const Table& table : tables) {
      const bool matches = std::all_of(table.wanted.begin(), table.wanted.end(),
                                       [&](const auto& each) { return each.second[item_at(number, each.first)]; });
      (table.only ? in : out) |= matches;
    }
    if (in && !out) numbers_.push_back(number);
  }
  if (numbers_.empty())
    refuse(chosen.front().origin, "[[only]] and [[skip]] leave none of " + std::to_string(combinations) +
                                      (combinations == 1 ? " row" : " rows") + ", but must leave at least one");
}

}  // namespace ocs
