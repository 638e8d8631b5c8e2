// Every policy's plan of every golden case, hop by hop on the Verilated switch: its cycles are those of the plan.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/collectives/hops.hpp"

#include <gtest/gtest.h>

#include <fstream>
#include <set>
#include <sstream>

#include "host/controller/circuits/map_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/registers/register_switch.hpp"
#include "tests/collectives/drawn_sequence.hpp"
#include "tests/common/places.hpp"
#include "tests/common/refusal.hpp"
#include "tests/schedulers/golden_case.hpp"
#include "tests/schedulers/golden_checks.hpp"

namespace ocs::test {
namespace {

constexpr std::int64_t hop_cycle = 5120, hop_word = 64;

/// A switch of 16 ports on which words of a circuit that is up begin `alpha` cycles after they are asked for.
struct MapRig {
  MapRig(const std::string& name, const SwitchTimes& times, std::size_t nodes = 0)
      : tuning{times.delta - times.alpha},
        pair_tuning(pair_tuning_of(times, nodes)),
        device(make_device(name, {.ports = ports})),
        plane(make_register_switch(
            *device, {.delays = {.tuning = tuning, .pair_tuning = pair_tuning}, .all_stop = times.all_stop})),
        network(*plane, {.tuning = tuning, .lead = Cycles{times.alpha - 1}, .pair_tuning = pair_tuning}, {},
                {times.all_stop, word_cycles_of(times)}) {}

  static std::vector<Cycles> word_cycles_of(const SwitchTimes& times) {
    std::vector<Cycles> all;
    all.reserve(times.word_cycles.size());
    for (const std::int64_t cycles : times.word_cycles) all.push_back(Cycles{cycles});
    return all;
  }

  /// Of all ports; those beyond the nodes as the slowest.
  static std::vector<Cycles> pair_tuning_of(const SwitchTimes& times, std::size_t nodes) {
    std::vector<Cycles> all(times.pair_delta.empty() ? 0 : std::size_t{ports} * ports,
                            Cycles{times.delta - times.alpha});
    for (std::size_t pair = 0; pair < times.pair_delta.size(); ++pair)
      all[pair / nodes * ports + pair % nodes] = Cycles{times.pair_delta[pair] - times.alpha};
    return all;
  }

  void go_to(std::int64_t cycle) {
    std::vector<Delivery> none;
    network.advance(Picos{cycle * hop_cycle}, none);
    EXPECT_TRUE(none.empty());
  }

