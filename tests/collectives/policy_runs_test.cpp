// Collectives whose maps a policy sets, run with ranks as nodes: every policy's cycles are those of its plan.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "testbed/experiment/fit/collective.hpp"
#include "testbed/experiment/keys/unused_keys.hpp"
#include "testbed/run/collective_plans.hpp"
#include "tests/collectives/support.hpp"

namespace ocs::test {
namespace {

Point policy_job(const std::string& kind, const std::string& algorithm, const std::string& policy,
                 std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"job.collective=" + kind, "collective.reconfigure=" + policy, "fabric.tuning=300 ns"});
  return collective_job(algorithm, 8, 64 * 123, more);
}

/// Cycles of the first iteration's collective: the plan's, but that the last leg is not heard.
std::int64_t planned_cycles(const Point& point) {
  const LegSequence sequence = leg_sequence(point, collective_of(point).legs);
  return find(reconfiguration_policies(), point.job.reconfigure, "policy").plan(sequence)->cost.cycles;
}

std::int64_t begin_of(const Point& point) {
  return (point.job.compute.n + point.fabric.cycle.n - 1) / point.fabric.cycle.n;
}

TEST(PolicyRuns, OfEveryListTakeTheCyclesOfTheirPlan) {
  for (const CollectiveEntry& entry : collectives())
    for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
      if (is_at_once(entry)) continue;
      const Point point = policy_job(std::string(name_of(entry.kind)), std::string(entry.name),
                                     std::string(policy.name), {"job.iterations=1"});
      const Row row = run_point(point, {});
      EXPECT_EQ(row.sim_time.n, (begin_of(point) + planned_cycles(point)) * point.fabric.cycle.n) << row.collective;
      EXPECT_EQ(row.words_lost + row.words_unrouted + row.words_misrouted, 0) << row.collective;
      EXPECT_EQ(row.collective,
                std::string(name_of(entry.kind)) + "/" + std::string(entry.name) + "/" + std::string(policy.name));
    }
}

/// A message that is relayed crosses the switch once for every circuit on its way.
TEST(PolicyRuns, CountEveryHop) {
  const Point point = policy_job("all_to_all", "linear", "never", {"job.iterations=1"});
  const PointCollective one = collective_of(point);
  std::int64_t words = 0;
  for (const Leg& leg : one.legs)
    for (const LegTransfer& message : leg.transfers)
      words += message.words.n * ((message.receiver + 8 - message.sender) % 8);
  EXPECT_EQ(run_point(point, {}).words_passed, words);
}

/// Numbers that a rank relays are kept, sent on, and added where they belong; they change no time.
TEST(PolicyRuns, AddUpRightWhereRanksRelay) {
  for (const CollectiveEntry& entry : collectives())
    for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
      if (is_at_once(entry)) continue;
      const auto row_with = [&](const char* payload) {
        return run_point(policy_job(std::string(name_of(entry.kind)), std::string(entry.name), std::string(policy.name),
                                    {"job.iterations=2", "fabric.device=model", payload}),
                         {});
      };
      const Row none = row_with("job.payload=none");
      for (const char* payload : {"job.payload=digest", "job.payload=full"}) {
        const Row row = row_with(payload);
        EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << row.collective << payload;
        EXPECT_EQ(row.event_log_hash, none.event_log_hash) << row.collective << payload;
      }
    }
}

/// The next iteration finds the maps of the one before.
TEST(PolicyRuns, PlanEachIterationForTheMapThatItFinds) {
  for (const char* policy : {"always", "never", "best_static", "threshold", "optimal"}) {
    const Point point = policy_job("all_to_all", "linear", policy, {"job.iterations=6", "fabric.tuning=2 us"});
    LegSequence sequence = leg_sequence(point, collective_of(point).legs);
    std::int64_t right = 0;
    for (int k = 0; k < 6; ++k) {
      const auto plan = find(reconfiguration_policies(), policy, "policy").plan(sequence);
      right += begin_of(point) + plan->cost.cycles;
      sequence.start = maps_of(sequence, plan->moves).back();
    }
    EXPECT_EQ(run_point(point, {}).sim_time.n, right * point.fabric.cycle.n) << policy;
  }
}

