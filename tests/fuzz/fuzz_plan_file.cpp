// links: ocs_plans
// Reads any bytes as a file of plans, and hands each plan to its own problem: it keeps every rule, or one readable
// sentence says why not.
// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <string_view>

#include "testbed/plans/given_plan.hpp"
#include "testbed/plans/plan_file.hpp"
#include "tests/fuzz/one_sentence.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  ocs::one_sentence([&] {
    for (const ocs::FiledPlan& filed : ocs::plans_from_text({reinterpret_cast<const char*>(data), size}, "fuzz.json")) {
      const ocs::GivenPlan plan(filed, "fuzz.json#1", ocs::Ticks{std::int64_t{1} << 50});
      ocs::one_sentence([&] { plan.plan(filed.push.problem); });
      ocs::one_sentence([&] { plan.plan(filed.pull.problem); });
    }
  });
  return 0;
}
