// Transfers that are planned as they come, by timetable: what begins before a new plan could act is kept.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "host/scheduler/catalogue.hpp"
#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

using OnlineTexts = std::vector<std::string>;

class OnlineTimetables : public ::testing::TestWithParam<std::string> {
 protected:
  /// T = 3, L = 2, guard 4: a circuit is set up in 13 cycles.
  Rig& make(std::int64_t lead = 0, std::vector<Outage> outages = {}) {
    ControlTimes times{.mode = ControlMode::timetable, .lead = Cycles{lead}, .guard = Cycles{4}};
    return rig_.emplace(RigConfig{.device = GetParam(),
                                  .tuning = 3,
                                  .locking = 2,
                                  .control = times,
                                  .outages = std::move(outages),
                                  .online = true});
  }
  std::optional<Rig> rig_;
};

TEST_P(OnlineTimetables, PlanAroundWhatHasBegun) {
  Rig& rig = make();
  rig.offer(1, 0, {2}, 10, 100);  // start 101, up 114, end 124
  rig.offer(2, 0, {3}, 10, 110);  // start 124, up 137, end 147
  rig.offer(3, 1, {0}, 5, 120);   // start 121, up 134, end 139
  rig.offer(4, 1, {0}, 6, 150);   // on its circuit: start 151, up 152, end 158
  EXPECT_EQ(texts_of(rig.deliver_all()), (OnlineTexts{"at 124: 1 to 2 [0+10] final", "at 139: 3 to 0 [0+5] final",
                                                      "at 147: 2 to 3 [0+10] final", "at 158: 4 to 0 [0+6] final"}));
  EXPECT_EQ(rig.network->stats().late, 0);
}

TEST_P(OnlineTimetables, KeepWhatBeginsBeforeTheNewPlanCouldAct) {
  Rig& rig = make(30);
  rig.offer(1, 0, {2}, 10, 100);  // origin 131, up 144, end 154
  rig.offer(2, 1, {2}, 10, 100);  // start 154, up 167, end 177
  rig.offer(3, 1, {3}, 10, 130);  // origin 161: the one before is kept; start 177, up 190, end 200
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (OnlineTexts{"at 154: 1 to 2 [0+10] final", "at 177: 2 to 2 [0+10] final", "at 200: 3 to 3 [0+10] final"}));
  ASSERT_EQ(rig.problems.size(), 2u);
  EXPECT_EQ(rig.problems[1].now.n, 161);
  EXPECT_EQ(rig.problems[1].flows.size(), 1u);
}

TEST_P(OnlineTimetables, SetUpTheCircuitOfWhatIsAbortedBeforeItsFirstWord) {
  Rig& rig = make(30);
  rig.offer(1, 0, {2}, 10, 100);  // start 131, commit in 134
  rig.offer(2, 1, {3}, 10, 110);  // origin 141: the one before is kept; up 154, end 164
  std::vector<Delivery> none;
  rig.network->advance(Picos{120 * cycle_ps}, none);
  rig.network->abort(Id{1}, Picos{120 * cycle_ps});
  rig.offer(3, 0, {2}, 7, 140);  // plans count with that circuit: start 171, up 172, end 179
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (OnlineTexts{"at 121: 1 to 2 [] final", "at 164: 2 to 3 [0+10] final", "at 179: 3 to 2 [0+7] final"}));
  EXPECT_EQ(rig.network->stats().cut, 1);
}

TEST_P(OnlineTimetables, SetUpTheCircuitThatOthersOfThePlanUse) {
  Rig& rig = make(30);
  rig.offer(1, 0, {2}, 10, 100);  // up 144, end 154
  rig.offer(2, 0, {1}, 10, 101);  // start 154, up 167, end 177
  rig.offer(3, 0, {1}, 10, 106);  // on its circuit: start 177, up 178, end 188
  std::vector<Delivery> none;
  rig.network->advance(Picos{120 * cycle_ps}, none);
  rig.network->abort(Id{2}, Picos{120 * cycle_ps});
  EXPECT_EQ(texts_of(rig.deliver_all()),
            (OnlineTexts{"at 121: 2 to 1 [] final", "at 154: 1 to 2 [0+10] final", "at 188: 3 to 1 [0+10] final"}));
}

TEST_P(OnlineTimetables, SetUpTheCircuitOfABurstThatWasOverBeforeIt) {
  ControlTimes times{.mode = ControlMode::timetable, .guard = Cycles{4}, .clock_offset = {Cycles{-20}}};
  Rig& rig = rig_.emplace(RigConfig{.device = GetParam(), .tuning = 3, .locking = 2, .control = times, .online = true});
  rig.offer(1, 0, {2}, 5, 100);  // origin 121, up 134; words in [114, 119), commit in 124, light from 130 on
  rig.offer(2, 0, {2}, 5, 130);  // on its circuit: start 151, up 152; words in [132, 137)
  EXPECT_EQ(texts_of(rig.deliver_all()), (OnlineTexts{"at 119: 1 to 2 [] final", "at 137: 2 to 2 [0+5] final"}));
  EXPECT_EQ(rig.network->stats().guard_misses, 2);
}

