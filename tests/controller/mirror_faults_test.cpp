// Mirrors that are slow, stuck or unsteady, or take what they draw: words wait for light, and none is lost.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

constexpr Output output{2};

std::vector<MirrorChange> stuck_until(std::int64_t end) {
  return {{Cycles{0}, output, MirrorFault::stuck, Cycles{1}}, {Cycles{end}, output, MirrorFault::stuck, Cycles{0}}};
}

/// Tuning takes 3 cycles and locking 2: what is decided in cycle 0 is up in cycle 6.
class Mirrors : public ::testing::TestWithParam<std::string> {
 protected:
  RigConfig config(std::vector<MirrorChange> changes) {
    return {.device = GetParam(), .tuning = 3, .locking = 2, .mirror_changes = std::move(changes)};
  }
  /// 10 words to the output that is concerned, as many to another one.
  static Texts delivered(Rig& r) {
    r.offer(1, 0, {2}, 10);
    r.offer(2, 1, {3}, 10);
    const Texts texts = texts_of(r.deliver_all());
    EXPECT_EQ(r.plane->counters(2).lost, Words{0}) << "words wait for light";
    return texts;
  }
};

TEST_P(Mirrors, ThatAreSlowTuneLonger) {
  Rig r(config({{Cycles{0}, output, MirrorFault::slow, Cycles{7}}}));
  EXPECT_EQ(delivered(r), (Texts{"at 16: 2 to 3 [0+10] final", "at 23: 1 to 2 [0+10] final"}));
  EXPECT_EQ(r.network->stats().late, 1);
}

TEST_P(Mirrors, ThatAreSlowNoMoreTuneInTheirTime) {
  Rig r(
      config({{Cycles{0}, output, MirrorFault::slow, Cycles{7}}, {Cycles{20}, output, MirrorFault::slow, Cycles{0}}}));
  delivered(r);
  r.offer(3, 1, {2}, 10, 30);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 46: 3 to 2 [0+10] final"}));
}

/// It fails in cycles 4, 8, 12, 16 and 20, each time tuned again at once; the mirror is free from cycle 20 on, which holds
/// from 21 on: up in 26.
TEST_P(Mirrors, ThatAreStuckAreTunedUntilTheyAreFree) {
  Rig r(config(stuck_until(20)));
  EXPECT_EQ(delivered(r), (Texts{"at 16: 2 to 3 [0+10] final", "at 36: 1 to 2 [0+10] final"}));
  Texts failures;
  for (const Event& event : r.events)
    if (event.kind == EventKind::failed) failures.push_back(std::to_string(event.at.n));
  EXPECT_EQ(failures, (Texts{"4", "8", "12", "16", "20"}));
  EXPECT_EQ(r.plane->counters(2).reconfigurations, 6);
}

/// Output 2 has carried words of input 0 when its mirror gets stuck there, in cycle 20. Tuned to input 1 it fails with
/// that light in 26, 30, 34, each time tuned again at once: of the 10 words that input 0 sends to output 3 from 28 on it
/// shows those of 30 and 34. Free from 60 on.
TEST_P(Mirrors, ThatAreStuckAndKeepTheirLightShowWordsOfOthers) {
  Rig r(
      config({{Cycles{20}, output, MirrorFault::kept, Cycles{1}}, {Cycles{60}, output, MirrorFault::kept, Cycles{0}}}));
  r.offer(1, 0, {2}, 10);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 16: 1 to 2 [0+10] final"}));
  r.offer(2, 1, {2}, 10, 22);
  r.offer(3, 0, {3}, 10, 22);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 38: 3 to 3 [0+10] final", "at 74: 2 to 2 [0+10] final"}));
  EXPECT_EQ(r.plane->counters(2).shown, Words{2});
  EXPECT_EQ(r.plane->counters(3).shown, Words{0});
  EXPECT_EQ(r.plane->counters(2).lost, Words{0}) << "words wait for light";
}

/// Tuned to where it stands, it isn't stuck.
TEST_P(Mirrors, ThatAreStuckAndKeepTheirLightCarryIt) {
  Rig r(config(
      {{Cycles{20}, output, MirrorFault::kept, Cycles{1}}, {Cycles{900}, output, MirrorFault::kept, Cycles{0}}}));
  r.offer(1, 0, {2}, 10);
  r.deliver_all();
  r.offer(2, 0, {3}, 10, 22);
  r.offer(3, 0, {2}, 10, 60);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 38: 2 to 3 [0+10] final", "at 76: 3 to 2 [0+10] final"}));
  EXPECT_EQ(r.plane->counters(2).shown, Words{0});
}

/// Each command acts 2 cycles after it was decided: tuned in 2, 8, 14 and 20.
TEST_P(Mirrors, ThatAreStuckAreTunedAgainALeadLater) {
  RigConfig far = config(stuck_until(20));
  far.control.lead = Cycles{2};
  Rig r(far);
  EXPECT_EQ(delivered(r), (Texts{"at 18: 2 to 3 [0+10] final", "at 36: 1 to 2 [0+10] final"}));
  EXPECT_EQ(r.plane->counters(2).reconfigurations, 4);
}

