// A shell on the model, and what it prints.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <memory>
#include <sstream>
#include <string>

#include "host/device/model/model.hpp"
#include "testbed/console/shell.hpp"

namespace ocs::test {

class ShellTest : public ::testing::Test {
 protected:
  /// What the line prints.
  std::string run(const std::string& line) {
    out_.str("");
    shell_.execute(line);
    return out_.str();
  }

  /// The sentence with which the line fails.
  std::string refused(const std::string& line, int exit_code = 2) {
    try {
      shell_.execute(line);
    } catch (const Error& error) {
      EXPECT_EQ(error.exit_code(), exit_code) << error.what();
      return error.what();
    }
    ADD_FAILURE() << line << " was accepted";
    return {};
  }

  std::unique_ptr<Device> device_ = make_model({.ports = 8});
  std::ostringstream out_;
  console::Shell shell_{{.device = *device_,
                         .out = out_,
                         .fresh_device =
                             [](int ports, int fifo_depth) {
                               DeviceConfig config;
                               config.ports = ports;
                               config.fifo_depth = fifo_depth;
                               return make_model(config);
                             },
                         .pause = {}}};
};

}  // namespace ocs::test
