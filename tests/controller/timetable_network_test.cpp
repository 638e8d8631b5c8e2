// The circuit network with lead, fibre, guard and clocks that are off, by confirmation and by timetable.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <map>
#include <set>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using Texts = std::vector<std::string>;

class TimedNetworks : public ::testing::TestWithParam<std::string> {
 protected:
  /// T = 3, L = 2.
  Rig& make(const ControlTimes& control) {
    return rig_.emplace(RigConfig{.device = GetParam(), .tuning = 3, .locking = 2, .control = control});
  }
  static ControlTimes timetable(std::int64_t guard = 0) {
    ControlTimes times{.mode = ControlMode::timetable};
    times.guard = Cycles{guard};
    return times;
  }
  std::optional<Rig> rig_;
};

TEST_P(TimedNetworks, ATimetableSavesTheCycleOfTheConfirmation) {
  Rig& rig = make(timetable());
  rig.offer(1, 0, {2}, 10, 100);
  rig.offer(2, 0, {3}, 10, 100);
  // Commit in 100, start 101, up 106, end 116; then start 116, up 121, end 131.
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 116: 1 to 2 [0+10] final", "at 131: 2 to 3 [0+10] final"}));
  EXPECT_EQ(rig.network->stats().plans[0].origin.n, 101);
}

TEST_P(TimedNetworks, TheGuardIsPaidTwiceASetUp) {
  Rig& rig = make(timetable(4));
  rig.offer(1, 0, {2}, 10, 100);
  rig.offer(2, 0, {3}, 10, 100);
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 124: 1 to 2 [0+10] final", "at 147: 2 to 3 [0+10] final"}));
  EXPECT_EQ(rig.events[0].at.n, 105) << "commit in start + guard - 1";
}

TEST_P(TimedNetworks, FibreDelaysDeliveriesByBothWays) {
  ControlTimes blind = timetable();
  blind.fibre = Cycles{20};
  Rig& one = make(blind);
  one.offer(1, 0, {2}, 10, 100);
  EXPECT_GE(116 + 40, one.network->next().n / cycle_ps);
  EXPECT_EQ(texts_of(one.deliver_all()), Texts{"at 156: 1 to 2 [0+10] final"});
  ControlTimes confirmed{};
  confirmed.fibre = Cycles{20};
  Rig& other = make(confirmed);
  other.offer(1, 0, {2}, 10, 100);
  other.offer(2, 0, {3}, 10, 100);
  // A node is told of its circuit in up = 106: its words are there 20 later, each time.
  EXPECT_EQ(texts_of(other.deliver_all()), (Texts{"at 156: 1 to 2 [0+10] final", "at 192: 2 to 3 [0+10] final"}));
}

/// Nodes 0 to 3 are 20, 0, 50 and 7 cycles away.
Fibres four_fibres() { return Fibres(std::vector{Cycles{20}, Cycles{0}, Cycles{50}, Cycles{7}}); }

