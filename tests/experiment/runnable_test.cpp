// What resolves, runs: no row is refused once it has been accepted.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/experiment/fit/runnable.hpp"

#include <gtest/gtest.h>

#include <optional>
#include <random>

#include "host/scheduler/catalogue.hpp"
#include "testbed/plans/outside_scheduler.hpp"
#include "testbed/run/exact_rows.hpp"
#include "testbed/run/run.hpp"
#include "tests/common/refusal.hpp"
#include "tests/common/share.hpp"
#include "tests/learning/support.hpp"

namespace ocs {
namespace {

Names all_names() {
  Names names = test::learning_names();
  names.devices.emplace_back("soc");
  names.policies.clear();
  names.schedulers.clear();
  for (const Policy& policy : policies()) names.policies.emplace_back(policy.name);
  for (const auto& scheduler : schedulers()) names.schedulers.emplace_back(scheduler.name);
  names.load_workload = [](std::string_view) {
    Workload table{.name = "tiny", .tensors = {}, .total = {}};
    for (const std::int64_t size : {3000, 100, 1500, 10, 700, 50, 60, 70}) {
      table.tensors.push_back({"t" + std::to_string(table.tensors.size()), {size}, size, Bytes{size * 4}});
      table.total += Bytes{size * 4};
    }
    return table;
  };
  names.load_trace = [](std::string_view name) {
    return parse_coflow_trace("4 3\n1 0 2 0 2 1 1:8\n2 0 1 0 2 1:2 3:4\n3 1 1 0 1 3:5\n", name, "t.txt");
  };
  return names;
}

Experiment experiment_of(const std::vector<std::string>& overrides) {
  std::vector<Setting> settings = read_settings("job.payload = 'none'\nfabric.device = 'model'", "x.toml"), later;
  for (const std::string& each : overrides) later.push_back(read_override(each));
  apply_overrides(settings, later);
  const Experiment experiment = resolve(settings, all_names(), "x.toml");
  check_exact(experiment);
  return experiment;
}

std::string refusal_of(const std::vector<std::string>& overrides) {
  return test::refusal([&] { experiment_of(overrides); });
}

TEST(Runnable, RefusesTheTimetableThatTheFirmwareCannotKeep) {
  EXPECT_EQ(refusal_of({"fabric.device=soc", "control.mode=timetable", "policy=sunflow"}),
            "--set control.mode=timetable: control.mode is \"timetable\", but must be \"confirmed\" with fabric.device "
            "\"soc\": its firmware takes a start only when the burst before it on its input has ended");
  EXPECT_NO_THROW(experiment_of({"fabric.device=soc", "policy=sunflow"}));
}

TEST(Runnable, RefusesAllStopForSchedulersThatCannotPlanIt) {
  EXPECT_EQ(refusal_of({"fabric.all_stop=true", "policy=hlf"}),
            "--set fabric.all_stop=true: fabric.all_stop is true, policy is \"hlf\" with scheduler \"hlf\", but hlf "
            "cannot plan for an all-stop switch; use rotation_allstop");
  EXPECT_NO_THROW(experiment_of({"fabric.all_stop=true", "policy=hlf", "scheduler=solstice"}));
}

TEST(Runnable, RefusesSerialProgrammingWhereItIsNotKnown) {
  const std::string serial = "fabric.program_time=1 ms", refused = "fabric.program_time is 1 ms, but must be 0 s with ";
  EXPECT_EQ(
      refusal_of({serial, "policy=sunflow", "control.mode=timetable"}),
      "--set fabric.program_time=1 ms: " + refused +
          "control.mode \"timetable\": words are sent by the clock, and no timetable says for which others a mirror "
          "waits");
  EXPECT_EQ(refusal_of({serial, "policy=sunflow", "job.collective=all_reduce", "collective.reconfigure=always"}),
            "--set fabric.program_time=1 ms: " + refused +
                "collective.reconfigure \"always\": its maps are planned by what each takes, without what mirrors wait "
                "for others");
  const std::string stop = "fabric.all_stop=true", far = "fabric.fibre=3 us";
  EXPECT_EQ(refusal_of({serial, "policy=solstice_allstop", stop, far}),
            "--set fabric.program_time=1 ms: " + refused +
                "fabric.fibre 3 us and fabric.all_stop: no node far away knows in time when the last mirror of all has "
                "ended the stop");
  EXPECT_NO_THROW(experiment_of({serial, "policy=solstice_allstop", stop}));
  for (const char* job : {"job.sync=asp", "job.collective=all_reduce", "job.server_load=adaptive", "fabric.planes=2",
                          "job.workload=coflow:some", "fabric.fibre=3 us", "network=packet", "fabric.device=soc"})
    EXPECT_NO_THROW(experiment_of({serial, job, "policy=sunflow_fifo"})) << job;
  EXPECT_NO_THROW(experiment_of({serial, "job.peers=random", "policy=multicast"}));
}

TEST(Runnable, RefusesSerialProgrammingBeyondTheTimerOfAnOutput) {
  // 2^30 - 1 cycles of 5.12 ns are the longest of a group; with 16 ports and 1 at once, 15 groups wait.
  EXPECT_EQ(refusal_of({"policy=sunflow", "fabric.ports=16", "fabric.tuning=10 ms", "fabric.program_time=1.5 s"}),
            "--set fabric.program_time=1.5 s: fabric.program_time is 1.5 s, but must be so short that the last of 16 "
            "outputs, programmed 1 at once, tunes within 2^32 - 1 = 4294967295 cycles; it would take 4396484375");
  EXPECT_NO_THROW(
      experiment_of({"policy=sunflow", "fabric.ports=16", "fabric.program_time=1.5 s", "fabric.program_lanes=2"}));
}

TEST(Runnable, RefusesLightThatNobodyKnowsWhereItIsTold) {
  const std::string jitter = "fabric.jitter=2.61632 us", stuck = "fabric.mirror_faults=1: stuck 2 us - 9 us";
  const std::string no_jitter = "fabric.jitter is 2.61632 us, but must be 0 s with ";
  const std::string no_faults = "fabric.mirror_faults is \"1: stuck 2 us - 9 us\", but must be \"\" with ";
  EXPECT_EQ(
      refusal_of({stuck, "policy=sunflow", "fabric.fibre=3 us"}),
      "--set " + stuck + ": " + no_faults + "fabric.fibre 3 us: no node far away knows in time when there is light");
  const std::string receivers = "fabric.receivers=cold: 1 us";
  EXPECT_EQ(
      refusal_of({receivers, "policy=sunflow", "fabric.fibre=3 us"}),
      "--set " + receivers +
          ": fabric.receivers is \"cold: 1 us\", but must be \"\" with fabric.fibre 3 us: no node far away knows in "
          "time when there is light");
  EXPECT_EQ(refusal_of({jitter, "policy=sunflow", "job.collective=all_reduce", "collective.reconfigure=always"}),
            "--set " + jitter + ": " + no_jitter +
                "collective.reconfigure \"always\": its maps are planned by what each takes, without what mirrors take "
                "beyond that");
  const std::string by_clock = "control.mode=timetable";
  for (const char* job : {"job.sync=asp", "job.workload=coflow:some"})
    EXPECT_EQ(refusal_of({jitter, "policy=sunflow_fifo", by_clock, job}),
              "--set " + jitter + ": " + no_jitter +
                  "control.mode \"timetable\": what is planned while other words cross takes a circuit for established "
                  "from its planned time on");
  EXPECT_NO_THROW(experiment_of({jitter, stuck, "policy=sunflow", by_clock, "job.collective=all_reduce"}));
  for (const char* job : {"job.sync=asp", "job.collective=all_reduce", "job.server_load=adaptive", "fabric.planes=2",
                          "job.workload=coflow:some", "control.mode=timetable", "network=packet",
                          "fabric.outages=1: 3 us - 9 us", "fabric.program_time=1 us", "fabric.device=soc"})
    EXPECT_NO_THROW(experiment_of({jitter, stuck, receivers, job, "policy=sunflow_fifo"})) << job;
}

TEST(Runnable, RefusesDisturbedMirrorsWhereNobodySendsAgain) {
  const std::string disturbs = "fabric.neighbours=disturb at 1 for 2 us", parks = "fabric.neighbours=park for 2 us";
  const std::string no =
      "--set " + disturbs + ": fabric.neighbours is \"disturb at 1 for 2 us\", but must disturb nobody with ";
  EXPECT_EQ(
      refusal_of({disturbs, "policy=sunflow", "job.collective=all_reduce", "collective.reconfigure=always"}),
      no + "collective.reconfigure \"always\": words that are lost have no circuit any more on which they could be "
           "sent again");
  EXPECT_NO_THROW(
      experiment_of({parks, "policy=sunflow", "job.collective=all_reduce", "collective.reconfigure=always"}));
  for (const char* job :
       {"job.sync=asp", "job.collective=all_reduce", "job.server_load=adaptive", "fabric.planes=2",
        "job.workload=coflow:some", "control.mode=timetable", "network=packet", "fabric.fibre=3 us",
        "fabric.outages=1: 3 us - 9 us", "fabric.program_time=1 us", "fabric.jitter=2.61632 us", "fabric.device=soc"})
    EXPECT_NO_THROW(experiment_of({disturbs, job, "policy=sunflow_fifo"})) << job;
}

TEST(Runnable, RefusesLightThatRingsWhereNobodyWaitsForIt) {
  const std::string level = "fabric.light=-3 dBm, lost below -14 dBm";
  const std::string rings = "fabric.light=-3 dBm, lost below -14 dBm; rings for 1 us after 500 ns";
  const std::string late = "fabric.light=-3 dBm, lost below -14 dBm for 100 ns; rings for 1 us after 500 ns";
  const auto shown = [](const std::string& text) { return text.size() <= 60 ? text : text.substr(0, 60) + "..."; };
  const auto is = [&](const std::string& light) {
    return "--set " + light + ": fabric.light is \"" + shown(light.substr(13)) + "\", but must ";
  };
  EXPECT_NO_THROW(experiment_of({level, "policy=sunflow", "fabric.device=soc"}));
  EXPECT_EQ(
      refusal_of({rings, "policy=sunflow", "job.collective=all_reduce", "collective.reconfigure=always"}),
      is(rings) +
          "not ring with collective.reconfigure \"always\": its maps are planned by what each takes, without what "
          "mirrors take beyond that");
  EXPECT_EQ(refusal_of({rings, "policy=sunflow", "fabric.fibre=3 us"}),
            is(rings) + "not ring with fabric.fibre 3 us: no node far away knows in time when there is light");
  EXPECT_EQ(refusal_of({rings, "policy=sunflow_fifo", "control.mode=timetable", "job.sync=asp"}),
            is(rings) +
                "not ring with control.mode \"timetable\": what is planned while other words cross takes a circuit for "
                "established from its planned time on");
  EXPECT_EQ(
      refusal_of({late, "policy=sunflow", "fabric.locking=600 ns"}),
      is(late) +
          "ring no earlier than 604.16 ns after a mirror arrives, when the first word has passed, or be reported "
          "before a receiver locks: words that are lost before a loss of light is reported would be lost each time "
          "again");
  // 98 cycles with light, 20 until that is reported: 118 cycles are 604.16 ns.
  EXPECT_NE(refusal_of({late, "policy=sunflow", "fabric.locking=604 ns"}), "");
  EXPECT_NO_THROW(experiment_of({late, "policy=sunflow", "fabric.locking=609 ns"}));
  EXPECT_NO_THROW(experiment_of({rings, "policy=sunflow", "fabric.locking=600 ns"}));
  EXPECT_EQ(refusal_of({late, "policy=sunflow", "fabric.outages=1: 3 us - 3.1 us"}),
            is(late) + "report a loss of light before an outage ends; port 1 is without light for 100 ns");
  EXPECT_NO_THROW(experiment_of({late, "policy=sunflow", "fabric.outages=1: 3 us - 3.11 us, 2: 5 us"}));
  for (const char* job : {"job.sync=asp", "job.collective=all_reduce", "job.server_load=adaptive", "fabric.planes=2",
                          "job.workload=coflow:some", "control.mode=timetable", "network=packet",
                          "fabric.outages=1: 3 us - 9 us", "fabric.program_time=1 us", "fabric.jitter=2.61632 us"})
    for (const std::string& light : {level, rings, late})
      EXPECT_NO_THROW(experiment_of({light, job, "policy=sunflow_fifo"})) << job << light;
  EXPECT_NO_THROW(experiment_of({level, "policy=sunflow", "fabric.fibre=3 us"}));
}

TEST(Runnable, RefusesExactSchedulersOfWhatIsTooLarge) {
  EXPECT_EQ(refusal_of({"policy=[sunflow,hlf]", "scheduler=exact", "job.workers=8", "job.servers=4"}),
            "row 1 (sunflow): exact plans at most 20 pairs of ports, not 32; take the scheduler best");
  EXPECT_NO_THROW(experiment_of({"policy=hlf", "scheduler=exact", "job.workers=3", "job.servers=2"}));
  EXPECT_EQ(
      refusal_of({"policy=hlf", "scheduler=exact", "fabric.ports=32", "job.workers=24", "job.collective=all_reduce"}),
      "row 1 (hlf): exact plans at most 20 pairs of ports, not 24; take the scheduler best");
  EXPECT_NO_THROW(experiment_of({"policy=hlf", "scheduler=exact", "job.workers=16", "job.collective=all_reduce"}));
  const std::vector<std::string> peers{"policy=hlf",    "scheduler=exact", "fabric.ports=8",
                                       "job.workers=6", "job.peers=mesh",  "peers.layer=L7"};
  EXPECT_EQ(refusal_of(peers), "row 1 (hlf): exact plans at most 20 pairs of ports, not 30; take the scheduler best");
}

/// Random values of the keys that decide what can run.
class Draws {
 public:
  explicit Draws(unsigned seed) : random_(seed) {}

