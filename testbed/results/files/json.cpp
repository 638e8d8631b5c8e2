// Writes rows as JSON so that a regular file is whole after each.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/results/files/json.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <nlohmann/json.hpp>
#include <system_error>

#include "host/core/error.hpp"
#include "testbed/results/files/earlier_file.hpp"

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

}  // namespace

JsonSink::JsonSink(const std::string& target, const ExperimentRecord& record, std::FILE* standard_output)
    : target_(target), file_(nullptr, std::fclose), out_(standard_output) {
  if (target != "-") {
    kept_ = keep_earlier(target);
    file_.reset(std::fopen(target.c_str(), "wb"));
    if (!file_) cannot_write(kind_, target);
    out_ = file_.get();
    std::error_code failure;
    regular_ = std::filesystem::is_regular_file(target, failure);
  }
  put("{\"schema_version\": 1, \"experiment\": " + to_json(record) + ", \"rows\": [");
  kind_ = ErrorKind::run;
}

JsonSink::~JsonSink() = default;

void JsonSink::row(std::span<const std::pair<std::string, Value>> fields) {
  Json object = Json::object();
  for (const auto& [name, value] : fields) object[name] = to_json_value(value);
  for (const CurveEntry& point : std::exchange(curve_, {}))
    object["curve"].push_back(Json::array({point.updates, point.at.n, point.loss, point.accuracy}));
  for (const JobFields& job : std::exchange(jobs_, {})) {
    Json& one = object["job_table"].emplace_back(Json::object());
    for (const auto& [name, value] : job.fields) one[name] = to_json_value(value);
    for (const CurveEntry& point : job.curve)
      one["curve"].push_back(Json::array({point.updates, point.at.n, point.loss, point.accuracy}));
  }
  put((first_ ? "\n" : ",\n") + dump(object));
  first_ = false;
}

void JsonSink::finish() {
  if (!regular_ && !finished_) put(std::string(tail));
  finished_ = true;
}

void JsonSink::put(const std::string& text) {
  if (!regular_) {
    if (std::fwrite(text.data(), 1, text.size(), out_) != text.size() || std::fflush(out_) != 0)
      cannot_write(kind_, target_);
    return;
  }
  if (!write_at(text + std::string(tail), end_)) {
    const int why = errno;
    std::error_code ignored;
    if (end_ > 0 && write_at(std::string(tail), end_))  // as it was
      std::filesystem::resize_file(target_, static_cast<std::uintmax_t>(end_) + tail.size(), ignored);
    errno = why;
    cannot_write(kind_, target_);
  }
  end_ += static_cast<std::int64_t>(text.size());
}

/// Without a buffer: what is returned from is in the file. On failure errno says why.
bool JsonSink::write_at(const std::string& text, std::int64_t at) {
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t wrote =
        pwrite(fileno(out_), text.data() + done, text.size() - done, at + static_cast<std::int64_t>(done));
    if (wrote < 0 && errno == EINTR) continue;
    if (wrote <= 0) return false;
    done += static_cast<std::size_t>(wrote);
  }
  return true;
}

}  // namespace ocs