TEST_P(OnlineTimetables, LoseWhatADeadPortCutsAndGoOn) {
  Rig& rig = make(0, {{Cycles{118}, 2, true}, {Cycles{150}, 2, false}});
  rig.offer(1, 0, {2}, 10, 100);  // up 114: the words of 114 to 118 pass at most
  rig.offer(2, 0, {3}, 10, 119);
  rig.offer(3, 1, {2}, 3, 120);  // waits until 150: start 151, up 164, end 167
  const OnlineTexts texts = texts_of(rig.deliver_all());
  ASSERT_EQ(texts.size(), 3u);
  EXPECT_EQ(texts[0].substr(0, 12), "at 119: 1 to");
  EXPECT_EQ(texts[1], "at 143: 2 to 3 [0+10] final");
  EXPECT_EQ(texts[2], "at 167: 3 to 2 [0+3] final");
}

struct OnlineSend {
  std::uint16_t from, to;
  std::int64_t words, ready;
  std::int64_t aborted = 0;  ///< so much later; 0: never
};

struct OnlineJob {
  RigConfig config;
  std::vector<OnlineSend> sends;
  std::int64_t beyond = 0;  ///< cycles that clocks may be off beyond the guard
};

std::vector<std::string> online_schedulers() {
  std::vector<std::string> names;
  for (const SchedulerEntry& entry : schedulers())
    if (plans_arrivals(entry.name)) names.emplace_back(entry.name);
  return names;
}

/// Some clocks drift as far as the offsets go, and have no offset then.
void drift(ControlTimes& control, std::int64_t most, int ports) {
  if (*rc::gen::element(true, false)) return;
  constexpr std::int64_t billion = 1'000'000'000;
  control.clock_sync = Cycles{*rc::gen::element(10, 50, 200)};
  const std::int64_t steepest = most * billion / control.clock_sync.n;
  for (std::size_t v = 0; v < static_cast<std::size_t>(ports); ++v) {
    control.clock_drift.push_back(*rc::gen::inRange(-steepest, steepest + 1));
    control.clock_offset[v] = Cycles{0};
  }
}

OnlineJob random_online_job(const std::string& device) {
  OnlineJob job;
  job.config.device = device;
  job.config.ports = *rc::gen::element(4, 8);
  job.config.online = true;
  job.config.scheduler = *rc::gen::elementOf(online_schedulers());
  job.config.tuning = *rc::gen::element(0, 1, 7, 60);
  job.config.locking = *rc::gen::element(0, 1, 5);
  ControlTimes& control = job.config.control;
  control.mode = ControlMode::timetable;
  control.lead = Cycles{*rc::gen::element(0, 1, 30)};
  control.fibre = Cycles{*rc::gen::element(0, 1, 40)};
  if (*rc::gen::element(true, false)) {
    std::vector<Cycles> fibres;
    for (int v = 0; v < job.config.ports; ++v) fibres.push_back(Cycles{*rc::gen::element(0, 1, 9, 40, 300)});
    control.fibre = Fibres(std::move(fibres));
  }
  control.guard = Cycles{*rc::gen::element(0, 1, 2, 15)};
  job.beyond = *rc::gen::element(0, 0, 3, 50);
  const int most = static_cast<int>(control.guard.n + job.beyond);
  for (int v = 0; v < job.config.ports; ++v) control.clock_offset.push_back(Cycles{*rc::gen::inRange(-most, most + 1)});
  drift(control, most, job.config.ports);
  const auto node = rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(job.config.ports));
  std::int64_t ready = 3;
  for (int n = *rc::gen::inRange(1, 24); n > 0; --n) {
    const std::uint16_t from = *node, to = *node;
    ready += *rc::gen::element(0, 1, 5, 40, 200);
    const std::int64_t aborted = *rc::gen::element(0, 0, 0, 1, 20, 90);
    if (from != to) job.sends.push_back({from, to, *rc::gen::inRange(1, 60), ready, aborted});
  }
  return job;
}

/// Everything that is delivered; each transfer is offered when it is ready and aborted when it is to be.
std::vector<Delivery> run_online(Rig& rig, const OnlineJob& job) {
  std::vector<std::pair<std::int64_t, std::uint32_t>> agenda;  // cycle, place * 2 + whether it is an abort
  for (std::uint32_t n = 0; n < job.sends.size(); ++n) {
    agenda.emplace_back(job.sends[n].ready, n * 2);
    if (job.sends[n].aborted > 0) agenda.emplace_back(job.sends[n].ready + job.sends[n].aborted, n * 2 + 1);
  }
  std::sort(agenda.begin(), agenda.end());
  std::vector<Delivery> all;
  for (const auto& [cycle, what] : agenda) {
    const Picos at{cycle * cycle_ps};
    while (rig.network->advance(at, all) < at) continue;
    const OnlineSend& send = job.sends[what / 2];
    const Id transfer{what / 2 + 1};
    const auto is_its = [&](const Delivery& delivery) { return delivery.transfer == transfer; };
    if (what % 2 == 0)
      rig.offer(index(transfer), send.from, {send.to}, send.words, send.ready);
    else if (std::none_of(all.begin(), all.end(), is_its))
      rig.network->abort(transfer, at);
  }
  for (const Delivery& delivery : rig.deliver_all()) all.push_back(delivery);
  return all;
}