/// alpha and delta hold what control and light take.
TEST(PolicyRuns, TakeTheCyclesOfTheirPlanWithLeadFibreAndLatency) {
  for (const char* policy : {"always", "never", "optimal"}) {
    const std::vector<std::string> slow = {"job.iterations=1", "control.lead=51.2 ns", "fabric.fibre=25.6 ns",
                                           "nodes.control_latency=102.4 ns"};
    const Point point = policy_job("all_reduce", "swing", policy, slow);
    EXPECT_EQ(leg_sequence(point, collective_of(point).legs).times.alpha, 1 + 10 + 2 * 5 + 20);
    // Nobody waits to hear that the last leg is in; that all have computed is heard.
    EXPECT_EQ(run_point(point, {}).sim_time.n, (begin_of(point) + planned_cycles(point)) * point.fabric.cycle.n)
        << policy;
  }
}

/// All-stop, circuits that tune in times of their own, slow nodes, and all of it at once; payload is right, too.
TEST(PolicyRuns, TakeTheCyclesOfTheirPlanWherePairsAndNodesAreUnlike) {
  const std::string slow = R"(nodes.rates="100 Gbit/s, 50 Gbit/s, 100 Gbit/s, 25 Gbit/s")";
  const std::vector<std::vector<std::string>> unlike = {
      {"fabric.all_stop=true"},
      {"nodes.extra_tuning=0 ns, 200 ns, 900 ns"},
      {slow},
      {"fabric.all_stop=true", "nodes.extra_tuning=0 ns, 200 ns, 900 ns", slow}};
  for (const std::vector<std::string>& settings : unlike)
    for (const ReconfigurationPolicy& policy : reconfiguration_policies())
      for (const auto& [kind, algorithm] : {std::pair("all_to_all", "linear"), std::pair("all_reduce", "swing")}) {
        std::vector<std::string> all = settings;
        all.insert(all.end(),
                   {"job.iterations=1", "control.lead=51.2 ns", "fabric.fibre=25.6 ns", "fabric.device=model"});
        const Point point = policy_job(kind, algorithm, std::string(policy.name), all);
        const std::int64_t right = (begin_of(point) + planned_cycles(point)) * point.fabric.cycle.n;
        const Row row = run_point(point, {});
        EXPECT_EQ(row.sim_time.n, right) << row.collective << settings.front();
        all.insert(all.end(), {"fabric.device=verilated", "job.payload=full"});
        const Row rtl = run_point(policy_job(kind, algorithm, std::string(policy.name), all), {});
        EXPECT_EQ(rtl.event_log_hash, row.event_log_hash) << row.collective << settings.front();
        EXPECT_EQ(rtl.crc_errors + rtl.sum_errors + rtl.words_misrouted, 0) << row.collective << settings.front();
      }
}

/// A node at a quarter of the rate makes every leg that it is in four times as long: N (N - 1) / 2 hops, all in step.
TEST(PolicyRuns, TakeTheClosedFormOfARingWithASlowNode) {
  const std::int64_t b = 15;
  const auto cycles_with = [](const char* rates) {
    return planned_cycles(
        policy_job("all_to_all", "linear", "never", {"job.iterations=1", R"(job.workload="1920")", rates}));
  };
  const std::int64_t delta = 1 + 59;  // 300 ns are 58.6 cycles of 5.12 ns
  EXPECT_EQ(cycles_with("nodes.rates=100 Gbit/s"), delta - 1 + 28 * (1 + b));
  EXPECT_EQ(cycles_with(R"(nodes.rates="100 Gbit/s, 100 Gbit/s, 25 Gbit/s")"), delta - 1 + 28 * (1 + 4 * b));
}

/// The map pairs workers up; worker 0 reaches worker 1 alone.
TEST(PolicyRuns, AreRefusedWhereNoMapReachesEveryReceiver) {
  const Point point = policy_job("all_to_all", "linear", "never", {"collective.candidates=(1 0 3 2 5 4 7 6)"});
  EXPECT_EQ(refusal([&] { run_point(point, {}); }),
            "collective.reconfigure is \"never\", but no candidate map reaches every receiver of "
            "all_to_all/linear/never");
}

Point planes_job(const std::string& kind, const std::string& algorithm, const std::string& rule, int planes,
                 std::vector<std::string> more = {}) {
  more.insert(more.begin(), {"fabric.device=model", "fabric.planes=" + std::to_string(planes)});
  return policy_job(kind, algorithm, rule, std::move(more));
}

/// Iteration by iteration; each finds the pairs that the planes have.
std::int64_t planned_cycles_of_planes(const Point& point) {
  NumberedPlaneSteps all = plane_steps(point, collective_of(point).legs);
  std::int64_t cycles = 0;
  for (std::int64_t k = 0; k < point.job.iterations; ++k) {
    const PlanePlan plan = find(plane_rules(), point.job.reconfigure, "policy").plan(all.steps);
    cycles += begin_of(point) + plan.cost.cycles;
    all.steps.start = pairs_after(all.steps, plan);
  }
  return cycles;
}

TEST(PlaneRuns, OfEveryListTakeTheCyclesOfTheirPlan) {
  for (const CollectiveEntry& entry : collectives())
    for (const PlaneRule& rule : plane_rules())
      for (const int planes : {2, 3}) {
        if (is_at_once(entry)) continue;
        const std::string kind(name_of(entry.kind)), algorithm(entry.name), name(rule.name);
        const Point point = planes_job(kind, algorithm, name, planes, {"job.iterations=3"});
        const Row row = run_point(point, {});
        EXPECT_EQ(row.sim_time.n, planned_cycles_of_planes(point) * point.fabric.cycle.n) << row.collective << planes;
        EXPECT_EQ(row.words_lost + row.words_unrouted + row.words_misrouted, 0) << row.collective;
        EXPECT_EQ(row.collective, kind + "/" + algorithm + "/" + name);
        const Row rtl =
            run_point(planes_job(kind, algorithm, name, planes, {"job.iterations=3", "fabric.device=verilated"}), {});
        EXPECT_EQ(rtl.event_log_hash, row.event_log_hash) << row.collective << planes;
      }
}

/// Words of a pair come by several planes, and are what they should be.
TEST(PlaneRuns, AddUpRightWherePlanesShareWords) {
  for (const CollectiveEntry& entry : collectives())
    for (const char* payload : {"job.payload=digest", "job.payload=full"}) {
      if (is_at_once(entry)) continue;
      const Point point = planes_job(std::string(name_of(entry.kind)), std::string(entry.name), "overlap", 3,
                                     {"job.iterations=2", "fabric.fibre=25.6 ns", "control.lead=51.2 ns",
                                      "nodes.control_latency=102.4 ns", payload});
      const Row row = run_point(point, {});
      EXPECT_EQ(row.sim_time.n, planned_cycles_of_planes(point) * point.fabric.cycle.n) << row.collective;
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << row.collective << payload;
    }
}

/// Of each iteration the slowest copy's, with the maps that it finds; all tunings.
LegCost planned_copies(const Point& point) {
  LegCost all{};
  std::vector<LegSequence> copies;
  for (int plane = 0; plane < point.fabric.planes; ++plane)
    if (const PointCollective one = copy_of(point, static_cast<std::uint32_t>(plane)); !one.legs.empty())
      copies.push_back(leg_sequence(point, one.legs));
  for (std::int64_t k = 0; k < point.job.iterations; ++k) {
    std::int64_t slowest = 0;
    for (LegSequence& copy : copies) {
      const ReconfigurationPlan plan = optimal_plan(copy);
      slowest = std::max(slowest, plan.cost.cycles);
      all.tunings += plan.cost.tunings;
      copy.start = maps_of(copy, plan.moves).back();
    }
    all.cycles += begin_of(point) + slowest;
  }
  return all;
}

