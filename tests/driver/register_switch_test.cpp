// The Switch seam over a register window: commits, bursts and events, to the cycle.
// SPDX-License-Identifier: Apache-2.0
#include "host/device/registers/register_switch.hpp"

#include <gtest/gtest.h>

#include "rtl/regs/generated/ocs_regs.h"
#include "tests/driver/every_device.hpp"
#include "tests/driver/spy_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class RegisterSwitch : public ::testing::TestWithParam<std::string> {
 protected:
  Switch& make(const SwitchConfig& config, DeviceConfig device = {.ports = 4}, bool old_map = false) {
    switch_.reset();
    spy_.reset();  // some devices exist once at a time
    spy_ = std::make_unique<SpyDevice>(make_device(GetParam(), device));
    spy_->old_map = old_map;
    switch_ = make_register_switch(*spy_, config);
    spy_->accesses.clear();
    return *switch_;
  }
  static Select join(std::uint16_t in, std::uint16_t out) { return {Output{out}, Input{in}}; }
  static Select dark(std::uint16_t out) { return {Output{out}, std::nullopt}; }
  static Burst burst(std::uint32_t id, std::uint16_t in, std::int64_t length, std::int64_t not_before = 0,
                     bool gated = true) {
    return {Id{id}, Input{in}, Words{length}, Cycles{not_before}, gated};
  }
  /// Accesses of the second circuit alone are counted, whose commands have been given in cycle 5000.
  Switch& with_a_second_circuit(bool old_map) {
    Switch& plane = make({.delays = {.tuning = Cycles{1000}}}, {.ports = 16}, old_map);
    accept(plane.commit({Cycles{0}, {join(1, 0)}}));
    accept(plane.start(burst(1, 1, 1000)));
    run_to(plane, Cycles{5000});
    spy_->accesses.clear();
    accept(plane.commit({Cycles{5000}, {join(2, 0)}}));
    accept(plane.start(burst(2, 2, 1000)));
    return plane;
  }
  void accept(const std::optional<Refusal>& refusal) { EXPECT_FALSE(refusal) << refusal->why; }

  std::unique_ptr<SpyDevice> spy_;
  std::unique_ptr<Switch> switch_;
};

TEST_P(RegisterSwitch, ACircuitIsUpAfterTuningAndLocking) {
  Switch& plane = make({.delays = {.tuning = Cycles{3}, .locking = Cycles{2}}});
  run_to(plane, Cycles{10});
  accept(plane.commit({Cycles{10}, {join(2, 1)}}));
  EXPECT_EQ(run_to(plane, Cycles{30}), (Texts{"11 committed 0", "11 tuning 1", "14 locking 1", "16 up 1"}));
  accept(plane.commit({Cycles{30}, {dark(1)}}));
  EXPECT_EQ(run_to(plane, Cycles{40}), (Texts{"31 committed 0", "31 idle 1"}));
}

TEST_P(RegisterSwitch, MirrorsAreProgrammedInTurnByTheOutputsOfTheirCommit) {
  Switch& plane = make({.delays = {.tuning = Cycles{5}, .programming = Cycles{3}, .lanes = 2}});
  accept(plane.commit({Cycles{0}, {join(0, 0), join(1, 1), join(2, 2)}}));
  EXPECT_EQ(run_to(plane, Cycles{20}),
            (Texts{"1 committed 0", "1 tuning 0", "1 tuning 1", "1 tuning 2", "6 up 0", "6 up 1", "9 up 2"}));
  accept(plane.commit({Cycles{20}, {dark(0), join(0, 1), join(1, 3)}}));
  EXPECT_EQ(run_to(plane, Cycles{40}),
            (Texts{"21 committed 0", "21 idle 0", "21 tuning 1", "21 tuning 3", "26 up 1", "29 up 3"}));
}

