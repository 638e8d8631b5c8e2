// A device behind a served file: another one in a thread that serves it, and the driver of the file.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <atomic>
#include <exception>
#include <memory>
#include <string>
#include <thread>

#include "host/core/device.hpp"
#include "host/device/board/window_server.hpp"

namespace ocs::test {

/// A path of its own for each call, in the folder for temporary files.
std::string fresh_path(const std::string& suffix);

/// Serves a device in a thread, until it is destroyed.
class Served {
 public:
  Served(std::unique_ptr<Device> inner, std::int64_t speed_ppm, std::string path = fresh_path(".window"));
  ~Served();
  Served(const Served&) = delete;
  Served& operator=(const Served&) = delete;

  const std::string& path() const { return path_; }
  void end();  ///< the server ends as if it had been told to

 private:
  std::string path_;
  std::unique_ptr<Device> inner_;
  std::unique_ptr<WindowServer> server_;
  std::atomic<bool> stop_{false};
  std::thread thread_;
};

/// In virtual time: everything as on `inner`, through the file.
std::unique_ptr<Device> through_a_file(std::unique_ptr<Device> inner, const DeviceConfig& config);

}  // namespace ocs::test
