// The key fabric.switch: what it sets, what it makes useless, what it refuses, and what a record keeps of it.
// SPDX-License-Identifier: Apache-2.0
#include <fstream>

#include "testbed/experiment/files/light.hpp"
#include "testbed/experiment/files/neighbours.hpp"
#include "testbed/experiment/files/receivers.hpp"
#include "testbed/experiment/fit/fit.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/experiment/plan.hpp"
#include "testbed/experiment/point_record.hpp"
#include "testbed/experiment/prepare.hpp"
#include "tests/common/places.hpp"
#include "tests/experiment/support.hpp"

namespace ocs {
namespace {

using test::few_names;
using test::refusal;
using test::resolved;

const std::string switch_key_small =
    "policy = 'sunflow'\njob.workers = 3\njob.servers = 1\nfabric.ports = 4\njob.workload = 'alexnet'\n";

TEST(SwitchKey, SetsTuningLockingAndTheWayOfControl) {
  const Point point = resolved("policy = 'hlf'\n[fabric]\nswitch = 'mordia'\n").points.at(0);
  EXPECT_EQ(point.fabric.tuning_cycles, Cycles{547});
  EXPECT_EQ(point.fabric.locking_cycles, Cycles{1700});
  EXPECT_TRUE(point.fabric.delays().uniform());
  EXPECT_EQ(point.control.lead, Picos{68'500'000});
  EXPECT_EQ(point.control.lead_cycles, Cycles{13'379});
}

TEST(SwitchKey, GivesEveryPairItsOwnDelayInCycles) {
  const Point point = resolved(switch_key_small + "fabric.switch = 'palomar'").points.at(0);
  const SwitchDelays delays = point.fabric.delays();
  ASSERT_EQ(delays.pair_tuning.size(), 16u);
  const SwitchProfile palomar = load_switch_profile("palomar", ocs::test::source_dir() + "/host/switches", "");
  Cycles longest;
  Picos longest_asked;
  for (std::uint16_t in = 0; in < 4; ++in)
    for (std::uint16_t out = 0; out < 4; ++out) {
      const Cycles tuning = delays.tuning_of(Input{in}, Output{out}, 4);
      EXPECT_EQ(tuning, to_cycles(palomar.tuning_of(Input{in}, Output{out}), Picos{5120}));
      longest = std::max(longest, tuning);
      longest_asked = std::max(longest_asked, palomar.tuning_of(Input{in}, Output{out}));
    }
  EXPECT_EQ(delays.tuning, longest);
  EXPECT_EQ(point.fabric.tuning, longest_asked);
  EXPECT_EQ(point.control.lead, Picos{0}) << "palomar says nothing of its control";
}

TEST(SwitchKey, SaysHowMirrorsAreProgrammed) {
  SwitchProfile profile = parse_switch_profile(
      "ports = 8\n[tuning]\nall = '1 us'\n[locking]\nall = '0 ns'\n[programming]\ntime = '3 us'\nlanes = 2\n", "p",
      "p");
  FabricSettings fabric = resolved(switch_key_small).points.at(0).fabric;
  use_switch(fabric, profile, {});
  fit_fabric(fabric, {});
  EXPECT_EQ(fabric.delays().programming, to_cycles(Picos{3'000'000}, fabric.cycle));
  EXPECT_EQ(fabric.delays().lanes, 2);
  EXPECT_EQ(resolved(switch_key_small + "fabric.program_time = '1 ms'\nfabric.switch = 'mordia'")
                .points.at(0)
                .fabric.program_cycles,
            Cycles{0})
      << "a switch that says nothing of it programs all at once";
}

TEST(SwitchKey, ReceiversAreThoseOfTheSwitchUnlessTheExperimentHasItsOwn) {
  const SwitchProfile profile = parse_switch_profile(
      "ports = 8\n[tuning]\nall = '1 us'\n[locking]\nall = '0 ns'\nreceivers = 'warm for 2 us; cold: 1 us, 3 us'\n",
      "p", "p.toml");
  FabricSettings fabric;
  fabric.ports = 4;
  use_switch(fabric, profile, {});
  EXPECT_EQ(fabric.receivers_text, "warm for 2 us; cold: 1 us, 3 us");
  ASSERT_TRUE(fabric.receiver_times);
  EXPECT_EQ(fabric.receiver_times->warm_time, Picos{2'000'000});
  EXPECT_EQ(fabric.receiver_times->warm, std::vector<Picos>{Picos{0}});
  const Receivers receivers = receivers_in_cycles(*fabric.receiver_times, Picos{3000});
  EXPECT_EQ(receivers.warm_time, Cycles{667});
  EXPECT_EQ(receivers.cold[7], Cycles{334});
  EXPECT_EQ(receivers.cold[8], Cycles{1000});
  EXPECT_EQ(receivers.longest(), Cycles{1000});
  FabricSettings own = fabric;
  own.receivers_text = "cold: 9 us";
  own.receiver_times = parse_receivers(own.receivers_text);
  use_switch(own, profile, {});
  EXPECT_EQ(own.receivers_text, "cold: 9 us");
  EXPECT_EQ(own.receiver_times->cold, std::vector<Picos>{Picos{9'000'000}});
}

TEST(SwitchKey, NeighboursAreThoseOfTheSwitchUnlessTheExperimentSaysOtherwise) {
  const SwitchProfile profile = parse_switch_profile(
      "ports = 40\n[tuning]\nall = '1 us'\nneighbours = 'disturb at 1, 7, 32 for 2 us'\n[locking]\nall = '0 ns'\n", "p",
      "p.toml");
  FabricSettings fabric;
  fabric.ports = 8;
  use_switch(fabric, profile, {});
  EXPECT_EQ(fabric.neighbours_text, "disturb at 1, 7, 32 for 2 us");
  EXPECT_EQ(to_text(fabric.neighbour_times), fabric.neighbours_text);
  const auto distances = [&](int ports) {
    return neighbours_in_cycles(fabric.neighbour_times, ports, Picos{3000}).distances;
  };
  EXPECT_EQ(neighbours_in_cycles(fabric.neighbour_times, 8, Picos{3000}).disturbed, Cycles{667});
  EXPECT_EQ(distances(7), 1u);
  EXPECT_EQ(distances(8), 0x41u);
  EXPECT_EQ(distances(32), 0x41u);
  EXPECT_EQ(distances(33), 0x80000041u);
  FabricSettings own;
  own.ports = 8;
  own.neighbours_text = "park for 5 us";
  own.neighbour_times = parse_neighbours(own.neighbours_text);
  use_switch(own, profile, {});
  EXPECT_EQ(own.neighbours_text, "park for 5 us");
  EXPECT_EQ(to_text(own.neighbour_times), "park for 5 us");
}

TEST(SwitchKey, LightIsThatOfTheSwitchUnlessTheExperimentSaysOtherwise) {
  const SwitchProfile profile = parse_switch_profile(
      "ports = 8\n[tuning]\nall = '1 us'\n[locking]\nall = '0 ns'\n[optics]\nlaunch_dbm = 3\nlight = '-3 dBm less "
      "2.5 dB'\n",
      "p", "p.toml");
  EXPECT_EQ(profile.optics.size(), 1u);
  FabricSettings fabric;
  fabric.ports = 8;
  use_switch(fabric, profile, {});
  EXPECT_EQ(fabric.light_text, "-3 dBm less 2.5 dB");
  ASSERT_TRUE(fabric.light_levels);
  EXPECT_EQ(fabric.light_levels->laser, -300);
  EXPECT_EQ(fabric.light_levels->loss, 250);
  EXPECT_FALSE(fabric.light_levels->detected);
  FabricSettings own;
  own.ports = 8;
  own.light_text = "-4 dBm";
  own.light_levels = parse_light(own.light_text);
  use_switch(own, profile, {});
  EXPECT_EQ(own.light_levels->laser, -400);
}

TEST(SwitchKey, LevelsByPortAreThoseOfTheFirstPortsUnlessTheExperimentSaysOtherwise) {
  const SwitchProfile profile = parse_switch_profile(
      "ports = 4\n[tuning]\nall = '1 us'\n[locking]\nall = '0 ns'\n[optics]\nlight = '-3 dBm, lost below -5 dBm'\n"
      "laser = [-3, -2.5, -4, -9]\nloss = [0, 0.25, 1.5, 9]\n",
      "p", "p.toml");
  FabricSettings fabric;
  fabric.ports = 2;
  use_switch(fabric, profile, {});
  ASSERT_TRUE(fabric.light_levels);
  EXPECT_EQ(fabric.light_levels->lasers, (std::vector{-300, -250}));
  EXPECT_EQ(fabric.light_levels->losses, (std::vector{0, 25}));
  const LightLevel level = light_in_cycles(*fabric.light_levels, Picos{3000});
  EXPECT_EQ(level.laser_of(Input{1}), -250);
  EXPECT_EQ(level.loss_of(Output{1}), 25);
  EXPECT_EQ(level.threshold, -500);
  FabricSettings own;
  own.ports = 2;
  own.light_text = "-4 dBm";
  own.light_levels = parse_light(own.light_text);
  use_switch(own, profile, {});
  EXPECT_EQ(own.light_levels, parse_light("-4 dBm"));
  EXPECT_EQ(own.light_text, "-4 dBm");
}

TEST(LightKey, HasNoPairOfPortsWithTooLittleLight) {
  LightLevels levels = parse_light("0 dBm less 1 dB, lost below -5 dBm, back at -4 dBm").value();
  const auto why = [&] { return refusal([&] { light_in_cycles(levels, Picos{3000}); }); };
  levels.lasers = {-100, -300, -200, -300};
  EXPECT_EQ(weakest_text(levels), "-4 dBm at output 0 from input 1");
  EXPECT_NO_THROW(light_in_cycles(levels, Picos{3000})) << "no weaker than both levels";
  levels.losses = {0, 0, 101, 101};
  EXPECT_EQ(weakest_pair(levels).out, 2u);
  EXPECT_EQ(why(),
            "must have light to spare: -4.01 dBm at output 2 from input 1 are below -4 dBm, and that circuit would not "
            "be up again once it has lost its light");
  levels.losses[3] = 201;
  EXPECT_EQ(why(),
            "must have light to spare: -5.01 dBm at output 3 from input 1 are below -5 dBm, and that circuit would "
            "never be up");
  levels.lasers.clear();
  EXPECT_EQ(weakest_text(levels), "-2.01 dBm at output 3 from input 0");
  levels.losses.clear();
  EXPECT_EQ(weakest_text(levels), "-1 dBm at outputs");
}

TEST(LightKey, IsReadToTheHundredthAndRoundedUpToCycles) {
  const LightLevels levels =
      parse_light(
          "-3.05 dBm less 2.5 dB, lost below -14 dBm for 2 us, back at -13.59 dBm for 10 us; rings "
          "2 times for 3 us after 5 us")
          .value();
  EXPECT_EQ(levels, (LightLevels{.laser = -305,
                                 .loss = 250,
                                 .detected = true,
                                 .lost_below = -1400,
                                 .back_at = -1359,
                                 .lost_for = Picos{2'000'000},
                                 .back_for = Picos{10'000'000},
                                 .rings = 2,
                                 .ring_after = Picos{5'000'000},
                                 .ring = Picos{3'000'000}}));
  EXPECT_EQ(light_in_cycles(levels, Picos{3000}), (LightLevel{.laser = -305,
                                                              .loss = 250,
                                                              .detected = true,
                                                              .threshold = -1400,
                                                              .hysteresis = 41,
                                                              .lost = Cycles{667},
                                                              .back = Cycles{3334},
                                                              .ring_after = Cycles{1667},
                                                              .ring = Cycles{1000},
                                                              .rings = 2}));
  EXPECT_EQ(parse_light(" "), std::nullopt);
  EXPECT_EQ(parse_light("0 dBm"), (LightLevels{}));
  EXPECT_EQ(parse_light("-327.68dBm less 655.35 dB")->loss, 65535);
  EXPECT_EQ(parse_light("327.67 dBm, lost below -0.5 dBm")->lost_below, -50);
  const LightLevels once = parse_light("1 dBm, lost below 0 dBm; rings for 1 us").value();
  EXPECT_EQ(once.rings, 1);
  EXPECT_EQ(once.back_at, 0);
  EXPECT_EQ(once.ring_after, Picos{0});
  EXPECT_EQ(dbm_text(-5), "-0.05 dBm");
  EXPECT_EQ(dbm_text(-1350), "-13.5 dBm");
}

TEST(SwitchKey, MirrorsThatAreParkedMoveLonger) {
  const Point point =
      resolved(switch_key_small + "fabric.neighbours = 'park for 5 us'\nnodes.extra_tuning = '0 ns, 3 us'")
          .points.at(0);
  const Point before = resolved(switch_key_small + "nodes.extra_tuning = '0 ns, 3 us'").points.at(0);
  EXPECT_FALSE(point.fabric.disturbs());
  EXPECT_EQ(point.fabric.tuning, before.fabric.tuning + Picos{5'000'000});
  const SwitchDelays delays = point.fabric.delays(), without = before.fabric.delays();
  for (const Output out : {Output{0}, Output{1}})
    EXPECT_EQ(to_picos(delays.tuning_of(Input{1}, out, point.fabric.ports), point.fabric.cycle) -
                  to_picos(without.tuning_of(Input{1}, out, point.fabric.ports), point.fabric.cycle),
              to_picos(to_cycles(Picos{5'000'000}, point.fabric.cycle), point.fabric.cycle));
}

TEST(SwitchKey, PlansWithEachPairsOwnDelay) {
  const Point point = resolved(switch_key_small + "fabric.switch = 'palomar'").points.at(0);
  const PlannedJob planned = plan_job(point);
  ASSERT_FALSE(planned.push.plan.list.empty());
  const ControlTimes times = control_times(point);
  for (const Reservation& r : planned.push.plan.list) {
    if (r.up == r.start) continue;
    const Cycles dark = times.light(r.in, r.outs, 4);
    EXPECT_EQ((r.up - r.start).n, dark.n + 1) << index(r.in);
  }
}

TEST(SwitchKey, IsAnAxis) {
  const Experiment experiment = resolved("policy = 'hlf'\n[fabric]\nswitch = ['mordia', '', 'opera']\n");
  ASSERT_EQ(experiment.points.size(), 3u);
  EXPECT_EQ(experiment.points[1].fabric.tuning, Picos{10'000'000'000});
  EXPECT_EQ(experiment.points[2].fabric.tuning, Picos{10'000'000});
}

TEST(SwitchKey, MakesOtherKeysUseless) {
  const auto sentences =
      without_effect(resolved("policy = 'hlf'\nseed = 1\n[fabric]\nswitch = ['mordia', 'palomar']\ntuning = '1 "
                              "ms'\nlocking = '1 ms'\n[control]\nlead = '1 us'\n"));
  EXPECT_EQ(sentences,
            (std::vector<std::string>{
                "x.toml:5: fabric.tuning has no effect in this experiment: fabric.switch says how long mirrors move",
                "x.toml:6: fabric.locking has no effect in this experiment: fabric.switch says how long receivers lock",
                "x.toml:8: control.lead has no effect in 1 of 2 rows: fabric.switch says how long its control takes"}));
}

TEST(SwitchKey, RefusesUnknownSwitchesAndTooManyPorts) {
  EXPECT_EQ(refusal([] {
              resolved("fabric.switch = 'mordai'");
            }).rfind("x.toml:1: fabric.switch is \"mordai\": unknown switch", 0),
            0u);
  EXPECT_EQ(refusal([] { resolved("policy = 'hlf'\n[fabric]\nports = 64\nswitch = 'mordia'"); }),
            "x.toml:4: switch \"mordia\" has 24 ports, but fabric.ports is 64");
  EXPECT_NE(refusal([] { resolved("fabric.switch = 3"); }).find("fabric.switch is 3, but must be text in quotes"),
            std::string::npos);
  EXPECT_NE(refusal([] {
              resolved("[fabric]\nswitch = 'calient'\nrate = '102.4 Tbit/s'\nword = '64 B'");
            }).find("must be at most"),
            std::string::npos)
      << "2^30 cycles of 5 ps are less than 200 ms";
}

TEST(SwitchKey, IsKeptWithTheHashOfItsProfile) {
  const std::string file = ::testing::TempDir() + "twin.toml";
  const std::string text = "ports = 4\n[locking]\nall = \"0 ns\"\n[tuning]\nall = \"1 us\"\n";
  std::ofstream(file) << text;
  Names names = few_names();
  names.load_switch = [](std::string_view name) { return load_switch_profile(name, "", ::testing::TempDir()); };
  const auto settings = read_settings(switch_key_small + "fabric.switch = 'file:twin.toml'", "x.toml");
  const Experiment experiment = resolve(settings, names, "x.toml");
  const ExperimentRecord whole = record_of(experiment, ::testing::TempDir() + "x.toml", "1");
  const ExperimentRecord record = record_from_json(to_json(record_of_row(experiment, 0, whole)), "row 1");
  EXPECT_EQ(record.switch_hash.size(), 16u);
  EXPECT_EQ(point_of(record, names, "row 1").fabric.tuning, Picos{1'000'000}) << "by its whole path";
  std::ofstream(file) << text << "# measured anew\n";
  EXPECT_NE(refusal([&] { point_of(record, names, "row 1"); }).find("row 1 was run with another switch"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs
