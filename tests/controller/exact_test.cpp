// Executed = planned, to the cycle: random pushes and the pulls that mirror them, on every device and scheduler.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include "tests/controller/rig.hpp"
#include "tests/driver/every_device.hpp"

namespace ocs::test {
namespace {

constexpr std::array<std::string_view, 6> slot_schedulers = {"solstice_hold", "bvn_hold", "tms_hold",
                                                             "eclipse_hold",  "edmonds",  "adaptive_maxweight"};

struct Send {
  std::uint16_t from, to;
  std::int64_t words;
};

struct Job {
  RigConfig config;
  std::vector<Send> push;
};

Job random_job(const std::string& device) {
  Job job;
  job.config.device = device;
  job.config.ports = *rc::gen::element(4, 8);
  job.config.scheduler = *rc::gen::element<std::string>("sunflow", "sunflow_longest", "hlf", "colour", "rotation_list",
                                                        "psscheduler", "solstice_hold", "bvn_hold", "tms_hold",
                                                        "eclipse_hold", "edmonds", "adaptive_maxweight");
  job.config.tuning = *rc::gen::element(0, 1, 7, 100);
  job.config.locking = *rc::gen::element(0, 1, 5);
  if (*rc::gen::arbitrary<bool>()) {  // every pair its own; tuning and locking are the longest
    const auto n = static_cast<std::size_t>(job.config.ports);
    ControlTimes& control = job.config.control;
    for (std::size_t pair = 0; pair < n * n; ++pair)
      control.pair_tuning.push_back(Cycles{*rc::gen::inRange<std::int64_t>(0, job.config.tuning + 1)});
    for (std::size_t out = 0; out < n; ++out)
      control.output_locking.push_back(Cycles{*rc::gen::inRange<std::int64_t>(0, job.config.locking + 1)});
  }
  const auto node = rc::gen::inRange<std::uint16_t>(0, static_cast<std::uint16_t>(job.config.ports));
  for (int n = *rc::gen::inRange(1, 20); n > 0; --n) {
    const std::uint16_t from = *node, to = *node;
    if (from != to) job.push.push_back({from, to, *rc::gen::inRange(1, 60)});
  }
  return job;
}

/// Pushes, at the last of them the mirror image, and then the same again: most circuits are used once more.
std::vector<Delivery> run(Rig& rig, const Job& job) {
  std::vector<Delivery> all;
  std::uint32_t id = 0;
  std::int64_t ready = 3;
  for (int phase = 0; phase < 3; ++phase) {
    for (const Send& send : job.push)
      phase == 0 ? rig.offer(++id, send.from, {send.to}, send.words, ready)
                 : rig.offer(++id, send.to, {send.from}, send.words, ready);
    for (const Delivery& delivery : rig.deliver_all()) all.push_back(delivery);
    ready = rig.now();
  }
  return all;
}

class Exact : public ::testing::TestWithParam<std::string> {};

TEST_P(Exact, WhatIsExecutedIsWhatWasPlanned) {
  const bool ok = rc::check([&] {
    const Job job = random_job(GetParam());
    Rig rig(job.config);
    const std::vector<Delivery> deliveries = run(rig, job);

    const NetworkStats& stats = rig.network->stats();
    RC_ASSERT(stats.late == 0);
    std::map<Id, std::set<std::int64_t>> ends;  // of the parts of flows, as planned
    std::int64_t reused = 0;
    for (const Carried& carried : rig.carried) {
      RC_ASSERT(!carried.late());
      RC_ASSERT(carried.sent.n == (carried.planned.end - carried.planned.up).n);
      if (carried.planned.up == carried.planned.start) ++reused;
      ends[carried.planned.flow].insert(carried.planned.end.n);
    }
    RC_ASSERT(stats.set_ups + reused == stats.reservations);
    for (const PlanRecord& plan : stats.plans) RC_ASSERT(plan.ended.n == plan.origin.n + plan.makespan.n);

    std::map<Id, std::int64_t> arrived;  // of transfers: words, which come in order
    std::int64_t words = 0, passed = 0, tunings = 0;
    std::size_t finals = 0;
    for (const Delivery& delivery : deliveries) {
      const Send& send = job.push[(index(delivery.transfer) - 1) % job.push.size()];
      std::int64_t& so_far = arrived[delivery.transfer];
      RC_ASSERT(delivery.arrived.size() == 1u);
      RC_ASSERT(delivery.arrived.front().first.n == so_far);
      so_far += delivery.arrived.front().count.n;
      RC_ASSERT(delivery.final == (so_far == send.words));
      words += delivery.arrived.front().count.n;
      if (delivery.final) ++finals;
      if (const auto end = ends.find(delivery.transfer); end != ends.end())
        RC_ASSERT(delivery.at.n % cycle_ps == 0 && end->second.count(delivery.at.n / cycle_ps) == 1);
    }
    RC_ASSERT(finals == 3 * job.push.size());
    for (std::uint16_t port = 0; port < job.config.ports; ++port) {
      const Counters counters = rig.plane->counters(port);
      RC_ASSERT(counters.lost.n == 0);
      RC_ASSERT(counters.unrouted.n == 0);
      passed += counters.passed.n;
      tunings += counters.reconfigurations;
    }
    RC_ASSERT(passed == words);
    // Slots set a pair up that wasn't in the slot before, even if nobody has used its ports meanwhile.
    const auto& slots = slot_schedulers;
    if (std::find(slots.begin(), slots.end(), job.config.scheduler) != slots.end())
      RC_ASSERT(tunings <= stats.set_ups);
    else
      RC_ASSERT(tunings == stats.set_ups);
    RC_CLASSIFY(reused > 0, "uses established circuits");
  });
  EXPECT_TRUE(ok);
}

TEST_P(Exact, AlsoOnAnAllStopSwitch) {
  const bool ok = rc::check([&] {
    Job job = random_job(GetParam());
    job.config.scheduler =
        *rc::gen::element<std::string>("rotation_allstop", "solstice", "bvn", "tms", "eclipse", "edmonds_allstop");
    job.config.all_stop = true;
    Rig rig(job.config);
    std::size_t finals = 0;
    for (const Delivery& delivery : run(rig, job)) finals += delivery.final ? 1 : 0;
    RC_ASSERT(finals == 3 * job.push.size());
    for (const Problem& problem : rig.problems) RC_ASSERT(problem.all_stop);
    for (const Carried& carried : rig.carried) {
      RC_ASSERT(carried.sent.n == (carried.planned.end - carried.planned.up).n);
      RC_ASSERT(carried.end.n == carried.planned.end.n);
    }
    for (const PlanRecord& plan : rig.network->stats().plans)
      RC_ASSERT(plan.ended.n == plan.origin.n + plan.makespan.n);
    for (std::uint16_t port = 0; port < job.config.ports; ++port) RC_ASSERT(rig.plane->counters(port).lost.n == 0);
  });
  EXPECT_TRUE(ok);
}

TEST_P(Exact, TheEventLogIsTheSameHoweverTheClockStrides) {
  OCS_SKIP_UNLESS_SEVERAL(GetParam());
  const bool ok = rc::check([&] {
    Job job = random_job(GetParam());
    Rig warped(job.config);
    const auto deliveries = texts_of(run(warped, job));
    job.config.stride_seed = *rc::gen::inRange<std::uint64_t>(1, 1000);
    Rig strided(job.config);
    RC_ASSERT(texts_of(run(strided, job)) == deliveries);
    RC_ASSERT(strided.hash.value() == warped.hash.value());
    job.config.time_warp = false;
    job.config.stride_seed = 0;
    Rig unwarped(job.config);
    RC_ASSERT(texts_of(run(unwarped, job)) == deliveries);
    RC_ASSERT(unwarped.hash.value() == warped.hash.value());
    job.config.time_warp = true;
    job.config.device = "model";
    Rig model(job.config);
    RC_ASSERT(texts_of(run(model, job)) == deliveries);
    RC_ASSERT(model.hash.value() == warped.hash.value());
    RC_ASSERT(model.hash.count() == warped.hash.count());
  });
  EXPECT_TRUE(ok);
}

OCS_ON_EVERY_DEVICE(Exact);

}  // namespace
}  // namespace ocs::test