TEST_P(RegisterSwitch, ReceiversLockByWhatTheyLastReceived) {
  Receivers receivers{.warm_time = Cycles{15}};
  receivers.warm.fill(Cycles{1});
  receivers.cold.fill(Cycles{6});
  Switch& plane = make({.delays = {.tuning = Cycles{3}, .receivers = receivers}});
  accept(plane.commit({Cycles{0}, {join(2, 1)}}));
  EXPECT_EQ(run_to(plane, Cycles{20}), (Texts{"1 committed 0", "1 tuning 1", "4 locking 1", "10 up 1"}));
  accept(plane.commit({Cycles{20}, {join(0, 1)}}));
  EXPECT_EQ(run_to(plane, Cycles{31}), (Texts{"21 committed 0", "21 tuning 1", "24 locking 1", "30 up 1"}));
  accept(plane.commit({Cycles{31}, {join(2, 1)}}));
  EXPECT_EQ(run_to(plane, Cycles{50}), (Texts{"32 committed 0", "32 tuning 1", "35 locking 1", "36 up 1"}));
}

TEST_P(RegisterSwitch, AMirrorThatMovesDisturbsThoseBesideIt) {
  Switch& plane = make({.delays = {.tuning = Cycles{3}, .neighbours = {.disturbed = Cycles{4}, .distances = 1}}});
  accept(plane.commit({Cycles{0}, {join(2, 1)}}));
  accept(plane.start(burst(1, 2, 30)));
  EXPECT_EQ(run_to(plane, Cycles{10}), (Texts{"1 committed 0", "1 tuning 1", "4 up 1"}));
  accept(plane.commit({Cycles{10}, {join(0, 0)}}));
  EXPECT_EQ(run_to(plane, Cycles{20}),
            (Texts{"11 committed 0", "11 tuning 0", "11 run 1 burst 1 words 0+7", "14 up 0"}));
  accept(plane.commit({Cycles{20}, {join(1, 2)}}));
  EXPECT_EQ(run_to(plane, Cycles{26}),
            (Texts{"21 committed 0", "21 tuning 2", "21 run 1 burst 1 words 11+6", "24 up 2"}));
  accept(plane.commit({Cycles{26}, {join(3, 3)}}));
  EXPECT_EQ(run_to(plane, Cycles{40}), (Texts{"27 committed 0", "27 tuning 3", "30 up 3", "34 run 1 burst 1 words 21+9",
                                              "34 burst_done 2 burst 1 words 0+30"}))
      << "output 3 is too far away";
  EXPECT_EQ(plane.counters(1).lost.n, 8);
  EXPECT_EQ(plane.counters(1).passed.n, 22);
}

TEST_P(RegisterSwitch, ABurstEndsWhileItsOutputIsDisturbed) {
  Switch& plane = make({.delays = {.neighbours = {.disturbed = Cycles{9}, .distances = 1}}});
  accept(plane.commit({Cycles{0}, {join(2, 1)}}));
  accept(plane.start(burst(1, 2, 10)));
  run_to(plane, Cycles{5});
  accept(plane.commit({Cycles{5}, {join(0, 0)}}));
  EXPECT_EQ(run_to(plane, Cycles{12}),
            (Texts{"6 committed 0", "6 up 0", "6 run 1 burst 1 words 0+5", "11 burst_done 2 burst 1 words 0+10"}));
  accept(plane.start(burst(2, 2, 10)));
  EXPECT_EQ(run_to(plane, Cycles{30}), (Texts{"23 run 1 burst 2 words 2+8", "23 burst_done 2 burst 2 words 0+10"}));
  accept(plane.start(burst(3, 2, 10)));
  EXPECT_EQ(run_to(plane, Cycles{50}), (Texts{"41 run 1 burst 3 words 0+10", "41 burst_done 2 burst 3 words 0+10"}));
  EXPECT_EQ(plane.counters(1).lost.n, 7);
}

TEST_P(RegisterSwitch, WithoutDelayACircuitIsUpInTheNextCycle) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(2, 1)}}));
  accept(plane.start(burst(7, 2, 3)));
  EXPECT_EQ(run_to(plane, Cycles{9}),
            (Texts{"1 committed 0", "1 up 1", "4 run 1 burst 7 words 0+3", "4 burst_done 2 burst 7 words 0+3"}));
}

TEST_P(RegisterSwitch, CommitsOfOneCycleActAsOne) {
  Switch& plane = make({.delays = {.tuning = Cycles{1}}});
  accept(plane.commit({Cycles{0}, {join(0, 1)}}));
  accept(plane.commit({Cycles{0}, {join(1, 0)}}));
  EXPECT_EQ(run_to(plane, Cycles{9}), (Texts{"1 committed 0", "1 tuning 0", "1 tuning 1", "2 up 0", "2 up 1"}));
}

