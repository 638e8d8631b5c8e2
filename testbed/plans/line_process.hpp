// A program that is asked on its standard input and answers on its standard output, a line each.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "testbed/coordinator/processes/child_process.hpp"

namespace ocs {

/// How long and how much an answer may be, and what is called every tenth of a second meanwhile; it may throw.
struct AnswerLimits {
  std::chrono::milliseconds patience;
  std::size_t bytes;
  std::function<void()> pause;
};

class LineProcess {
 public:
  /// @param command path and arguments. @param name of it, for messages. @throws Error (run)
  LineProcess(const std::vector<std::string>& command, std::string name, const ProcessLimits& limits);
  /// Its standard input ends; if it doesn't end by then, in a tenth of a second, it is killed. So is, in both cases,
  /// everything that it has started.
  ~LineProcess();
  LineProcess(const LineProcess&) = delete;
  LineProcess& operator=(const LineProcess&) = delete;

  /// @param question without the end of the line, which isn't in the answer either.
  /// @throws Error (run): it has ended, takes too long, answers too much, or wrote more than it was asked. Never hangs,
  /// never raises SIGPIPE. The process is of no use then.
  std::string ask(std::string_view question, const AnswerLimits& limits);

 private:
  struct Pipes;  ///< both ends of both ways
  LineProcess(const std::vector<std::string>& command, std::string name, const ProcessLimits& limits, Pipes pipes);
  [[noreturn]] void refuse(const std::string& what) const;
  [[noreturn]] void refuse_ended();
  void send(std::string_view& rest);
  bool receive(std::size_t most);

  std::string name_;
  int to_, from_;  ///< open ends of this process
  ChildProcess child_;
  std::string said_;  ///< and not yet taken
};

}  // namespace ocs