TEST_P(TimedNetworks, ByConfirmationASetUpHasTheFibreOfItsSender) {
  ControlTimes times{};
  times.fibre = four_fibres();
  Rig& rig = make(times);
  rig.offer(1, 0, {2}, 10, 100);  // up 106, words in [126, 136), with node 2 in 186
  rig.offer(2, 1, {3}, 10, 100);  // words in [106, 116), with node 3 in 123
  EXPECT_EQ(102, rig.network->next().n / cycle_ps) << "at the earliest: one word, to the nearest node";
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 123: 2 to 3 [0+10] final", "at 186: 1 to 2 [0+10] final"}));
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(TimedNetworks, ByTimetableAPlanWaitsForTheLongestFibreOnce) {
  ControlTimes times = timetable();
  times.fibre = four_fibres();
  Rig& rig = make(times);
  rig.offer(1, 0, {2}, 10, 100);  // start 151, up 156, end 166
  rig.offer(2, 1, {3}, 10, 100);  // after the next: start 166, up 171, end 181
  rig.offer(3, 1, {0}, 10, 100);  // start 151, up 156, end 166
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (Texts{"at 186: 3 to 0 [0+10] final", "at 188: 2 to 3 [0+10] final", "at 216: 1 to 2 [0+10] final"}));
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(TimedNetworks, PlansThatAreMadeWhileOthersGoOnCountWithTheLongestFibre) {
  ControlTimes times{};
  times.fibre = four_fibres();
  Rig& rig = rig_.emplace(RigConfig{.device = GetParam(), .tuning = 3, .locking = 2, .control = times, .online = true});
  rig.offer(1, 1, {3}, 10, 100);  // up 156, end 166
  rig.offer(2, 1, {3}, 4, 200);   // on its circuit: up 251, end 255
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 173: 1 to 3 [0+10] final", "at 262: 2 to 3 [0+4] final"}));
  EXPECT_EQ(rig.network->stats().late, 0);
  EXPECT_EQ(rig.network->stats().set_ups, 1);
}

TEST_P(TimedNetworks, OthersGoOnWhileADeliveryIsOnTheFibre) {
  ControlTimes times = timetable();
  times.fibre = Cycles{1000};
  Rig& rig = make(times);
  rig.offer(1, 0, {2}, 10);
  rig.offer(2, 1, {3}, 500);
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 2016: 1 to 2 [0+10] final", "at 2506: 2 to 3 [0+500] final"}));
}

TEST_P(TimedNetworks, WhatIsOnTheFibreCanNoLongerBeAborted) {
  ControlTimes times{};
  times.fibre = Cycles{50};
  Rig& rig = make(times);
  rig.offer(1, 0, {2}, 10);
  std::vector<Delivery> deliveries;
  rig.network->advance(Picos{80 * cycle_ps}, deliveries);  // it has left the switch in 66
  rig.network->abort(Id{1}, Picos{90 * cycle_ps});
  EXPECT_EQ(texts_of(rig.deliver_all()), Texts{"at 116: 1 to 2 [0+10] final"});
  EXPECT_THROW(rig.network->abort(Id{1}, Picos{200 * cycle_ps}), Error);
}

TEST_P(TimedNetworks, LeadDelaysEveryDecision) {
  ControlTimes times{};
  times.lead = Cycles{30};
  Rig& confirmed = make(times);
  confirmed.offer(1, 0, {2}, 10, 100);
  confirmed.offer(2, 0, {3}, 10, 100);
  confirmed.offer(3, 1, {0}, 5, 400);
  confirmed.offer(4, 0, {3}, 5, 400);
  EXPECT_EQ(texts_of(confirmed.deliver_all()), (Texts{"at 146: 1 to 2 [0+10] final", "at 192: 2 to 3 [0+10] final",
                                                      "at 436: 4 to 3 [0+5] final", "at 472: 3 to 0 [0+5] final"}));
  EXPECT_EQ(confirmed.events[0].at.n, 131);
  EXPECT_EQ(confirmed.network->stats().late, 0);
  times.mode = ControlMode::timetable;
  Rig& timed = make(times);  // one lead a plan
  timed.offer(1, 0, {2}, 10, 100);
  timed.offer(2, 0, {3}, 10, 100);
  EXPECT_EQ(texts_of(timed.deliver_all()), (Texts{"at 146: 1 to 2 [0+10] final", "at 161: 2 to 3 [0+10] final"}));
}

TEST_P(TimedNetworks, WhatIsLostIsNotDelivered) {
  ControlTimes times = timetable(2);
  times.clock_offset = {Cycles{5}};
  Rig& rig = make(times);
  rig.offer(1, 0, {2}, 10);
  rig.offer(2, 0, {3}, 10);
  // Start 1, up 10, end 20; its circuit is left in 21, its words are there in [15, 25).
  EXPECT_EQ(texts_of(rig.deliver_all()), (Texts{"at 25: 1 to 2 [0+7] final", "at 44: 2 to 3 [0+10] final"}));
  EXPECT_EQ(rig.plane->counters(3).lost.n, 3);
}

struct TimedSend {
  std::uint16_t from, to;
  std::int64_t words;
};

struct TimedJob {
  RigConfig config;
  std::vector<TimedSend> push;
  std::int64_t beyond = 0;  ///< cycles that clocks may be off beyond the guard
};

Fibres random_fibres(int ports) {
  std::vector<Cycles> all(static_cast<std::size_t>(ports), Cycles{*rc::gen::element(0, 1, 40)});
  if (*rc::gen::element(true, false))
    for (Cycles& one : all) one = Cycles{*rc::gen::element(0, 1, 9, 40, 300)};
  return Fibres(std::move(all));
}

TimedJob random_timed_job(const std::string& device, bool off) {
  TimedJob job;
  job.config.device = device;
  job.config.ports = *rc::gen::element(4, 8);
  job.config.scheduler = *rc::gen::element<std::string>("sunflow", "sunflow_longest", "hlf", "colour", "rotation_list",
                                                        "rotation_allstop", "psscheduler", "solstice", "bvn");
  job.config.tuning = *rc::gen::element(0, 1, 7, 100);
  job.config.locking = *rc::gen::element(0, 1, 5);
  ControlTimes& control = job.config.control;
  control.mode = *rc::gen::element(ControlMode::confirmed, ControlMode::timetable);
  control.lead = Cycles{*rc::gen::element(0, 1, 30)};
  control.fibre = random_fibres(job.config.ports);
  control.guard = Cycles{*rc::gen::element(0, 1, 2, 15)};
  if (off) {
    job.beyond = *rc::gen::element(0, 3, 200);
    const int most = static_cast<int>(control.guard.n + job.beyond);
    for (int v = 0; v < job.config.ports; ++v)
      control.clock_offset.push_back(Cycles{*rc::gen::inRange(-most, most + 1)});
  }
  const auto node = rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(job.config.ports));
  for (int n = *rc::gen::inRange(1, 20); n > 0; --n) {
    const std::uint16_t from = *node, to = *node;
    if (from != to) job.push.push_back({from, to, *rc::gen::inRange(1, 60)});
  }
  return job;
}