TEST_P(RegisterSwitch, ALaterCommitIsTakenInItsCycle) {
  Switch& plane = make({.delays = {.tuning = Cycles{2}}});
  accept(plane.commit({Cycles{5'000'000'000}, {join(0, 1)}}));
  const auto refusal = plane.commit({Cycles{0}, {join(1, 2)}});
  ASSERT_TRUE(refusal);
  EXPECT_NE(refusal->why.find("5000000000"), std::string::npos) << refusal->why;
  EXPECT_EQ(run_to(plane, Cycles{5'000'000'005}),
            (Texts{"5000000001 committed 1", "5000000001 tuning 1", "5000000003 up 1"}));
  accept(plane.commit({Cycles{5'000'000'005}, {join(1, 2)}}));
}

TEST_P(RegisterSwitch, OnlyWhatChangesIsWritten) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(0, 1), join(1, 0)}}));
  EXPECT_EQ(spy_->writes(), 1u) << "two entries in a block, which commits";
  run_to(plane, Cycles{5});
  spy_->accesses.clear();
  accept(plane.commit({Cycles{5}, {join(0, 1), join(2, 0)}}));
  EXPECT_EQ(spy_->writes(), 1u) << "one entry, which commits";
  run_to(plane, Cycles{6});
  spy_->accesses.clear();
  accept(plane.commit({Cycles{6}, {join(0, 1)}}));
  EXPECT_EQ(spy_->writes(), 1u) << "the command alone";
  run_to(plane, Cycles{7});
  accept(plane.commit({Cycles{9}, {join(3, 3)}}));
  EXPECT_EQ(spy_->writes(), 1u + 3u) << "one entry, and the words of its cycle";
}

TEST_P(RegisterSwitch, AGatedBurstWaitsForItsCircuit) {
  Switch& plane = make({.delays = {.tuning = Cycles{4}, .locking = Cycles{1}}});
  accept(plane.commit({Cycles{0}, {join(3, 0)}}));
  accept(plane.start(burst(1, 3, 10)));
  EXPECT_EQ(run_to(plane, Cycles{40}), (Texts{"1 committed 0", "1 tuning 0", "5 locking 0", "6 up 0",
                                              "16 run 0 burst 1 words 0+10", "16 burst_done 3 burst 1 words 0+10"}));
}

TEST_P(RegisterSwitch, ABlindBurstLosesItsFirstWords) {
  Switch& plane = make({.delays = {.tuning = Cycles{4}, .locking = Cycles{1}}});
  accept(plane.commit({Cycles{0}, {join(3, 0)}}));
  accept(plane.start(burst(1, 3, 10, 0, false)));
  EXPECT_EQ(run_to(plane, Cycles{40}), (Texts{"1 committed 0", "1 tuning 0", "5 locking 0", "6 up 0",
                                              "11 run 0 burst 1 words 5+5", "11 burst_done 3 burst 1 words 0+10"}));
  const Counters counters = plane.counters(0);
  EXPECT_EQ(counters.passed.n, 5);
  EXPECT_EQ(counters.lost.n, 5);
  EXPECT_EQ(counters.dark.n, 5);
  EXPECT_EQ(counters.reconfigurations, 1);
}

TEST_P(RegisterSwitch, WordsOfAnInputWithoutCircuitAreUnrouted) {
  Switch& plane = make({});
  accept(plane.start(burst(1, 3, 10, 0, false)));
  EXPECT_EQ(run_to(plane, Cycles{20}), (Texts{"11 burst_done 3 burst 1 words 0+10"}));
  EXPECT_EQ(plane.counters(3).unrouted.n, 10);
}

TEST_P(RegisterSwitch, NotBeforeIsTheCycleOfTheFirstWord) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(3, 0)}}));
  accept(plane.start(burst(1, 3, 10, 100)));
  EXPECT_EQ(run_to(plane, Cycles{200}),
            (Texts{"1 committed 0", "1 up 0", "110 run 0 burst 1 words 0+10", "110 burst_done 3 burst 1 words 0+10"}));
}

