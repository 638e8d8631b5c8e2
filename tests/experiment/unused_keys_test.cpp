// Keys that change nothing: named when they were said, and only then.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/keys/unused_keys.hpp"

#include <algorithm>

#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::resolved;

using Sentences = std::vector<std::string>;

TEST(UnusedKey, IsSaidWithPlaceAndReason) {
  EXPECT_EQ(
      without_effect(resolved("policy = 'hlf'\nseed = 2\njob.payload = 'none'")),
      (Sentences{"x.toml:2: seed has no effect in this experiment: nothing is drawn at random without payload and by "
                 "this policy"}));
}

TEST(UnusedKey, IsProgrammingInTurnOfMirrorsThatAreProgrammedAtOnce) {
  const std::string hlf = "policy = 'hlf'\n[fabric]\nports = 16\n";
  EXPECT_EQ(without_effect(resolved(hlf + "program_lanes = 4")),
            (Sentences{"x.toml:4: fabric.program_lanes has no effect in this experiment: mirrors are programmed all at "
                       "once (fabric.program_time)"}));
  EXPECT_EQ(without_effect(resolved(hlf + "program_time = '1 ms'\nprogram_lanes = 16")),
            (Sentences{"x.toml:4: fabric.program_time has no effect in this experiment: the mirrors of all ports are "
                       "programmed at once (fabric.program_lanes)"}));
  EXPECT_EQ(without_effect(resolved(hlf + "program_time = '1 ms'\nprogram_lanes = 15")), Sentences{});
}

TEST(UnusedKey, AreNeighboursThatAreTooFarAwayAndWordsThatNobodyLoses) {
  const std::string hlf = "policy = 'hlf'\njob.retransmit = true\n[fabric]\nports = 16\n";
  const std::string kept = "x.toml:2: job.retransmit has no effect in this experiment: by confirmation nothing is lost";
  EXPECT_EQ(without_effect(resolved(hlf + "neighbours = 'disturb at 15 for 1 us'")), Sentences{});
  EXPECT_EQ(without_effect(resolved(hlf + "neighbours = 'park for 1 us'")), Sentences{kept});
  EXPECT_EQ(without_effect(resolved(hlf + "neighbours = 'disturb at 16 for 1 us'")),
            (Sentences{"x.toml:5: fabric.neighbours has no effect in this experiment: no two outputs are so far apart "
                       "(fabric.ports)",
                       kept}));
}

TEST(UnusedKey, IsALevelOfLightThatNothingTakesAway) {
  const std::string hlf = "policy = 'hlf'\njob.retransmit = true\n[fabric]\nports = 16\n";
  const std::string kept = "x.toml:2: job.retransmit has no effect in this experiment: by confirmation nothing is lost";
  const std::string idle =
      "fabric.light has no effect in this experiment: light is never lost, or as without a level: no mirror rings, and "
      "no outage is reported late";
  EXPECT_EQ(without_effect(resolved(hlf + "light = '-3 dBm'")), (Sentences{"x.toml:5: " + idle, kept}));
  EXPECT_EQ(without_effect(resolved(hlf + "light = '-3 dBm, lost below -9 dBm for 1 us'")),
            (Sentences{"x.toml:5: " + idle, kept}));
  EXPECT_EQ(without_effect(resolved(hlf + "light = '-3 dBm, lost below -9 dBm for 1 us'\noutages = '1: 3 us - 9 us'")),
            Sentences{});
  EXPECT_EQ(without_effect(resolved(hlf + "outages = '1: 3 us - 9 us'\nlight = '-3 dBm, lost below -9 dBm'")),
            (Sentences{"x.toml:6: " + idle}));
  EXPECT_EQ(without_effect(resolved(hlf + "light = '-3 dBm, lost below -9 dBm; rings for 1 us'")), Sentences{kept});
  EXPECT_EQ(without_effect(resolved(hlf + "light = '-3 dBm, lost below -9 dBm for 500 ns; rings for 1 us after 1 ms'")),
            Sentences{});
}

TEST(UnusedKey, CountsTheRowsWhereItHoldsForSomeOnly) {
  EXPECT_EQ(
      without_effect(resolved("policy = ['hlf', 'sunflow']", {"seed=2", "job.payload=[none, full, digest]"})),
      (Sentences{"--set seed=2: seed has no effect in 2 of 6 rows: nothing is drawn at random without payload and by "
                 "this policy"}));
}

TEST(UnusedKey, IsNotSaidOfDefaultsNorWhereTheKeyMatters) {
  EXPECT_EQ(without_effect(resolved("policy = 'hlf'\njob.payload = 'none'")), Sentences{});
  EXPECT_EQ(without_effect(resolved("policy = 'hlf'\nseed = 2")), Sentences{});
}

TEST(UnusedKey, KnowsOnlyKeysThatThereAre) {
  for (const UnusedKey& condition : keys_with_conditions())
    EXPECT_TRUE(std::any_of(experiment_keys().begin(), experiment_keys().end(), [&](const Key& key) {
      return key.name == condition.key;
    })) << condition.key;
}

}  // namespace
}  // namespace ocs
