// Problems out, plans in, each checked.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/plans/exec_scheduler.hpp"

#include <utility>

#include "host/scheduler/check_plan.hpp"
#include "testbed/plans/outside_plan.hpp"
#include "testbed/plans/plan_json.hpp"

namespace ocs {
namespace {

constexpr std::size_t max_answer_bytes = std::size_t{64} << 20;

}  // namespace

Plan plan_of_answer(std::string_view answer, const Problem& problem, std::int64_t request, const std::string& name,
                    Ticks latest) {
  const std::string where = name + ", answer " + std::to_string(request);
  try {
    const Json json = parse_json(answer, where);
    const Fields fields(json, where);
    fields.whole("request", request, request, request);
    return checked_plan(problem, reservations_from_json(fields.list("reservations"), fields.place("reservations")),
                        latest);
  } catch (const BrokenRule& broken) {
    throw BrokenRule(ErrorKind::run, broken.rule(),
                     where + ", breaks the rule \"" + std::string(name_of(broken.rule())) + "\": " + broken.what());
  } catch (const Error& wrong) {
    throw Error(ErrorKind::run, wrong.what());
  }
}

ExecScheduler::ExecScheduler(const std::vector<std::string>& command, const std::string& name,
                             std::chrono::milliseconds patience, Ticks latest, std::function<void()> pause,
                             const ProcessLimits& limits)
    : name_(name),
      limits_{patience, max_answer_bytes, std::move(pause)},
      latest_(latest),
      talk_(new Talk{.process = {command, name, limits}}) {}

Plan ExecScheduler::plan(const Problem& problem) const {
  Json question = {{"request", ++talk_->asked}};
  question.update(to_json(problem));
  const std::string answer = talk_->process.ask(question.dump(), limits_);
  return plan_of_answer(answer, problem, talk_->asked, name_, latest_);
}

}  // namespace ocs