/// 123 words in three shares of 41, or in two of 62 and 61: the second copy waits for the first one.
TEST(CopyRuns, OfEveryListTakeTheCyclesOfTheirPlan) {
  for (const CollectiveEntry& entry : collectives())
    for (const int planes : {2, 3}) {
      if (is_at_once(entry)) continue;
      const std::string kind(name_of(entry.kind)), algorithm(entry.name);
      const Point point = planes_job(kind, algorithm, "copies", planes, {"job.iterations=3"});
      const Row row = run_point(point, {});
      const LegCost right = planned_copies(point);
      EXPECT_EQ(row.sim_time.n, right.cycles * point.fabric.cycle.n) << row.collective << planes;
      EXPECT_EQ(row.reconfigurations, right.tunings) << row.collective << planes;
      EXPECT_EQ(row.words_lost + row.words_unrouted + row.words_misrouted, 0) << row.collective;
      EXPECT_EQ(row.collective, kind + "/" + algorithm + "/copies");
      const Row rtl =
          run_point(planes_job(kind, algorithm, "copies", planes, {"job.iterations=3", "fabric.device=verilated"}), {});
      EXPECT_EQ(rtl.event_log_hash, row.event_log_hash) << row.collective << planes;
    }
}

/// Two planes, each with half the words of a ring whose words stream; delta = 60 cycles.
TEST(CopyRuns, OfARingTakeItsClosedForm) {
  const auto run = [](const std::string& rule, const std::string& words) {
    return run_point(planes_job("all_reduce", "ring", rule, 2, {"job.iterations=1", "job.workload=\"" + words + "\""}),
                     {});
  };
  const std::int64_t begin = 19'532;
  const Row copies = run("copies", "20480");  // 1280 words: blocks of 80 words on each plane
  EXPECT_EQ(copies.sim_time.n / 5120, begin + 60 + 2 * 7 * 80);
  EXPECT_EQ(copies.reconfigurations, 16);
  EXPECT_EQ(copies.slices, 1);
  const Row together = run("together", "20480");  // steps, each of which begins a cycle after it is asked for
  EXPECT_EQ(together.sim_time.n / 5120, begin + 60 + 80 + 13 * (1 + 80));
  const Row one_word = run("copies", "16");  // the second plane has none
  EXPECT_EQ(one_word.words_passed, 14) << "block 0 goes round twice, on the first plane";
  EXPECT_EQ(one_word.reconfigurations, 8);
}

/// Shares that differ, a worker that computes longer, and what control and light take; payload changes no time.
TEST(CopyRuns, AddUpRightAndStayInStep) {
  for (const auto& [kind, algorithm] :
       {std::pair("all_reduce", "swing"), {"all_to_all", "bruck"}, {"broadcast", "binomial"}}) {
    std::vector<std::string> slow = {"job.iterations=3",       "control.lead=51.2 ns",
                                     "fabric.fibre=25.6 ns",   "nodes.control_latency=102.4 ns",
                                     "compute.factors=2: 1.5", "collective.candidates=ring, back, steps"};
    const Row none = run_point(planes_job(kind, algorithm, "copies", 2, slow), {});
    for (const char* payload : {"job.payload=digest", "job.payload=full"}) {
      std::vector<std::string> with = slow;
      with.emplace_back(payload);
      const Row row = run_point(planes_job(kind, algorithm, "copies", 2, with), {});
      EXPECT_EQ(row.crc_errors + row.sum_errors + row.words_misrouted, 0) << row.collective << payload;
      EXPECT_EQ(row.event_log_hash, none.event_log_hash) << row.collective << payload;
      EXPECT_EQ(row.bytes_delivered, none.bytes_delivered) << row.collective << payload;
    }
    std::vector<std::string> demand = slow;
    demand.insert(demand.end(), {"collective.demand=gini:0.4", "job.payload=digest"});
    EXPECT_EQ(run_point(planes_job(kind, algorithm, "copies", 3, demand), {}).sum_errors, 0) << algorithm;
  }
}

/// Of a matrix, too, each plane has its own part of every entry.
TEST(CopyRuns, ShareOutAllWordsAndNoneTwice) {
  for (const char* demand : {"equal", "gini:0.4", "flows:2,3,0.7"}) {
    const Point point = planes_job("all_to_all", "linear", "copies", 3, {std::string("collective.demand=") + demand});
    std::vector<Words> sum(64);
    for (std::uint32_t plane = 0; plane < 3; ++plane) {
      const std::vector<Words> sizes = copy_of(point, plane).sizes;
      for (std::size_t block = 0; block < sum.size(); ++block) sum[block] += sizes[block];
    }
    const std::vector<Words> all = collective_of(point).sizes;
    std::int64_t words = 0, shared = 0;
    for (std::size_t block = 0; block < sum.size(); ++block) words += all[block].n, shared += sum[block].n;
    EXPECT_EQ(shared, words) << demand;
    if (std::string(demand) != "equal") {
      EXPECT_EQ(sum, all) << demand;
    }
  }
}

