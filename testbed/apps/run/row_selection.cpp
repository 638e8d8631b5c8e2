// Shards and names of rows.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/row_selection.hpp"

#include <charconv>

#include "host/core/error.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/results/database/row_settings.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

constexpr std::size_t most_shards = 100'000;

/// A decimal number without sign; 0 if it is nothing of the kind.
std::size_t number_in(std::string_view text) {
  std::size_t number = 0;
  const char* end = text.data() + text.size();
  const auto [rest, error] = std::from_chars(text.data(), end, number);
  return error == std::errc{} && rest == end ? number : 0;
}

}  // namespace

RowShard parse_shard(const std::string& text) {
  if (text.empty()) return {};
  const std::size_t slash = text.find('/');
  const std::size_t part = slash == std::string::npos ? 0 : number_in(std::string_view(text).substr(0, slash));
  const std::size_t of = slash == std::string::npos ? 0 : number_in(std::string_view(text).substr(slash + 1));
  if (part < 1 || part > of || of > most_shards)
    throw Error(ErrorKind::input, "--shard is " + in_quotes(text) +
                                      ", but must be K/N with K from 1 to N and N at most " +
                                      std::to_string(most_shards) + ", such as 2/4");
  return {.part = part - 1, .of = of};
}

Costs costs_of_rows(const Experiment& experiment, const std::string& file, const std::string& costs) {
  Costs all(experiment.points.size());
  if (costs.empty()) return all;
  const auto times = wall_times(costs, "");
  const ExperimentRecord whole = record_of(experiment, file, "");
  for (std::size_t k = 0; k < all.size(); ++k)
    if (const auto at = times.find(settings_hash(record_of_row(experiment, k, whole))); at != times.end())
      all[k] = at->second;
  return all;
}

std::vector<bool> rows_of_shard(const RowShard& shard, const Costs& costs) {
  std::vector<bool> mine;
  for (const std::size_t share : shares_of(costs, shard.of)) mine.push_back(share == shard.part);
  return mine;
}

std::string name_of_row(const Experiment& experiment, std::size_t row) {
  std::string name = experiment.points[row].policy;
  for (std::size_t key = 0; key < experiment.settings.size(); ++key) {
    const Setting& setting = experiment.settings[key];
    if (setting.items.size() > 1 && setting.key != "policy")
      name += ", " + setting.key + "=" + to_text(item_of(experiment, row, key).value);
  }
  return name;
}

}  // namespace ocs
