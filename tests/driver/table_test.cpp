// Tables in the switch's sequencer through the Switch seam: maps that come by themselves, to the cycle.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "firmware/ocs_dev.h"
#include "host/device/registers/register_switch.hpp"
#include "host/device/registers/register_switch_bus.hpp"
#include "tests/driver/every_device.hpp"
#include "tests/driver/spy_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class Tables : public ::testing::TestWithParam<std::string> {
 protected:
  Switch& make(const SwitchConfig& config) {
    spy_ = std::make_unique<SpyDevice>(make_device(GetParam(), {.ports = 4}));
    switch_ = make_register_switch(*spy_, config);
    spy_->accesses.clear();
    return *switch_;
  }
  static Select join(std::uint16_t in, std::uint16_t out) { return {Output{out}, Input{in}}; }
  static Select dark(std::uint16_t out) { return {Output{out}, std::nullopt}; }
  static std::optional<Refusal> repeat(Switch& plane, const std::vector<Commit>& table, std::int64_t period) {
    return plane.repeat(table, Cycles{period});
  }
  void accept(const std::optional<Refusal>& refusal) { EXPECT_FALSE(refusal) << refusal->why; }
  std::string why(const std::optional<Refusal>& refusal) { return refusal ? refusal->why : "accepted"; }
  std::size_t entries() {
    DriverBus bus(spy_->bus());
    ocs_dev dev{};
    bus.check(ocs_probe(&dev, bus.c()));
    return dev.seq_entries;
  }

  std::unique_ptr<SpyDevice> spy_;
  std::unique_ptr<Switch> switch_;
};

TEST_P(Tables, AreTakenInTheirCyclesWithoutTheHost) {
  Switch& plane = make({.delays = {.tuning = Cycles{2}}});
  run_to(plane, Cycles{10});
  accept(
      repeat(plane, {{Cycles{11}, {join(0, 1)}}, {Cycles{12}, {join(1, 2)}}, {Cycles{20}, {dark(1), join(0, 3)}}}, 0));
  EXPECT_EQ(run_to(plane, Cycles{40}),
            (Texts{"12 committed 2", "12 tuning 1", "13 committed 2", "13 tuning 2", "14 up 1", "15 up 2",
                   "21 committed 2", "21 idle 1", "21 tuning 3", "23 up 3"}));
}

TEST_P(Tables, OncePlayedCommitsGoOnFromTheirLastMap) {
  Switch& plane = make({});
  accept(repeat(plane, {{Cycles{5}, {join(0, 1)}}, {Cycles{9}, {join(1, 2)}}}, 0));
  EXPECT_EQ(why(plane.commit({Cycles{0}, {join(3, 3)}})), "a table is being played; an empty one stops it");
  run_to(plane, Cycles{9});
  EXPECT_EQ(why(plane.commit({Cycles{30}, {join(3, 3)}})), "a table is being played; an empty one stops it");
  run_to(plane, Cycles{10});
  EXPECT_EQ(why(plane.commit({Cycles{10}, {join(0, 3)}})), "input 0 would feed outputs 1 and 3, and multicast is off");
  accept(plane.commit({Cycles{10}, {dark(1), join(0, 3)}}));
  EXPECT_EQ(run_to(plane, Cycles{20}), (Texts{"11 committed 0", "11 idle 1", "11 up 3"}));
  accept(repeat(plane, {{Cycles{21}, {dark(3)}}}, 0));
  EXPECT_EQ(run_to(plane, Cycles{30}), (Texts{"22 committed 2", "22 idle 3"}));
}

TEST_P(Tables, EveryLoopGoesThroughTheSameMaps) {
  Switch& plane = make({});
  accept(repeat(plane, {{Cycles{3}, {join(0, 1)}}, {Cycles{7}, {dark(1), join(0, 2)}}}, 10));
  EXPECT_EQ(
      run_to(plane, Cycles{30}),
      (Texts{"4 committed 2",  "4 up 1",  "8 committed 2", "8 wrapped 2",    "8 idle 1",     "8 up 2",  //
             "14 committed 2", "14 up 1", "14 idle 2",     "18 committed 2", "18 wrapped 2", "18 idle 1", "18 up 2",
             "24 committed 2", "24 up 1", "24 idle 2",     "28 committed 2", "28 wrapped 2", "28 idle 1", "28 up 2"}));
}

TEST_P(Tables, WordsOfABurstFollowThem) {
  Switch& plane = make({});
  accept(plane.commit({Cycles{0}, {join(0, 1)}}));
  accept(plane.start({Id{1}, Input{0}, Words{20}, Cycles{1}, false}));  // words 0 to 19 in cycles 1 to 20
  run_to(plane, Cycles{2});
  accept(repeat(plane, {{Cycles{5}, {dark(1), join(0, 2)}}, {Cycles{10}, {dark(2), join(0, 1)}}}, 0));
  std::vector<Event> events;
  while (plane.clock().now() < Cycles{30}) {
    plane.clock().run_until(Cycles{30});
    plane.take_events(events);
  }
  Texts runs;
  for (const Event& event : events)
    if (event.kind == EventKind::run) runs.push_back(text_of(event));
  EXPECT_EQ(runs, (Texts{"6 run 1 burst 1 words 0+5", "11 run 2 burst 1 words 5+5", "21 run 1 burst 1 words 10+10"}));
  EXPECT_EQ(plane.counters(1).passed.n, 15);
  EXPECT_EQ(plane.counters(2).passed.n, 5);
}

