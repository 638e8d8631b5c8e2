// What is said when two event logs part.
// SPDX-License-Identifier: Apache-2.0
#include "host/conformance/compare.hpp"

#include <gtest/gtest.h>

namespace ocs::conformance {
namespace {

Observation log_of(std::uint64_t first, std::uint64_t last) {
  Observation out;
  for (std::uint64_t stamp = first; stamp < last; ++stamp) out.events.push_back({{stamp, 1, 0, 3}, 0});
  return out;
}

TEST(EventLogs, PartAtTheFirstEventThatDiffersWithTenBeforeAndTenAfterOnBothSides) {
  const Observation expected = log_of(0, 40);
  Observation got = expected;
  got.events[20].value.kind = 5;
  const std::string said = difference(4, {}, expected, got);
  EXPECT_NE(said.find("event 20: expected [20,1,0,3], got [20,1,0,5]"), std::string::npos) << said;
  EXPECT_NE(said.find("before, in both: [10,1,0,3] [11,1,0,3]"), std::string::npos) << said;
  EXPECT_NE(said.find("[19,1,0,3]\n  expected from there on: [20,1,0,3] [21"), std::string::npos) << said;
  EXPECT_NE(said.find("[30,1,0,3] ...\n  got from there on: [20,1,0,5] [21"), std::string::npos) << said;
  EXPECT_EQ(said.find("[31,1,0,3]"), std::string::npos) << said;
}

TEST(EventLogs, PartWhereOneEnds) {
  const std::string said = difference(4, {}, log_of(0, 3), log_of(0, 2));
  EXPECT_NE(said.find("before, in both: [0,1,0,3] [1,1,0,3]\n  expected from there on: [2,1,0,3]\n"), std::string::npos)
      << said;
}

TEST(EventLogs, ThatAreEqualAreNotNamed) {
  EXPECT_EQ(difference(4, {}, log_of(0, 3), log_of(0, 3)).find("event"), std::string::npos);
}

}  // namespace
}  // namespace ocs::conformance