  static constexpr int ports = 16;
  Cycles tuning;
  std::vector<Cycles> pair_tuning;
  std::unique_ptr<Device> device;
  std::unique_ptr<Switch> plane;
  MapNetwork network;
};

/// Offers the bursts of a hop. @returns the cycle in which the last word has passed
std::int64_t pass(MapRig& rig, const Hop& hop, std::int64_t asked, std::uint32_t& id) {
  std::int64_t missing = 0;
  for (const HopBurst& burst : hop.bursts) {
    rig.network.offer({.id = Id{++id},
                       .coflow = Id{1},
                       .from = Node{burst.from},
                       .to = {Node{burst.to}},
                       .size = Bytes{burst.words.n * hop_word},
                       .ready = Picos{asked * hop_cycle}});
    missing += burst.words.n;
  }
  std::int64_t end = asked;
  std::set<Picos> begun;
  while (rig.network.next() != never<Picos>) {
    std::vector<Delivery> deliveries;
    end = rig.network.advance(Picos{std::int64_t{1} << 60}, deliveries).n / hop_cycle;
    for (const Delivery& delivery : deliveries) {
      for (const WordRun& run : delivery.arrived) missing -= run.count.n;
      begun.insert(delivery.began);
    }
  }
  EXPECT_EQ(missing, 0) << "words were lost";
  EXPECT_TRUE(hop.first == hop.last || begun.size() == 1) << "bursts that stream begin together";
  return end;
}

/// Cycles and tunings of a plan as the switch executes it.
LegCost played(const std::string& device, const LegSequence& sequence, const ReconfigurationPlan& plan) {
  MapRig rig(device, sequence.times, sequence.nodes);
  rig.network.set(sequence.start);
  const std::int64_t begin = 2 * sequence.times.delta;
  rig.go_to(begin);
  const std::int64_t before = rig.network.tunings();
  std::int64_t now = begin, set = begin;
  std::uint32_t id = 0;
  for (const Hop& hop : hops_of(sequence, plan.moves)) {
    if (!hop.maps.empty()) {
      set = now + (sequence.times.preset ? 0 : hop.gap);
      rig.go_to(set);
      rig.network.set(hop.maps.front().map);
    }
    now = pass(rig, hop, now + hop.gap + hop.wait, id);
    if (hop.least) now = std::max(now, set + *hop.least);
  }
  return {now - begin, rig.network.tunings() - before};
}

void expect_played(const std::string& device, const golden::PolicyCase& golden) {
  const LegSequence sequence = golden::sequence_of(golden);
  for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
    const auto plan = policy.plan(sequence);
    EXPECT_EQ(plan ? played(device, sequence, *plan) : LegCost{}, plan ? plan->cost : LegCost{}) << policy.name;
  }
}

std::string text_of_file(const std::string& file) {
  std::ifstream in(source_dir() + "/tests/goldens/collectives/" + file);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

TEST(Hops, OfEveryPolicyTakeTheCyclesOfItsPlan) {
  int cases = 0;
  for (const char* file : {"policies.json", "skew.json", "phases.json"})
    for (const golden::Case& one : golden::parse_cases(text_of_file(file), file)) {
      SCOPED_TRACE(one.name);
      expect_played("verilated", std::get<golden::PolicyCase>(one.content));
      ++cases;
    }
  EXPECT_EQ(cases, 28);
}

/// All-stop, pairs that tune in times of their own, slow nodes, and all of it at once.
TEST(Hops, TakeTheCyclesOfTheirPlanWherePairsAndNodesAreUnlike) {
  for (const char* device : {"model", "verilated"}) {
    std::mt19937 random(36);
    for (int k = 0; k < 60; ++k) {
      LegSequence sequence = drawn_sequence(random);
      make_unlike(sequence, random);
      check(sequence);
      for (const ReconfigurationPolicy& policy : reconfiguration_policies()) {
        SCOPED_TRACE(std::string(device) + " " + std::to_string(k) + " " + std::string(policy.name));
        const auto plan = policy.plan(sequence);
        EXPECT_EQ(plan ? played(device, sequence, *plan) : LegCost{}, plan ? plan->cost : LegCost{});
      }
    }
  }
}

TEST(MapNetworks, RefuseWhatHasNoCircuit) {
  MapRig rig("model", {10});
  rig.network.set(PortMap{1, 2, 0});
  rig.network.offer({.id = Id{1}, .coflow = Id{1}, .from = Node{0}, .to = {Node{2}}, .size = Bytes{64}, .ready = {}});
  EXPECT_NE(failure([&] { rig.go_to(20); }).find("transfer 1 goes from node 0 to node 2, which have no circuit"),
            std::string::npos);
  EXPECT_EQ(
      refusal([&] {
        rig.network.offer(
            {.id = Id{2}, .coflow = Id{1}, .from = Node{0}, .to = {Node{1}, Node{2}}, .size = Bytes{64}, .ready = {}});
      }),
      "transfer 2 goes to several nodes, but a circuit has one end");
}

TEST(MapNetworks, RefuseFibresThatDiffer) {
  const auto device = make_device("model", {.ports = 4});
  const auto plane = make_register_switch(*device, {});
  const ControlTimes times{.fibre = Fibres(std::vector{Cycles{1}, Cycles{2}})};
  EXPECT_EQ(refusal([&] { MapNetwork(*plane, times); }), "maps need nodes that are equally far from the switch");
}

/// Fibre: a node is told a fibre after its circuit is up, and its words are a fibre late at the other end.
TEST(MapNetworks, KeepToLeadAndFibre) {
  const auto device = make_device("model", {.ports = 4});
  const auto plane = make_register_switch(*device, {.delays = {.tuning = Cycles{50}, .locking = Cycles{5}}});
  MapNetwork network(*plane, {.tuning = Cycles{50}, .locking = Cycles{5}, .lead = Cycles{3}, .fibre = Cycles{7}});
  network.set(PortMap{1, 0});
  std::vector<std::int64_t> ends;
  for (std::uint32_t k = 0; k < 2; ++k) {
    std::vector<Delivery> deliveries;
    network.offer({.id = Id{k},
                   .coflow = Id{1},
                   .from = Node{0},
                   .to = {Node{1}},
                   .size = Bytes{640},
                   .ready = Picos{k == 0 ? 0 : ends[0] * hop_cycle},
                   .counted_at = k == 0 ? std::nullopt : std::optional(Node{1})});
    network.advance(Picos{1'000'000 * hop_cycle}, deliveries);
    ends.push_back(deliveries.at(0).at.n / hop_cycle);
  }
  EXPECT_EQ(ends[0], 50 + 5 + 1 + 3 + 7 + 10 + 7);
  EXPECT_EQ(ends[1] - ends[0], 1 + 3 + 7 + 10 + 7);
  EXPECT_EQ(network.use(Node{0}).bytes.n, 640) << "the second one counts at its receiver";
  EXPECT_EQ(network.use(Node{1}).bytes.n, 2 * 640);
  EXPECT_EQ(network.tunings(), 2);
  EXPECT_EQ(network.bursts(), 2);
}

/// Both planes are told before 7 cycles of computing and are up at 30: asked for 29 cycles after they were told, 22 after
/// the computing, each carries half of 4 words.
TEST(Hops, OfPlanesHaveTheGapsOfTheirSteps) {
  const std::vector<LegTransfer> step = {{0, 1, Words{4}}};
  const PlaneSteps steps{{step}, 2, {30, 1}, {7}};
  const std::vector<std::uint32_t> numbers = {3};
  const std::vector<Hop> hops = hops_of(steps, together(steps), numbers);
  ASSERT_EQ(hops.size(), 1u);
  EXPECT_EQ(hops[0].first, 3u);
  EXPECT_EQ(hops[0].gap, 7);
  EXPECT_EQ(hops[0].maps.size(), 2u);
  ASSERT_EQ(hops[0].parts.size(), 2u);
  for (std::uint32_t plane = 0; plane < 2; ++plane) {
    EXPECT_EQ(hops[0].parts[plane].plane, plane);
    EXPECT_EQ(hops[0].parts[plane].wait, 30 - 1 - 7);
    EXPECT_EQ(hops[0].parts[plane].most, Words{2});
  }
}

}  // namespace
}  // namespace ocs::test
