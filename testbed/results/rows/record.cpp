// The record of an experiment as JSON, and back.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/rows/record.hpp"

#include <nlohmann/json.hpp>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using Json = nlohmann::ordered_json;
using Written = ExperimentRecord::Written;

class Reader {
 public:
  explicit Reader(const std::string& origin) : origin_(origin) {}

  ExperimentRecord record(std::string_view text) const {
    const Json json = Json::parse(text, nullptr, false);
    if (!json.is_object()) refuse("it is no JSON object");
    ExperimentRecord record{
        .name = word(json, "name"), .file = word(json, "file"), .version = word(json, "version"), .keys = {}};
    if (json.contains("workload_hash")) record.workload_hash = word(json, "workload_hash");
    if (json.contains("switch_hash")) record.switch_hash = word(json, "switch_hash");
    if (json.contains("scheduler_hash")) record.scheduler_hash = word(json, "scheduler_hash");
    if (const auto hashes = json.find("function_hashes"); hashes != json.end()) {
      if (!hashes->is_object()) refuse("its function_hashes are no object");
      for (const auto& [name, hash] : hashes->items()) record.function_hashes[name] = word(*hashes, name.c_str());
    }
    const auto keys = json.find("keys");
    if (keys == json.end() || !keys->is_object()) refuse("it has no object \"keys\"");
    for (const auto& [key, value] : keys->items()) {
      ExperimentRecord::KeyValues& entry = record.keys.emplace_back();
      entry.key = key;
      entry.list = value.is_array();
      if (!entry.list) entry.values.push_back(scalar(value));
      if (entry.list)
        for (const Json& item : value) entry.values.push_back(scalar(item));
      if (entry.values.empty()) refuse("a key has an empty list");
    }
    return record;
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw Error(ErrorKind::input, origin_ + " holds no record of an experiment: " + why);
  }

  std::string word(const Json& json, const char* key) const {
    const auto found = json.find(key);
    if (found == json.end() || !found->is_string()) refuse(std::string("it has no text \"") + key + "\"");
    return found->get<std::string>();
  }

  Written scalar(const Json& value) const {
    if (value.is_boolean()) return value.get<bool>();
    if (value.is_number_float()) return value.get<double>();
    if (value.is_string()) return value.get<std::string>();
    if (!value.is_number_integer() || (value.is_number_unsigned() && value.get<std::uint64_t>() >> 63 != 0))
      refuse("a value is neither text nor a number that fits, nor true or false");
    return value.get<std::int64_t>();
  }

  const std::string& origin_;
};

}  // namespace

std::string to_json(const ExperimentRecord& record) {
  Json keys = Json::object();
  for (const auto& [key, values, list] : record.keys) {
    Json all = Json::array();
    for (const Written& value : values) std::visit([&](const auto& held) { all.push_back(held); }, value);
    keys[key] = list ? all : all.at(0);
  }
  Json json = {{"name", record.name}, {"file", record.file}, {"version", record.version}, {"keys", std::move(keys)}};
  if (!record.workload_hash.empty()) json["workload_hash"] = record.workload_hash;
  if (!record.switch_hash.empty()) json["switch_hash"] = record.switch_hash;
  if (!record.scheduler_hash.empty()) json["scheduler_hash"] = record.scheduler_hash;
  if (!record.function_hashes.empty()) json["function_hashes"] = record.function_hashes;
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

ExperimentRecord record_from_json(std::string_view text, const std::string& origin) {
  return Reader(origin).record(text);
}

}  // namespace ocs