TEST_P(OnlineTimetables, LoseNothingWithinTheGuardAndAccountForEveryWord) {
  const bool ok = rc::check([&] {
    const OnlineJob job = random_online_job(GetParam());
    Rig rig(job.config);
    const std::vector<Delivery> deliveries = run_online(rig, job);
    std::map<Id, std::int64_t> arrived;
    std::map<Id, int> finals;
    for (const Delivery& delivery : deliveries) {
      for (const WordRun& words : delivery.arrived) arrived[delivery.transfer] += words.count.n;
      if (delivery.final) ++finals[delivery.transfer];
    }
    RC_ASSERT(finals.size() == job.sends.size());
    std::int64_t lost = 0, unrouted = 0, passed = 0;
    for (std::uint16_t port = 0; port < job.config.ports; ++port) {
      lost += rig.plane->counters(port).lost.n;
      unrouted += rig.plane->counters(port).unrouted.n;
      passed += rig.plane->counters(port).passed.n;
    }
    std::int64_t sent = 0;
    for (const Carried& carried : rig.carried) sent += carried.sent.n;
    RC_ASSERT(passed + lost + unrouted == sent);
    RC_CLASSIFY(lost + unrouted > 0, "words are lost");
    RC_CLASSIFY(rig.network->stats().cut > 0, "a burst is cut");
    RC_CLASSIFY(job.config.control.clocks_drift(), "clocks drift");
    if (job.beyond > 0) return;
    RC_ASSERT(rig.network->stats().guard_misses == 0);
    RC_ASSERT(lost == 0);
    RC_ASSERT(unrouted == 0);
    for (std::uint32_t n = 0; n < job.sends.size(); ++n) {
      const OnlineSend& send = job.sends[n];
      const std::int64_t words = arrived[Id{n + 1}];
      RC_ASSERT(words <= send.words);
      if (send.aborted == 0) RC_ASSERT(words == send.words);
    }
  });
  EXPECT_TRUE(ok);
}

/// Flow 7 is aborted before the circuit of its reservation begins; that circuit is set up all the same, while the burst
/// before it on the input hasn't been seen to end.
TEST(OnlineTimetable, AnAbortedTransferLeavesACircuitThatIsNotUpYet) {
  OnlineJob job;
  job.config.ports = 4;
  job.config.online = true;
  job.config.scheduler = "sunflow";
  job.config.tuning = 1;
  job.config.locking = 5;
  ControlTimes& control = job.config.control;
  control.mode = ControlMode::timetable;
  control.lead = control.guard = Cycles{1};
  control.fibre = Cycles{1};
  for (int v = 0; v < job.config.ports; ++v) control.clock_offset.push_back(Cycles{-1});
  for (const std::int64_t after : {1, 2, 3, 4}) {
    job.sends = {{0, 2, 1, 653},        {2, 1, 2, 653}, {0, 1, 1, 658, 90},
                 {2, 0, 1, 663, after}, {0, 1, 1, 665}, {2, 0, 1, 666}};
    Rig rig(job.config);
    const std::vector<Delivery> all = run_online(rig, job);
    std::int64_t lost = 0;
    for (std::uint16_t port = 0; port < 4; ++port) lost += rig.plane->counters(port).lost.n;
    EXPECT_EQ(lost, 0) << "aborted after " << after;
    EXPECT_EQ(all.size(), job.sends.size());
  }
}

TEST_P(OnlineTimetables, AreTheSameOnTheModel) {
  OCS_SKIP_UNLESS_SEVERAL(GetParam());
  const bool ok = rc::check([&] {
    OnlineJob job = random_online_job(GetParam());
    Rig rig(job.config);
    const auto deliveries = texts_of(run_online(rig, job));
    job.config.device = "model";
    Rig model(job.config);
    RC_ASSERT(texts_of(run_online(model, job)) == deliveries);
    RC_ASSERT(model.hash.value() == rig.hash.value());
  });
  EXPECT_TRUE(ok);
}

TEST(OnlineTimetablesOnPaper, AreThoseOfTheModel) {
  const bool ok = rc::check([] {
    OnlineJob job = random_online_job("model");
    job.config.control.clock_offset.clear();
    job.config.control.clock_drift.clear();
    Rig model(job.config);
    const auto deliveries = texts_of(run_online(model, job));
    job.config.paper = true;
    Rig paper(job.config);
    RC_ASSERT(texts_of(run_online(paper, job)) == deliveries);
    RC_ASSERT(paper.network->stats().late == 0);
  });
  EXPECT_TRUE(ok);
}

OCS_ON_EVERY_DEVICE(OnlineTimetables);

}  // namespace
}  // namespace ocs::test
