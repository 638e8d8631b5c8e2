// Looks the baseline up among the axes.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/apps/run/baseline.hpp"

#include <algorithm>
#include <vector>

#include "host/core/error.hpp"
#include "testbed/experiment/settings.hpp"
#include "testbed/workloads/input.hpp"

namespace ocs {
namespace {

std::vector<std::string> values_of(const ExperimentRecord::KeyValues& key) {
  std::vector<std::string> values;
  values.reserve(key.values.size());
  for (const ExperimentRecord::Written& value : key.values) values.push_back(as_written(value));
  return values;
}

bool has(const std::vector<std::string>& values, const std::string& value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

}  // namespace

std::optional<Baseline> baseline_of(const std::string& text, const ExperimentRecord& experiment) {
  const std::size_t equals = text.find('=');
  Baseline wanted = text.empty()                  ? Baseline{"policy", "psscheduler"}
                    : equals == std::string::npos ? Baseline{text, ""}
                                                  : Baseline{text.substr(0, equals), text.substr(equals + 1)};
  std::vector<std::string> axes;
  for (const ExperimentRecord::KeyValues& key : experiment.keys) {
    if (key.values.size() < 2) continue;
    if (key.key != "seed") axes.push_back(key.key);
    if (key.key != wanted.key || key.key == "seed") continue;
    const std::vector<std::string> values = values_of(key);
    if (has(values, wanted.value)) return wanted;
    if (!text.empty())
      refuse("--baseline is " + in_quotes(text) + ", but " + key.key +
             " must be one of the values of this experiment, " + joined(values));
  }
  if (text.empty()) return std::nullopt;
  refuse("--baseline is " + in_quotes(text) + ", but must be KEY=VALUE with " +
         (axes.empty() ? "an axis, and this experiment has none" : "one of the axes, " + joined(axes)));
}

}  // namespace ocs