/// Pushes, at the last of them the mirror image, and then the same again.
std::vector<Delivery> run_timed(Rig& rig, const TimedJob& job) {
  std::vector<Delivery> all;
  std::uint32_t id = 0;
  std::int64_t ready = 3;
  for (int phase = 0; phase < 3; ++phase) {
    for (const TimedSend& send : job.push)
      phase == 0 ? rig.offer(++id, send.from, {send.to}, send.words, ready)
                 : rig.offer(++id, send.to, {send.from}, send.words, ready);
    for (const Delivery& delivery : rig.deliver_all()) all.push_back(delivery);
    ready = rig.now();
  }
  return all;
}

TEST_P(TimedNetworks, WhatIsExecutedIsWhatWasPlanned) {
  const bool ok = rc::check([&] {
    const TimedJob job = random_timed_job(GetParam(), false);
    Rig rig(job.config);
    const std::vector<Delivery> deliveries = run_timed(rig, job);
    const NetworkStats& stats = rig.network->stats();
    RC_ASSERT(stats.late == 0);
    std::map<Id, std::set<std::int64_t>> ends;  // of the parts of flows, as planned
    for (const Carried& carried : rig.carried) {
      RC_ASSERT(!carried.late());
      ends[carried.planned.flow].insert(carried.planned.end.n);
    }
    for (const PlanRecord& plan : stats.plans) RC_ASSERT(plan.ended.n == plan.origin.n + plan.makespan.n);
    std::map<Id, std::int64_t> arrived;  // of transfers: words, which come in order
    std::size_t finals = 0;
    for (const Delivery& delivery : deliveries) {
      const TimedSend& send = job.push[(index(delivery.transfer) - 1) % job.push.size()];
      RC_ASSERT(delivery.arrived.size() == 1u);
      RC_ASSERT(delivery.arrived.front().first.n == arrived[delivery.transfer]);
      arrived[delivery.transfer] += delivery.arrived.front().count.n;
      RC_ASSERT(delivery.final == (arrived[delivery.transfer] == send.words));
      if (delivery.final) ++finals;
      if (const auto end = ends.find(delivery.transfer); end != ends.end())
        RC_ASSERT(end->second.count(delivery.at.n / cycle_ps - job.config.control.fibre.of(index(delivery.to)).n) == 1);
    }
    RC_ASSERT(finals == 3 * job.push.size());
    for (std::uint16_t port = 0; port < job.config.ports; ++port) {
      RC_ASSERT(rig.plane->counters(port).lost.n == 0);
      RC_ASSERT(rig.plane->counters(port).unrouted.n == 0);
    }
  });
  EXPECT_TRUE(ok);
}

