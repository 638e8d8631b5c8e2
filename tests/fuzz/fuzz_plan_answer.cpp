// links: ocs_plans
// Reads any bytes as what a scheduler that is another program answers to a fixed problem: it is a plan that keeps every
// rule, or one readable sentence says why not.
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "host/scheduler/check_plan.hpp"
#include "testbed/plans/exec_scheduler.hpp"

namespace {

ocs::Problem problem() {
  ocs::Problem problem;
  problem.ports = 4;
  problem.delta = ocs::Ticks{10};
  problem.up = {{ocs::Plane{0}, ocs::Input{3}, ocs::Outputs{}.set(2), ocs::Ticks{0}}};
  const auto add = [&](std::uint32_t id, std::uint16_t in, std::size_t out, std::int64_t length) {
    problem.flows.push_back(
        {ocs::Id{id}, ocs::Id{0}, ocs::Input{in}, ocs::Outputs{}.set(out), ocs::Ticks{length}, ocs::Ticks{0}});
  };
  add(0, 0, 1, 100);
  add(1, 2, 1, 50);
  add(2, 3, 2, 70);
  return problem;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const ocs::Problem asked = problem();
  try {
    const ocs::Plan plan = ocs::plan_of_answer({reinterpret_cast<const char*>(data), size}, asked, 1, "fuzz",
                                               ocs::Ticks{std::int64_t{1} << 50});
    ocs::check_plan(asked, plan);
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.kind() != ocs::ErrorKind::run) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
  return 0;
}
