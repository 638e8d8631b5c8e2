// A small problem, a plan that solves it, and the file that holds both.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "host/scheduler/check_plan.hpp"
#include "testbed/plans/plan_json.hpp"
#include "tests/common/refusal.hpp"

namespace ocs::test {

inline Flow flow(std::uint32_t id, std::uint16_t in, std::size_t out, std::int64_t length) {
  return {Id{id}, Id{0}, Input{in}, Outputs{}.set(out), Ticks{length}, Ticks{0}};
}

inline Reservation reservation(std::uint32_t id, std::uint16_t in, std::size_t out, std::int64_t start, std::int64_t up,
                               std::int64_t end, std::int64_t offset = 0) {
  return {Id{id}, Plane{0}, Input{in}, Outputs{}.set(out), Ticks{start}, Ticks{up}, Ticks{end}, Ticks{offset}};
}

/// Four ports, a set-up of 10; 0 -> 1 carries 100, 2 -> 1 carries 50.
inline Problem small_problem() {
  Problem problem;
  problem.ports = 4;
  problem.delta = Ticks{10};
  problem.flows = {flow(0, 0, 1, 100), flow(1, 2, 1, 50)};
  return problem;
}

inline Plan small_plan() {
  return {.list = {reservation(0, 0, 1, 0, 10, 110), reservation(1, 2, 1, 110, 120, 170)}, .bound = Ticks{170}};
}

inline Json phase(const Problem& problem, const Plan& plan) {
  Json list = Json::array();
  for (const Reservation& r : plan.list) list.push_back(to_json(r));
  return {{"problem", to_json(problem)}, {"bound", plan.bound.n}, {"reservations", std::move(list)}};
}

/// A file of one plan; its pulls are its pushes the other way round.
inline Json file_of(const Plan& push) {
  Problem back = small_problem();
  back.flows = {flow(0, 1, 0, 100), flow(1, 1, 2, 50)};
  const Plan pull{.list = {reservation(0, 1, 0, 0, 10, 110), reservation(1, 1, 2, 110, 120, 170)}, .bound = {}};
  Json plans = Json::array();
  plans.push_back({{"policy", "mine"}, {"push", phase(small_problem(), push)}, {"pull", phase(back, pull)}});
  return {{"schema_version", 1}, {"plans", std::move(plans)}};
}

/// The name of the rule that `action` must break.
template <class Action>
std::string broken_rule(Action&& action) {
  try {
    action();
  } catch (const BrokenRule& broken) {
    EXPECT_EQ(broken.exit_code(), 2) << broken.what();
    return std::string(name_of(broken.rule()));
  }
  ADD_FAILURE() << "no rule was broken";
  return {};
}

}  // namespace ocs::test