TEST(CopyRuns, AreRefusedWhereTheirSharesHaveNoMeaning) {
  const auto complaint = [](const std::string& set) {
    return refusal([&] { planes_job("all_reduce", "ring", "copies", 2, {set}); });
  };
  const std::string end = " with collective.reconfigure \"copies\"";
  EXPECT_EQ(complaint("fabric.planes=1"), "--set fabric.planes=1: fabric.planes must be 2 or more" + end);
  EXPECT_EQ(complaint("job.duration=1 ms"), "--set job.duration=1 ms: job.duration must be \"0 s\"" + end);
  EXPECT_EQ(complaint("network=packet"), "--set network=packet: network must be \"circuit\"" + end);
}

TEST(PlaneRuns, NeedPlanesThatAreAlike) {
  EXPECT_EQ(refusal([] { policy_job("all_to_all", "linear", "overlap"); }),
            "--set collective.reconfigure=overlap: fabric.planes must be 2 or more with collective.reconfigure "
            "\"overlap\"");
  const std::string slow = R"(nodes.rates="100 Gbit/s, 50 Gbit/s")";
  EXPECT_EQ(refusal([&] { planes_job("all_to_all", "linear", "overlap", 2, {slow}); }),
            "--set " + slow + ": nodes.rates must be \"equal\" with collective.reconfigure \"overlap\"");
}

TEST(PolicyRuns, AreOneForAllSchedulersThatNobodyAskedFor) {
  const auto rows = [](const std::string& reconfigure) {
    std::vector<Setting> settings = read_settings("seed = 1", "x.toml"), later;
    for (const std::string& each :
         {std::string("job.collective=all_to_all"), std::string("job.workers=4"), std::string("job.payload=none"),
          std::string("job.workload=\"6400\""), "collective.reconfigure=" + reconfigure})
      later.push_back(read_override(each));
    apply_overrides(settings, later);
    Names names = all_schemes();
    names.load_workload = one_tensor;
    return resolve(settings, names, "x.toml").points.size();
  };
  EXPECT_EQ(rows("[never, optimal]"), 2u);
  EXPECT_EQ(rows("[scheduler, optimal]"), 8u);
}

TEST(PolicyRuns, AreTheSameOnTheModel) {
  const auto hash = [](const char* device) {
    return run_point(policy_job("all_to_all", "linear", "optimal", {std::string("fabric.device=") + device}), {})
        .event_log_hash;
  };
  EXPECT_EQ(hash("model"), hash("verilated"));
}

TEST(PolicyRuns, AreRefusedWhereMapsAreNotAlike) {
  const auto complaint_of = [](const std::string& set) {
    return refusal([&] { policy_job("all_to_all", "linear", "optimal", {set}); });
  };
  const std::string end = " with collective.reconfigure \"optimal\"";
  EXPECT_EQ(complaint_of("fabric.planes=2"), "--set fabric.planes=2: fabric.planes must be 1" + end);
  EXPECT_EQ(complaint_of("network=packet"), "--set network=packet: network must be \"circuit\"" + end);
  EXPECT_EQ(complaint_of("control.mode=timetable"),
            "--set control.mode=timetable: control.mode must be \"confirmed\"" + end);
  EXPECT_EQ(complaint_of("fabric.outages=1: 2 us"), "--set fabric.outages=1: 2 us: fabric.outages must be \"\"" + end);
  EXPECT_EQ(complaint_of("charge_planning=1 us"), "--set charge_planning=1 us: charge_planning must be \"none\"" + end);
  EXPECT_NE(refusal([] {
              policy_job("broadcast", "ring", "optimal");
            }).find("unknown algorithm of broadcast \"ring\"; known: binomial, chain"),
            std::string::npos);
}

}  // namespace
}  // namespace ocs::test
