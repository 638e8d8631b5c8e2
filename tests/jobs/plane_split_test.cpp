// Demand over planes: who gets what.
// SPDX-License-Identifier: Apache-2.0
#include "host/controller/planes/plane_split.hpp"

#include <gtest/gtest.h>

#include <array>

namespace ocs::test {
namespace {

using Shares = std::vector<std::array<std::int64_t, 4>>;  // plane, flow, first, words

Shares shares(PlaneSplit& split, const std::vector<SplitFlow>& flows) {
  Shares list;
  const auto all = split.split(flows);
  for (std::size_t plane = 0; plane < all.size(); ++plane)
    for (const PlaneShare& share : all[plane])
      list.push_back(
          {static_cast<std::int64_t>(plane), static_cast<std::int64_t>(share.flow), share.first.n, share.words.n});
  return list;
}

TEST(PlaneSplits, GiveTheLongestFlowsFirstToTheLightestPorts) {
  PlaneSplit split(2, 4, SplitRule::longest, Words{10});
  // Longest first: 50 to plane 0; 40 to plane 1; 30: 60 and 50 lie there, so plane 1; 20 on other ports: plane 0.
  EXPECT_EQ(shares(split, {{0, 1, Words{30}}, {0, 2, Words{50}}, {0, 3, Words{40}}, {1, 0, Words{20}}}),
            (Shares{{0, 1, 0, 50}, {0, 3, 0, 20}, {1, 0, 0, 30}, {1, 2, 0, 40}}));
}

TEST(PlaneSplits, RememberWhatIsStillToBeDone) {
  PlaneSplit split(2, 4, SplitRule::longest, Words{10});
  const SplitFlow flow{0, 1, Words{30}};
  EXPECT_EQ(shares(split, {flow}), (Shares{{0, 0, 0, 30}}));
  EXPECT_EQ(shares(split, {flow}), (Shares{{1, 0, 0, 30}}));
  split.done(1, flow, Words{30});
  EXPECT_EQ(shares(split, {flow}), (Shares{{1, 0, 0, 30}}));
}

TEST(PlaneSplits, CutEveryFlowAlikeAndGiveTheLastPlaneTheRest) {
  PlaneSplit split(3, 4, SplitRule::equal, Words{10});
  EXPECT_EQ(shares(split, {{0, 1, Words{10}}, {1, 2, Words{2}}}),
            (Shares{{0, 0, 0, 4}, {0, 1, 0, 1}, {1, 0, 4, 4}, {1, 1, 1, 1}, {2, 0, 8, 2}}));
}

}  // namespace
}  // namespace ocs::test
