// A thread a server.
// SPDX-License-Identifier: Apache-2.0
#include "tests/board/served_device.hpp"

#include <unistd.h>

#include <filesystem>
#include <utility>

#include "host/device/board/mapped.hpp"

namespace ocs::test {
namespace {

class ThroughAFile final : public Device {
 public:
  ThroughAFile(std::unique_ptr<Device> inner, DeviceConfig config) : served_(std::move(inner), 0) {
    config.place = served_.path();
    driven_ = make_mapped(config);
  }
  RegisterBus& bus() override { return driven_->bus(); }
  FabricClock& clock() override { return driven_->clock(); }

 private:
  Served served_;
  std::unique_ptr<Device> driven_;
};

}  // namespace

std::string fresh_path(const std::string& suffix) {
  static std::atomic<int> number{0};
  return (std::filesystem::temp_directory_path() /
          ("lightloop_" + std::to_string(::getpid()) + "_" + std::to_string(++number) + suffix))
      .string();
}

Served::Served(std::unique_ptr<Device> inner, std::int64_t speed_ppm, std::string path)
    : path_(std::move(path)),
      inner_(std::move(inner)),
      server_(std::make_unique<WindowServer>(*inner_, path_, speed_ppm)),
      thread_([this] {
        try {
          server_->serve([this] { return stop_.load(); });
        } catch (const Error&) {  // its driver has been told
        }
      }) {}

void Served::end() {
  stop_ = true;
  if (thread_.joinable()) thread_.join();
  server_.reset();
}

Served::~Served() { end(); }

std::unique_ptr<Device> through_a_file(std::unique_ptr<Device> inner, const DeviceConfig& config) {
  return std::make_unique<ThroughAFile>(std::move(inner), config);
}

}  // namespace ocs::test