  std::vector<std::string> settings() {
    std::vector<std::string> all{"fabric.tuning=" + any({"1 us", "0 ns", "5 us"}),
                                 "fabric.locking=100 ns",
                                 "job.iterations=2",
                                 "job.compute=" + any({"2 us", "0 ns"}),
                                 "fabric.ports=" + any({"6", "8"}),
                                 "job.workers=" + any({"1", "2", "3", "5"}),
                                 "job.servers=" + any({"1", "2", "3"})};
    all.push_back("policy=" + name_of(policies()));
    if (sometimes()) all.push_back("scheduler=" + name_of(schedulers()));
    const std::vector<std::vector<std::string>> others{
        {"fabric.all_stop=true"},
        {"fabric.planes=2", "fabric.planes=3"},
        {"control.mode=timetable"},
        {"nodes.extra_tuning=1 us", "nodes.extra_tuning=1 us, 0 us, 2 us"},
        {"nodes.rates=drawn", R"(nodes.rates="100 Gbit/s, 50 Gbit/s")"},
        {"job.sync=bsp", "job.sync=asp", "job.sync=ssp", "job.sync=r2sp"},
        {"job.collective=all_reduce", "job.collective=all_to_all"},
        {"job.peers=selmcast", "job.peers=selmcast_ssp"},
        {"network=packet"},
        {"job.colocated=true"},
        {"job.slice=1 kB"},
        {"job.overlap=wait_free_backprop"},
        {"charge_planning=1 us"},
        {"fabric.outages=0: 3 us - 9 us"},
        {"nodes.control_latency=1 us"},
        {"fabric.fibre=300 ns"},
        {"job.workload=coflow:some"},
        {"jobs='[{workers = 2, servers = 1, count = 2}]'"},
        {"job.payload=digest", "job.payload=full"}};
    for (const std::vector<std::string>& values : others)
      if (next() % 6 == 0) all.push_back(values[next() % values.size()]);
    return all;
  }

 private:
  std::size_t next() { return random_(); }
  bool sometimes() { return next() % 3 == 0; }
  std::string any(const std::vector<std::string>& values) { return values[next() % values.size()]; }
  template <class Catalogue>
  std::string name_of(const Catalogue& catalogue) {
    return std::string(catalogue[next() % catalogue.size()].name);
  }

  std::mt19937 random_;
};

TEST(Runnable, WhatIsAcceptedIsNotRefusedByItsRun) {
  int accepted = 0;
  for (unsigned seed = 0; seed < 1500; seed += test::share()) {
    const std::vector<std::string> settings = Draws(seed).settings();
    std::optional<Experiment> experiment;
    try {
      experiment = experiment_of(settings);
    } catch (const Error& refused) {
      ASSERT_EQ(refused.kind(), ErrorKind::input) << refused.what();
      continue;
    }
    ++accepted;
    try {
      run_point(experiment->points.front(), {});
    } catch (const Error& failure) {
      std::string said;
      for (const std::string& each : settings) said += "--set '" + each + "' ";
      ADD_FAILURE() << said << "\n" << failure.what();
    }
  }
  EXPECT_GT(accepted, 100 / static_cast<int>(test::share()));
}

}  // namespace
}  // namespace ocs