/// Up in 6 to 9, in 12 to 15 and in 18 and 19.
TEST_P(Mirrors, ThatFlapLockAgain) {
  Rig r(config({{Cycles{0}, output, MirrorFault::flap, Cycles{4}}}));
  EXPECT_EQ(delivered(r), (Texts{"at 16: 2 to 3 [0+10] final", "at 20: 1 to 2 [0+4 4+4 8+2] final"}));
  for (const Carried& carried : r.carried) EXPECT_EQ(carried.up, Cycles{6}) << "what locks again has been up before";
}

/// Stuck goes before dark: it is tuned again until the mirror is free. Then it has no light, which is nothing to tune for:
/// when the port lives again in 40, it locks.
TEST_P(Mirrors, ThatAreStuckAndDarkWaitForBoth) {
  for (const std::uint16_t port : {std::uint16_t{0}, std::uint16_t{2}}) {
    RigConfig both = config(stuck_until(20));
    both.outages = {{Cycles{3}, port, true}, {Cycles{40}, port, false}};
    Rig r(both);
    r.offer(1, 0, {2}, 10);
    r.offer(2, 0, {2}, 10, 30);
    EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 4: 1 to 2 [] final", "at 56: 2 to 2 [0+10] final"})) << port;
    EXPECT_EQ(r.plane->counters(2).reconfigurations, 6) << port;
  }
}

/// Light at 5.5 dB above what is needed, and mirrors that ring `rings` times for 4 cycles after 6.
LightLevel ringing(int rings, std::int64_t lost) {
  return {.laser = -300,
          .loss = 250,
          .detected = true,
          .threshold = -1100,
          .hysteresis = 50,
          .lost = Cycles{lost},
          .back = Cycles{1},
          .ring_after = Cycles{6},
          .ring = Cycles{4},
          .rings = rings};
}

/// They arrive at the end of cycle 3, and lock in 4 and 5: light until 9, none in 10 to 13. Without a delay what fails in
/// 11 has passed the word of 10; light is back in 14, reported after 15, locked after 17. A second ring begins in 20.
TEST_P(Mirrors, ThatRingLoseTheirLightAfterTheyArrive) {
  for (const auto& [rings, at, runs] :
       {std::tuple{1, "at 23: ", " [0+5 5+5] final"}, {2, "at 30: ", " [0+5 5+3 8+2] final"}}) {
    RigConfig swings = config({});
    swings.light = ringing(rings, 0);
    Rig r(swings);
    EXPECT_EQ(delivered(r), (Texts{std::string(at) + "1 to 2" + runs, std::string(at) + "2 to 3" + runs}));
  }
}

/// Reported 2 cycles late: words of 11 and 12 are lost, which no event reports. Sent again, they ring no more.
TEST_P(Mirrors, ThatRingLoseWordsBeforeThatIsReported) {
  RigConfig late = config({});
  late.light = ringing(1, 2);
  Rig r(late);
  r.offer(1, 0, {2}, 10);
  EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 21: 1 to 2 [0+5 7+3] final"}));
  EXPECT_EQ(r.plane->counters(2).lost, Words{2});
  r.offer_again(2, 0, 2, 2, 30);
  EXPECT_EQ(r.deliver_all().size(), 1u);
  EXPECT_EQ(r.plane->counters(2).lost, Words{2});
}

/// A plan takes 6 cycles for its circuit, as without a level; light is reported 1 + `back` cycles after the port lives again
/// in 50, and is locked after 2 more.
TEST_P(Mirrors, WhosePortsDieGetTheirLightBackLate) {
  for (const auto& [back, at] : {std::pair{0, 66}, {3, 66}, {7, 70}, {12, 75}}) {
    RigConfig dead = config({});
    dead.light = ringing(0, 2);
    dead.light->back = Cycles{back};
    dead.outages = {{Cycles{30}, 2, true}, {Cycles{50}, 2, false}};
    Rig r(dead);
    r.offer(1, 0, {2}, 10);
    EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at 16: 1 to 2 [0+10] final"}));
    r.offer(2, 0, {2}, 10, 35);
    EXPECT_EQ(texts_of(r.deliver_all()), (Texts{"at " + std::to_string(at) + ": 2 to 2 [0+10] final"})) << back;
  }
}

/// Section 2 of the contract.
std::uint32_t first_draw(std::uint32_t seed, std::uint32_t o) {
  std::uint32_t x = seed ^ (0x9E3779B9U * (o + 1));
  x ^= x << 13;
  x ^= x >> 17;
  x ^= x << 5;
  return x;
}

TEST_P(Mirrors, WithJitterTakeWhatIsDrawn) {
  for (const std::uint32_t seed : {1U, 2U, 3U}) {
    RigConfig drawn = config({});
    drawn.jitter = 15;
    drawn.seed = seed;
    Rig r(drawn);
    delivered(r);
    ASSERT_EQ(r.carried.size(), 2U);
    for (const Carried& carried : r.carried) {
      const std::uint32_t out = index(carried.planned.in) == 0 ? 2 : 3;
      EXPECT_EQ(carried.up, Cycles{6 + static_cast<std::int64_t>(first_draw(seed, out) & 15U)}) << seed << ' ' << out;
    }
  }
}

OCS_ON_EVERY_DEVICE(Mirrors);

}  // namespace
}  // namespace ocs::test
