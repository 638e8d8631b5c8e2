// Runs tools such as Verilator and the compiler, several at a time, and ends them with the program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

#include "host/core/error.hpp"

namespace ocs::rtl {

/// A program from PATH with its arguments, executed in `folder`; what it prints goes to `log`.
struct ToolCall {
  std::vector<std::string> command;
  std::filesystem::path folder, log;
};

/// A signal came while tools ran. What they left is to be removed before the signal is raised again.
class ToolsInterrupted : public Error {
 public:
  explicit ToolsInterrupted(int signal) : Error(ErrorKind::run, "interrupted"), signal_(signal) {}
  int signal() const noexcept { return signal_; }

 private:
  int signal_;
};

/// Runs all calls, at most `jobs` at a time; the first that fails ends the others.
/// @throws Error (run) with the last lines that the failed tool printed, or if it can't be started; ToolsInterrupted
/// after SIGINT, SIGTERM or SIGHUP, which end the tools.
void run_tools(const std::vector<ToolCall>& calls, unsigned jobs);

/// What a tool prints on its standard output; empty if there is no such program or it fails.
std::string output_of(const std::vector<std::string>& command);

}  // namespace ocs::rtl
