// Keeps what the processes of a run say.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_log.hpp"

#include <charconv>
#include <cstdio>

namespace ocs {

void LiveLog::receive(std::string_view message) {
  if (message.empty()) return;
  const auto kind = static_cast<LiveKind>(message.front());
  message.remove_prefix(1);
  ++version_;
  if (kind == LiveKind::sweep) {
    sweep_ = message;
    return;
  }
  if (kind == LiveKind::end) {
    end_ = message;
    running_.clear();
    return;
  }
  std::uint64_t row = 0;
  const auto [end, failed] = std::from_chars(message.data(), message.data() + message.size(), row);
  if (failed != std::errc{} || end == message.data() + message.size()) return;
  message.remove_prefix(static_cast<std::size_t>(end - message.data()) + 1);
  if (kind == LiveKind::running && !message.empty()) {
    running_[row] = message;
    return;
  }
  running_.erase(row);
  if (message.empty()) return;
  rows_.emplace_back(message);
  if (rows_.size() <= most_rows) return;
  rows_.pop_front();
  ++dropped_;
}

void LiveLog::close() {
  if (has_ended()) return;
  ++version_;
  running_.clear();
  end_ = R"({"how":"lost"})";
}

std::string LiveLog::state(double elapsed_s) const {
  char elapsed[32];
  std::snprintf(elapsed, sizeof elapsed, "%.1f", elapsed_s);
  std::string text = "{\"ended\":" + std::to_string(rows()) + ",\"not_kept\":" + std::to_string(dropped_) +
                     ",\"elapsed_s\":" + elapsed + ",\"running\":[";
  for (const auto& [row, json] : running_) {
    if (text.back() != '[') text += ',';
    text += json;
  }
  return text + "]}";
}

}  // namespace ocs