TEST_P(TimedNetworks, EveryWordIsAccountedForAndNothingIsLostWithinTheGuard) {
  const bool ok = rc::check([&] {
    TimedJob job = random_timed_job(GetParam(), true);
    Rig rig(job.config);
    const std::vector<Delivery> deliveries = run_timed(rig, job);
    std::int64_t sent = 0, delivered = 0;
    std::map<Id, int> finals;
    for (const Delivery& delivery : deliveries) {
      const TimedSend& send = job.push[(index(delivery.transfer) - 1) % job.push.size()];
      for (const WordRun& words : delivery.arrived) {
        RC_ASSERT(words.first.n >= 0 && (words.first + words.count).n <= send.words);
        delivered += words.count.n;
      }
      if (delivery.final) ++finals[delivery.transfer];
    }
    for (const TimedSend& send : job.push) sent += 3 * send.words;
    RC_ASSERT(finals.size() == 3 * job.push.size());
    std::int64_t passed = 0, lost = 0, unrouted = 0;
    for (std::uint16_t port = 0; port < job.config.ports; ++port) {
      const Counters counters = rig.plane->counters(port);
      passed += counters.passed.n;
      lost += counters.lost.n;
      unrouted += counters.unrouted.n;
    }
    RC_ASSERT(passed + lost + unrouted == sent);
    RC_ASSERT(delivered <= passed);  // what passed to an output that it isn't for isn't delivered
    if (job.beyond == 0 || job.config.control.mode == ControlMode::confirmed) RC_ASSERT(delivered == sent);
    RC_CLASSIFY(delivered < sent, "words are lost");
    RC_CLASSIFY(delivered < passed, "words go astray");
  });
  EXPECT_TRUE(ok);
}

TEST_P(TimedNetworks, TheEventLogIsTheSameHoweverTheClockStridesAndOnTheModel) {
  OCS_SKIP_UNLESS_SEVERAL(GetParam());
  const bool ok = rc::check([&] {
    TimedJob job = random_timed_job(GetParam(), true);
    Rig warped(job.config);
    const auto deliveries = texts_of(run_timed(warped, job));
    job.config.stride_seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
    Rig strided(job.config);
    RC_ASSERT(texts_of(run_timed(strided, job)) == deliveries);
    RC_ASSERT(strided.hash.value() == warped.hash.value());
    job.config.stride_seed = 0;
    job.config.device = "model";
    Rig model(job.config);
    RC_ASSERT(texts_of(run_timed(model, job)) == deliveries);
    RC_ASSERT(model.hash.value() == warped.hash.value());
  });
  EXPECT_TRUE(ok);
}

OCS_ON_EVERY_DEVICE(TimedNetworks);

}  // namespace
}  // namespace ocs::test