TEST_P(RegisterSwitch, AnInputIsFreeInTheCycleInWhichItsBurstIsReported) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(3, 0)}}));
  accept(plane.start(burst(1, 3, 10)));
  run_to(plane, Cycles{10});
  const auto refusal = plane.start(burst(2, 3, 10));
  ASSERT_TRUE(refusal);
  EXPECT_NE(refusal->why.find("burst 1"), std::string::npos) << refusal->why;
  plane.clock().run_until(Cycles{50});
  EXPECT_EQ(plane.clock().now().n, 11);
  accept(plane.start(burst(2, 3, 2)));
  EXPECT_EQ(run_to(plane, Cycles{50}), (Texts{"11 run 0 burst 1 words 0+10", "11 burst_done 3 burst 1 words 0+10",
                                              "14 run 0 burst 2 words 0+2", "14 burst_done 3 burst 2 words 0+2"}))
      << "what commands read on the way is handed out too";
}

TEST_P(RegisterSwitch, AStoppedBurstKeepsWhatHasPassed) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(3, 0)}}));
  accept(plane.start(burst(1, 3, 10)));
  run_to(plane, Cycles{5});
  accept(plane.stop(Id{1}));
  EXPECT_EQ(run_to(plane, Cycles{20}), (Texts{"6 run 0 burst 1 words 0+5", "6 burst_done 3 burst 1 words 0+5"}));
  EXPECT_TRUE(plane.stop(Id{1})) << "it isn't running any more";
  accept(plane.start(burst(2, 3, 10)));
  EXPECT_TRUE(plane.stop(Id{2})) << "a start wins over a stop of its own cycle";
}

TEST_P(RegisterSwitch, ABurstOf2To32Minus1WordsIsOne) {
  Switch& plane = make({});
  constexpr std::int64_t words = (std::int64_t{1} << 32) - 1;
  accept(plane.commit({Cycles{0}, {join(1, 0)}}));
  accept(plane.start(burst(1, 1, words)));
  EXPECT_EQ(run_to(plane, Cycles{words + 10}),
            (Texts{"1 committed 0", "1 up 0", "4294967296 run 0 burst 1 words 0+4294967295",
                   "4294967296 burst_done 1 burst 1 words 0+4294967295"}));
  accept(plane.start(burst(2, 1, words)));
  run_to(plane, Cycles{2 * words + 20});
  EXPECT_EQ(plane.counters(0).passed.n, 2 * words);
  EXPECT_TRUE(plane.start(burst(3, 1, words + 1)));
}

TEST_P(RegisterSwitch, OneInputFeedsSeveralOutputsWithMulticast) {
  Switch& plane = make({.delays = {.tuning = Cycles{2}}, .multicast = true});
  accept(plane.commit({Cycles{0}, {join(1, 0), join(1, 3)}}));
  accept(plane.start(burst(1, 1, 4)));
  EXPECT_EQ(run_to(plane, Cycles{20}),
            (Texts{"1 committed 0", "1 tuning 0", "1 tuning 3", "3 up 0", "3 up 3", "7 run 0 burst 1 words 0+4",
                   "7 run 3 burst 1 words 0+4", "7 burst_done 1 burst 1 words 0+4"}));
}

TEST_P(RegisterSwitch, AllStopHoldsTheOthers) {
  Switch& plane = make({.delays = {.tuning = Cycles{2}}, .all_stop = true});
  accept(plane.commit({Cycles{0}, {join(1, 0)}}));
  accept(plane.start(burst(1, 1, 10)));
  run_to(plane, Cycles{5});  // words 0 and 1 in cycles 3 and 4
  accept(plane.commit({Cycles{5}, {join(2, 3)}}));
  EXPECT_EQ(run_to(plane, Cycles{30}),
            (Texts{"6 committed 0", "6 held 0", "6 tuning 3", "6 run 0 burst 1 words 0+3", "8 up 0", "8 up 3",
                   "15 run 0 burst 1 words 3+7", "15 burst_done 1 burst 1 words 0+10"}));
}

