// The file is written and turned over by spdlog.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/access_log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include "host/core/error.hpp"

namespace ocs::serve {

struct AccessLog::Sink {
  explicit Sink(const std::string& file) : sink(file, most_bytes, most_files) {
    sink.set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %v", spdlog::pattern_time_type::utc));
  }
  spdlog::sinks::rotating_file_sink_st sink;
};

AccessLog::AccessLog(const std::filesystem::path& file) : file_(file.string()) {
  try {
    sink_ = std::make_unique<Sink>(file_);
  } catch (const spdlog::spdlog_ex& failure) {
    throw Error(ErrorKind::input, "log " + shown(file_) + " can't be written: " + failure.what());
  }
}

AccessLog::~AccessLog() = default;

void AccessLog::write(const std::string& line) {
  try {
    sink_->sink.log({spdlog::source_loc{}, "", spdlog::level::info, line});
    sink_->sink.flush();
  } catch (const spdlog::spdlog_ex& failure) {
    throw Error(ErrorKind::run, "log " + shown(file_) + " can't be written: " + failure.what());
  }
}

void AccessLog::note(const Peer& peer, const std::string& what, Clock::time_point now) {
  if (what.starts_with("refused")) {
    if (now - second_ >= std::chrono::seconds(1)) {
      if (refusals_ > refusals_a_second)
        write("and " + std::to_string(refusals_ - refusals_a_second) + " refusals more");
      refusals_ = 0;
      second_ = now;
    }
    if (++refusals_ > refusals_a_second) return;
  }
  write(std::string(dialect_names[static_cast<std::size_t>(peer.dialect)])
            .append(" ")
            .append(peer.address)
            .append(" ")
            .append(what));
}

}  // namespace ocs::serve
