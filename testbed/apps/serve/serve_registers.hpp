// lightloop serve --registers: a switch's register window in a file, for device "mapped" to drive.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <CLI/CLI.hpp>
#include <cstdint>
#include <string>

#include "host/core/device.hpp"

namespace ocs {

struct RegistersArguments {
  std::string file;  ///< empty: no registers are served
  std::int64_t slower = 1;
  bool virtual_time = false;

  void add_to(CLI::App& command);
  /// @throws Error (input) for options that don't go together.
  void check() const;
};

/// Until Ctrl-C. Says on standard output, in one line, when it can be driven.
/// @param speed virtual time over wall time. @throws Error as WindowServer.
void serve_registers(Device& device, const RegistersArguments& arguments, std::int64_t speed);

}  // namespace ocs
