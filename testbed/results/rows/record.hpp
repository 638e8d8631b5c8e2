// What results keep of the experiment that they belong to.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace ocs {

/// The experiment as it was run: every key with its value or, if it was an axis, with its values. In the record of one
/// row every key has one value, and a workload that is a file has its whole path.
struct ExperimentRecord {
  using Written = std::variant<bool, std::int64_t, double, std::string>;
  struct KeyValues {
    std::string key;
    std::vector<Written> values;
    bool list;
  };
  std::string name, file, version;
  std::vector<KeyValues> keys;
  std::string workload_hash = {};   ///< of one row's table of tensors; empty in the record of a whole experiment
  std::string switch_hash = {};     ///< of the profile of one row's switch; empty without one
  std::string scheduler_hash = {};  ///< of one row's program or file of plans; empty without one
  std::map<std::string, std::string> function_hashes =
      {};  ///< of one row's functions of Python, by name: "python:mine"
};

/// {"name": ..., "file": ..., "version": ..., "keys": {"policy": [...], ...}} on one line; with "workload_hash",
/// "switch_hash", "scheduler_hash" and "function_hashes" if there are such.
std::string to_json(const ExperimentRecord& record);

/// The way back. @param origin where the text is from, for messages.
/// @throws Error (input): it is no such record.
ExperimentRecord record_from_json(std::string_view text, const std::string& origin);

}  // namespace ocs
