// links: ocs_plans
// Reads any bytes as a file of plans, and hands each plan to its own problem: it keeps every rule, or one readable
// sentence says why not. SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "host/core/error.hpp"
#include "testbed/plans/given_plan.hpp"
#include "testbed/plans/plan_file.hpp"

namespace {

template <class Action>
void one_sentence(const Action& action) {
  try {
    action();
  } catch (const ocs::Error& error) {
    const std::string_view sentence = error.what();
    if (error.exit_code() != 2) std::abort();
    if (!std::all_of(sentence.begin(), sentence.end(), [](char c) { return c >= ' ' && c <= '~'; })) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  one_sentence([&] {
    for (const ocs::FiledPlan& filed : ocs::plans_from_text({reinterpret_cast<const char*>(data), size}, "fuzz.json")) {
      const ocs::GivenPlan plan(filed, "fuzz.json#1", ocs::Ticks{std::int64_t{1} << 50});
      one_sentence([&] { plan.plan(filed.push.problem); });
      one_sentence([&] { plan.plan(filed.pull.problem); });
    }
  });
  return 0;
}