TEST_P(RegisterSwitch, AWholeMapIsAThirdOfItsOutputsInAccesses) {
  for (const bool old_map : {false, true}) {
    Switch& plane = make({}, {.ports = 16}, old_map);
    Commit all{Cycles{0}, {}};
    for (std::uint16_t o = 0; o < 16; ++o) all.change.push_back(join(static_cast<std::uint16_t>((o + 5) % 16), o));
    accept(plane.commit(all));
    EXPECT_EQ(spy_->writes(), old_map ? 16u + 1u : 6u);
    run_to(plane, Cycles{2});
    spy_->accesses.clear();
    accept(plane.commit({Cycles{2}, {dark(3), dark(5), dark(6), dark(15)}}));
    EXPECT_EQ(spy_->writes(), old_map ? 4u + 1u : 3u) << "3 to 5, 6, 15";
    run_to(plane, Cycles{4});
    for (std::uint16_t o = 0; o < 16; ++o) {
      const bool is_dark = o == 3 || o == 5 || o == 6 || o == 15;
      const std::uint32_t circuit = is_dark ? 0 : OCS_REGS__PORT__ACTIVEX__VALID_bm | ((o + 5u) % 16u);
      EXPECT_EQ(spy_->bus().read(OCS_TEST_PORT(ACTIVE) + 4u * o), circuit) << o;
    }
  }
}

TEST_P(RegisterSwitch, ACircuitWithItsBurstCostsFewAccesses) {
  Switch& plane = with_a_second_circuit(false);
  EXPECT_EQ(spy_->accesses.size(), 1u + 2u) << "entry, which commits; length, tag, which starts";
  run_to(plane, Cycles{10000});
  // Three stops of the clock: {committed, tuning}, {up}, {whole}. There is no segment, and counters are looked at later.
  EXPECT_EQ(spy_->accesses.size(), 3u + 4u);
}

TEST_P(RegisterSwitch, CountersAreReadAfter64WholeBurstsOfAnInput) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(1, 0)}}));
  run_to(plane, Cycles{5});
  for (std::uint32_t n = 1; n <= 130; ++n) {
    spy_->accesses.clear();
    accept(plane.start(burst(n, 1, 7)));
    const Texts events = run_to(plane, spy_->clock().now() + Cycles{10});
    EXPECT_EQ(events.size(), 2u) << "a run, and its end";
    EXPECT_EQ(spy_->accesses.size() - spy_->writes(), n % 64 == 0 ? 1u + 3u : 1u) << n;
  }
  EXPECT_EQ(plane.counters(0).passed, Words{130 * 7});
}

TEST_P(RegisterSwitch, ABurstThatIsNotWholeIsToldByItsSegments) {
  Switch& plane = make({.delays = {.tuning = Cycles{4}}});
  accept(plane.commit({Cycles{0}, {join(1, 0)}}));
  accept(plane.start(burst(1, 1, 7, 0, false)));
  run_to(plane, Cycles{20});
  accept(plane.start(burst(2, 1, 7)));
  run_to(plane, Cycles{40});
  EXPECT_EQ(plane.counters(0).passed, Words{3 + 7});
  EXPECT_EQ(plane.counters(0).lost, Words{4});
}

TEST_P(RegisterSwitch, ACircuitCostsMoreAccessesWithoutTheBriefForm) {
  Switch& plane = with_a_second_circuit(true);
  EXPECT_EQ(spy_->accesses.size(), 2u + 3u) << "entry, command; length, tag, command";
  run_to(plane, Cycles{10000});
  // Three stops of the clock: {committed, tuning}, {up}, {done}; their stamps are where it stands.
  // That nothing is left and no error waits is seen at the interrupt line. One segment: three
  // words, clear. Counters: sent, passed, lost.
  EXPECT_EQ(spy_->accesses.size(), 5u + 4u + 4u + 3u);
}

TEST_P(RegisterSwitch, TheInterruptLineIsWhatTheRegistersSay) {
  Switch& plane = make({.delays = {.tuning = Cycles{3}}});
  FabricClock& clock = spy_->clock();
  accept(plane.commit({Cycles{0}, {join(2, 0)}}));
  clock.run_until(Cycles{1});
  for (const std::uint32_t enabled : {0u, 1u, 2u, 4u, 6u, 7u}) {
    spy_->bus().write(offsetof(ocs_regs_t, IRQ_ENABLE), enabled);
    const std::uint32_t active = spy_->bus().read(OCS_TEST_CORE(IRQ_STATUS));
    EXPECT_EQ(active, OCS_REGS__CORE__IRQ_STATUS__EVENT_bm);
    EXPECT_EQ(clock.interrupt(), (active & enabled) != 0) << "enabled: " << enabled;
  }
  std::vector<Event> events;
  plane.take_events(events);
  EXPECT_FALSE(clock.interrupt());
}

OCS_ON_EVERY_DEVICE(RegisterSwitch);

}  // namespace
}  // namespace ocs::test
