// The file is written and turned over by spdlog.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/access_log.hpp"

#include <spdlog/pattern_formatter.h>
#include <spdlog/sinks/rotating_file_sink.h>

#include "host/core/error.hpp"

namespace ocs::serve {

namespace {

class RotatingFile final : public LineFile {
 public:
  explicit RotatingFile(const std::string& file)
      : name_(file), sink_(file, AccessLog::most_bytes, AccessLog::most_files) {
    sink_.set_formatter(
        std::make_unique<spdlog::pattern_formatter>("%Y-%m-%dT%H:%M:%S.%eZ %v", spdlog::pattern_time_type::utc));
  }
  void write(const std::string& line) override {
    try {
      sink_.log({spdlog::source_loc{}, "", spdlog::level::info, line});
      sink_.flush();
    } catch (const spdlog::spdlog_ex& failure) {
      throw Error(ErrorKind::run, "log " + shown(name_) + " can't be written: " + failure.what());
    }
  }

 private:
  std::string name_;
  spdlog::sinks::rotating_file_sink_st sink_;
};

}  // namespace

AccessLog::AccessLog(const std::filesystem::path& file) {
  try {
    file_ = std::make_unique<RotatingFile>(file.string());
  } catch (const spdlog::spdlog_ex& failure) {
    throw Error(ErrorKind::input, "log " + shown(file.string()) + " can't be written: " + failure.what());
  }
}

void AccessLog::note(const Peer& peer, const std::string& what, Clock::time_point now) {
  if (what.starts_with("refused")) {
    if (now - second_ >= std::chrono::seconds(1)) {
      if (refusals_ > refusals_a_second)
        file_->write("and " + std::to_string(refusals_ - refusals_a_second) + " refusals more");
      refusals_ = 0;
      second_ = now;
    }
    if (++refusals_ > refusals_a_second) return;
  }
  file_->write(std::string(dialect_names[static_cast<std::size_t>(peer.dialect)])
                   .append(" ")
                   .append(peer.address)
                   .append(" ")
                   .append(what));
}

}  // namespace ocs::serve
