// Jobs with nodes in processes, for tests: what they print, what they leave behind.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "host/core/message.hpp"
#include "testbed/coordinator/runners/process_runner.hpp"
#include "tests/common/places.hpp"
#include "tests/nodes/fake_network.hpp"
#include "tests/nodes/small_job.hpp"

namespace ocs::test {

/// Starts nodes, of which one may be odd: `odd` as odd_node takes it.
inline ProcessRunnerSettings runner_settings(const std::string& transport, const std::string& odd = "0:") {
  return {.transport = transport,
          .listen = {},
          .expect = 0,
          .command = {ocs::test::built("odd_node"), "--odd", odd},
          .timeout = std::chrono::seconds{20},
          .on_wait = {},
          .hook = {}};
}

/// What is said of a node that speaks version 99.
inline std::string wrong_version() { return "version is 99; it should be " + std::to_string(WireHeader{}.version); }

/// A folder of its own for each test, gone with it.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string name = ::testing::TempDir() + "lightloop_XXXXXX";
    path_ = mkdtemp(name.data());
  }
  ~TemporaryFolder() { std::filesystem::remove_all(path_); }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Ids of the processes that were started with `argument` somewhere in their command line, but for this one.
inline std::vector<int> processes_with(const std::string& argument) {
  std::vector<int> found;
  for (const auto& entry : std::filesystem::directory_iterator("/proc")) {
    const std::string name = entry.path().filename();
    if (name.find_first_not_of("0123456789") != std::string::npos || std::stoi(name) == getpid()) continue;
    std::ifstream file(entry.path() / "cmdline");
    std::ostringstream command;
    command << file.rdbuf();  // what a process that ends meanwhile can't say, is left out
    if (command.str().find(argument) != std::string::npos) found.push_back(std::stoi(name));
  }
  return found;
}

}  // namespace ocs::test