TEST_P(Tables, AnEmptyOneStopsThemAndCommitsGoOnFromThere) {
  Switch& plane = make({});
  accept(repeat(plane, {}, 0));
  EXPECT_EQ(spy_->writes(), 0u) << "nothing is to be stopped";
  accept(repeat(plane, {{Cycles{3}, {join(0, 1)}}, {Cycles{7}, {dark(1), join(0, 2)}}}, 10));
  run_to(plane, Cycles{13});  // entry 0 of the second loop is due now
  accept(repeat(plane, {}, 0));
  accept(repeat(plane, {}, 0));
  EXPECT_EQ(why(plane.commit({Cycles{13}, {join(3, 3)}})), "a table is being stopped in this very cycle");
  EXPECT_EQ(run_to(plane, Cycles{40}), (Texts{"14 committed 2", "14 up 1", "14 idle 2"}));
  accept(plane.commit({Cycles{40}, {join(2, 2)}}));
  EXPECT_EQ(run_to(plane, Cycles{50}), (Texts{"41 committed 0", "41 up 2"})) << "output 1 keeps what it had";
  accept(repeat(plane, {{Cycles{60}, {dark(1)}}}, 0));
  EXPECT_EQ(run_to(plane, Cycles{70}), (Texts{"61 committed 2", "61 idle 1"}));
}

TEST_P(Tables, OfAllEntriesFarApart) {
  Switch& plane = make({.delays = {.tuning = Cycles{3}}});
  const std::size_t most = entries();
  ASSERT_GE(most, 2u);
  constexpr std::int64_t apart = 10'000'000;
  std::vector<Commit> table;
  for (std::size_t e = 0; e < most; ++e)
    table.push_back(
        {Cycles{5'000'000'000 + static_cast<std::int64_t>(e) * apart}, {e % 2 == 0 ? join(0, 1) : dark(1)}});
  accept(repeat(plane, table, 0));
  const Texts events = run_to(plane, Cycles{7'000'000'000});
  EXPECT_EQ(std::count_if(events.begin(), events.end(),
                          [](const std::string& text) { return text.ends_with("committed 2"); }),
            static_cast<std::ptrdiff_t>(most));
  table.push_back({table.back().at + Cycles{1}, {}});
  for (Commit& commit : table) commit.at += Cycles{10'000'000'000};
  EXPECT_EQ(why(repeat(plane, table, 0)), "a table of " + std::to_string(most + 1) +
                                              " commits is longer than the switch's sequencer of " +
                                              std::to_string(most));
}

TEST_P(Tables, RefusedOnesLeaveTheHardwareAlone) {
  Switch& plane = make({});
  run_to(plane, Cycles{10});
  const Commit first{Cycles{20}, {join(0, 1)}};
  EXPECT_EQ(why(repeat(plane, {{Cycles{9}, {}}}, 0)), "cycle 9 is past, it is cycle 10");
  EXPECT_EQ(why(repeat(plane, {{Cycles{10}, {}}}, 0)),
            "a table can begin in cycle 11 at the earliest, not in the present one");
  EXPECT_EQ(why(repeat(plane, {first, {Cycles{20}, {}}}, 0)), "a table's cycles ascend, but 20 follows 20");
  EXPECT_EQ(why(repeat(plane, {first, {Cycles{30}, {join(0, 2)}}}, 0)),
            "input 0 would feed outputs 1 and 2, and multicast is off");
  EXPECT_EQ(why(repeat(plane, {first, {Cycles{30}, {join(0, 4)}}}, 0)), "output 4 isn't one of this switch's 4");
  EXPECT_EQ(why(repeat(plane, {first, {Cycles{30}, {}}}, 10)),
            "a period of 10 cycles ends before the table's last commit, 10 cycles after its first");
  EXPECT_EQ(why(repeat(plane, {first}, -1)), "a period of -1 cycles isn't within 0 (once) to 4294967295");
  EXPECT_EQ(why(repeat(plane, {first, {Cycles{4'294'967'316}, {}}}, 0)),
            "cycle 4294967316 is more than 4294967295 cycles after the first one of the table");
  EXPECT_EQ(spy_->writes(), 0u);
  accept(plane.commit({Cycles{15}, {join(2, 2)}}));
  EXPECT_EQ(why(repeat(plane, {first}, 0)), "the timed commit of cycle 15 hasn't been taken yet");
  run_to(plane, Cycles{17});
  accept(plane.commit({Cycles{17}, {dark(2)}}));
  EXPECT_EQ(why(repeat(plane, {first}, 0)), "a commit of the present cycle hasn't been taken yet");
}

OCS_ON_EVERY_DEVICE(Tables);

}  // namespace
}  // namespace ocs::test
