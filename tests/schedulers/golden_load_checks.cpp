// Server load against its golden cases.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/schedulers/golden_checks.hpp"

namespace ocs::golden {

void check(const LoadCase& golden) {
  const abstract::LoadOutput output = abstract::run_load(golden.input);
  EXPECT_EQ(output.iterations_ns, golden.expected.iterations_ns);
  EXPECT_EQ(output.total_ns, golden.expected.total_ns);
  EXPECT_EQ(output.map.version, golden.expected.map.version);
  EXPECT_EQ(output.bytes_moved, golden.expected.bytes_moved);
  EXPECT_EQ(output.map.owner, golden.expected.map.owner);
}

void check(const LoadTotalsCase& golden) {
  abstract::LoadInput input = golden.input;
  const auto total = [&](abstract::LoadPolicy policy) {
    input.policy = policy;
    return abstract::run_load(input).total_ns;
  };
  EXPECT_EQ(total(abstract::LoadPolicy::fixed), golden.fixed);
  EXPECT_EQ(total(abstract::LoadPolicy::adaptive), golden.adaptive);
  EXPECT_EQ(total(abstract::LoadPolicy::oracle), golden.oracle);
}

}  // namespace ocs::golden
