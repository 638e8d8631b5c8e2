// A scheduler that is another program.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "host/core/policy.hpp"
#include "testbed/plans/line_process.hpp"

namespace ocs {

/// The plan that `answer`, a line of a program, means: {"reservations": [...]}, and "request", if
/// it is there, as asked.
/// @param name of the program, for messages. @param latest when the plan has to have ended.
/// @throws Error (run): no such thing; BrokenRule (run): checked_plan() refuses it.
Plan plan_of_answer(std::string_view answer, const Problem& problem, std::int64_t request, const std::string& name,
                    Ticks latest);

/// One process from the first problem to the last: it reads each as a line and answers with a line (docs/plans.md).
class ExecScheduler final : public Scheduler {
 public:
  /// @param command path and arguments. @param pause is called while it plans, and may throw.
  ExecScheduler(const std::vector<std::string>& command, const std::string& name, std::chrono::milliseconds patience,
                Ticks latest, std::function<void()> pause, const ProcessLimits& limits = {});

  /// @throws Error (run) as LineProcess::ask() and plan_of_answer().
  Plan plan(const Problem& problem) const override;

 private:
  struct Talk {
    LineProcess process;
    std::int64_t asked = 0;
  };
  std::string name_;
  AnswerLimits limits_;
  Ticks latest_;
  std::unique_ptr<Talk> talk_;  ///< what plan() says to the program changes no plan of a program that keeps its word
};

}  // namespace ocs
