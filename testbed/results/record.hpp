// What results keep of the experiment that they belong to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace ocs {

/// The experiment as it was run: every key with its value or, if it was an axis, with its values.
struct ExperimentRecord {
  using Written = std::variant<bool, std::int64_t, double, std::string>;
  struct KeyValues {
    std::string key;
    std::vector<Written> values;
    bool list;
  };
  std::string name, file, version;
  std::vector<KeyValues> keys;
};

/// {"name": ..., "file": ..., "version": ..., "keys": {"policy": [...], ...}} on one line.
std::string to_json(const ExperimentRecord& record);

}  // namespace ocs
