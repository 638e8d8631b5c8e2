// Writes rows as JSON so that a regular file is whole after each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/json.hpp"

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "host/core/error.hpp"

namespace ocs {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view tail = "\n]}\n";

[[noreturn]] void cannot_write(ErrorKind kind, const std::string& target) {
  throw Error(kind, "results can't be written to \"" + target + "\": " + std::strerror(errno));
}

std::string dump(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

Json to_json_value(const Value& value) {
  return std::visit(
      [](const auto& held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
          return nullptr;
        else
          return held;
      },
      value);
}

/// Renames what is there, if it holds anything, to the first free name.
std::filesystem::path keep_earlier(const std::filesystem::path& file) {
  std::error_code failure;
  if (!std::filesystem::is_regular_file(file, failure) || std::filesystem::file_size(file, failure) == 0) return {};
  for (int k = 1;; ++k) {
    std::filesystem::path free = file;
    free += "." + std::to_string(k);
    if (std::filesystem::exists(std::filesystem::symlink_status(free, failure))) continue;
    std::filesystem::rename(file, free, failure);
    if (failure)
      throw Error(ErrorKind::input, "\"" + file.string() + "\" holds earlier results and can't be renamed to \"" +
                                        free.string() + "\": " + failure.message());
    return free;
  }
}

}  // namespace

std::string to_json(const ExperimentRecord& record) {
  Json keys = Json::object();
  for (const auto& [key, values, list] : record.keys) {
    Json all = Json::array();
    for (const ExperimentRecord::Written& value : values)
      std::visit([&](const auto& held) { all.push_back(held); }, value);
    keys[key] = list ? all : all.at(0);
  }
  return dump({{"name", record.name}, {"file", record.file}, {"version", record.version}, {"keys", keys}});
}

JsonSink::JsonSink(const std::string& target, const ExperimentRecord& record, std::FILE* standard_output)
    : target_(target), file_(nullptr, std::fclose), out_(standard_output) {
  if (target != "-") {
    kept_ = keep_earlier(target);
    file_.reset(std::fopen(target.c_str(), "wb"));
    if (!file_) cannot_write(ErrorKind::input, target);
    out_ = file_.get();
    std::error_code failure;
    seekable_ = std::filesystem::is_regular_file(target, failure);
  }
  put("{\"schema_version\": 1, \"experiment\": " + to_json(record) + ", \"rows\": [");
  if (seekable_) put(std::string(tail));
}

JsonSink::~JsonSink() = default;

void JsonSink::row(std::span<const std::pair<std::string, Value>> fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) object[name] = to_json_value(value);
  if (seekable_ && std::fseek(out_, -static_cast<long>(tail.size()), SEEK_END) != 0)
    cannot_write(ErrorKind::run, target_);
  put((first_ ? "\n" : ",\n") + dump(object) + (seekable_ ? std::string(tail) : ""));
  first_ = false;
}

void JsonSink::finish() {
  if (!seekable_ && !finished_) put(std::string(tail));
  finished_ = true;
}

void JsonSink::put(const std::string& text) {
  if (std::fwrite(text.data(), 1, text.size(), out_) != text.size() || std::fflush(out_) != 0)
    cannot_write(ErrorKind::run, target_);
}

}  // namespace ocs
