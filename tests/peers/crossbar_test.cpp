// Plans of receivers on the Verilated switch: makespans to the cycle, and what every output passes.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "host/controller/circuits/circuit_network.hpp"
#include "host/device/catalogue.hpp"
#include "host/device/switches.hpp"
#include "host/scheduler/check_plan.hpp"
#include "host/scheduler/lists/multicast_list.hpp"
#include "testbed/selection/policies.hpp"
#include "tests/common/places.hpp"
#include "tests/selection/study.hpp"

namespace ocs::test {
namespace {

constexpr Cycles tuning{60}, locking{9};
constexpr std::int64_t delta = 60 + 9 + 1;

struct Carrying {
  std::vector<Carried> carried;
  std::vector<Event> events;
  std::vector<Counters> counters;  ///< of each port
  std::int64_t cut = 0;
};

struct Abort {
  std::size_t transfer;
  std::int64_t at;  ///< cycle
};

/// The transfers, all ready in cycle 0, over a switch of so many ports.
Carrying carry(const std::string& name, int ports, const std::vector<Transfer>& transfers,
               const std::vector<Abort>& aborts = {}) {
  const auto device = make_device(name, {.ports = ports, .word_bytes = 64, .cycle = Picos{5120}});
  const auto plane = make_switch(*device, {.delays = {.tuning = tuning, .locking = locking}, .multicast = true});
  const MulticastList scheduler;
  Carrying all;
  CircuitConfig config;
  config.times.tuning = tuning;
  config.times.locking = locking;
  config.check = [](const Problem& problem, const Plan& plan) { check_plan(problem, plan); };
  config.on_event = [&](const Event& event) { all.events.push_back(event); };
  config.on_carried = [&](const Carried& one) { all.carried.push_back(one); };
  CircuitNetwork network(*plane, scheduler, config);
  for (const Transfer& transfer : transfers) network.offer(transfer);
  for (const Abort& abort : aborts) network.abort(transfers[abort.transfer].id, Picos{abort.at * 5120});
  std::vector<Delivery> deliveries;
  while (network.next() != never<Picos>) network.advance(never<Picos>, deliveries);
  EXPECT_EQ(network.stats().late, 0);
  all.cut = network.stats().cut;
  std::size_t receivers = 0;
  for (const Transfer& transfer : transfers) receivers += transfer.to.size();
  EXPECT_EQ(deliveries.size(), receivers);
  for (int port = 0; port < ports; ++port) all.counters.push_back(plane->counters(static_cast<std::uint16_t>(port)));
  return all;
}

std::vector<Transfer> transfers_of(const PeerPairs& pairs, std::int64_t words, bool multicast) {
  std::vector<Transfer> transfers;
  const auto add = [&](std::size_t i, const Outputs& outs) {
    Transfer one{.id = Id{static_cast<std::uint32_t>(transfers.size() + 1)},
                 .coflow = Id{0},
                 .from = Node{static_cast<std::uint16_t>(i)},
                 .to = {},
                 .size = Bytes{words * 64},
                 .ready = Picos{0}};
    for (std::uint16_t j = 0; j < pairs.size(); ++j)
      if (outs.test(j)) one.to.push_back(Node{j});
    if (!one.to.empty()) transfers.push_back(one);
  };
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (multicast) add(i, pairs[i]);
    for (std::size_t j = 0; j < pairs.size() && !multicast; ++j)
      if (pairs[i].test(j)) add(i, Outputs{}.set(j));
  }
  return transfers;
}

/// When an output was UP, cycles [from, to).
std::map<std::uint16_t, std::vector<std::pair<Cycles, Cycles>>> lit(const std::vector<Event>& events) {
  std::map<std::uint16_t, std::vector<std::pair<Cycles, Cycles>>> times;
  for (const Event& event : events) {
    if (event.kind > EventKind::failed) continue;
    auto& of_port = times[event.port];
    if (!of_port.empty() && of_port.back().second == never<Cycles>) of_port.back().second = event.at;
    if (event.kind == EventKind::up) of_port.emplace_back(event.at, never<Cycles>);
  }
  return times;
}

/// Every output that a burst's circuit goes to passed each of its words once, UP all the while; no other output any.
void expect_each_word_once(const Carrying& all) {
  std::map<Id, const Carried*> bursts;
  for (const Carried& one : all.carried) bursts[one.burst] = &one;
  const auto up = lit(all.events);
  std::map<std::pair<Id, std::uint16_t>, std::int64_t> passed;
  std::map<std::uint16_t, std::int64_t> of_output;
  for (const Event& event : all.events) {
    if (event.kind != EventKind::run) continue;
    ASSERT_TRUE(bursts.contains(event.burst));
    EXPECT_TRUE(bursts[event.burst]->planned.outs.test(event.port)) << "output " << event.port << " wasn't selected";
    std::int64_t& words = passed[{event.burst, event.port}];
    EXPECT_EQ(event.words.first.n, words) << "a word was left out, or came twice";
    words += event.words.count.n;
    of_output[event.port] += event.words.count.n;
    const Cycles begin = event.at - Cycles{event.words.count.n};
    const auto& times = up.at(event.port);
    EXPECT_TRUE(std::any_of(times.begin(), times.end(),
                            [&](const auto& time) { return time.first <= begin && event.at <= time.second; }))
        << "output " << event.port << " was fed while dark";
  }
  for (const auto& [id, one] : bursts)
    for (std::uint16_t out = 0; out < all.counters.size(); ++out)
      if (one->planned.outs.test(out)) {
        EXPECT_EQ((passed[{id, out}]), one->sent.n) << "output " << out;
      }
  for (std::uint16_t out = 0; out < all.counters.size(); ++out) {
    EXPECT_EQ(all.counters[out].passed.n, of_output[out]);
    EXPECT_EQ(all.counters[out].lost.n, 0);
    EXPECT_EQ(all.counters[out].unrouted.n, 0);
  }
}

std::int64_t makespan(const Carrying& all) {
  Cycles end;
  for (const Carried& one : all.carried) end = std::max(end, one.end);
  return end.n;
}

TEST(Crossbar, TakesTheMakespansOfThePlansToTheCycle) {
  const struct {
    std::uint16_t peers;
    std::uint32_t least;
    std::int64_t multicast, as_unicast, unicast;
  } rows[] = {{8, 2, 4, 7, 4}, {16, 5, 7, 15, 7}, {32, 10, 13, 31, 13}};
  constexpr std::int64_t words = 130, tau = words + delta;
  for (const char* const device : {"verilated", "model"})
    for (const auto& row : rows) {
      SCOPED_TRACE(std::string(device) + ", " + std::to_string(row.peers) + " peers");
      const auto plan = [&](Layer layer) {
        return SelmcastBsp().select(equal_peers(row.peers, row.least, Ticks{tau}, layer)).selected;
      };
      // A circuit that follows another one on a port begins in the cycle in which that has ended.
      const auto run = [&](Layer layer, bool multicast) {
        const Carrying all = carry(device, row.peers, transfers_of(plan(layer), words, multicast));
        expect_each_word_once(all);
        return makespan(all);
      };
      EXPECT_EQ(run(Layer::network, true), row.multicast * tau);
      EXPECT_EQ(run(Layer::network, false), row.as_unicast * tau);
      EXPECT_EQ(run(Layer::application, false), row.unicast * tau);
    }
}

TEST(Crossbar, CarriesTheGoldenPlansAtTheGoldenTimes) {
  std::ifstream file(ocs::test::source_dir() + "/tests/goldens/sync/multicast_circuits.json");
  const nlohmann::json cases = nlohmann::json::parse(file).at("cases");
  for (const auto& golden : cases) {
    SCOPED_TRACE(golden.at("name").get<std::string>());
    const auto& input = golden.at("input");
    const auto n = input.at("workers").get<std::size_t>();
    PeerPairs pairs(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) pairs[i].set(j, input.at("plan")[i][j].get<int>() == 1);
    // The golden's tau is 91500 ns; here it is so many cycles, and all circuits are whole multiples of it.
    constexpr std::int64_t words = 50, tau = words + delta, golden_tau = 91'500;
    for (const char* const device : {"verilated", "model"}) {
      const Carrying all = carry(device, n == 6 ? 8 : 4, transfers_of(pairs, words, true));
      expect_each_word_once(all);
      std::map<std::uint16_t, std::pair<std::int64_t, std::int64_t>> times, right;
      for (const Carried& one : all.carried) times[index(one.planned.in)] = {one.start.n, one.end.n};
      for (const auto& circuit : golden.at("expect").at("circuits"))
        right[circuit.at("sender").get<std::uint16_t>()] = {circuit.at("start").get<std::int64_t>() / golden_tau * tau,
                                                            circuit.at("end").get<std::int64_t>() / golden_tau * tau};
      EXPECT_EQ(times, right) << device;
    }
  }
}

TEST(Crossbar, StopsAMulticastForAllOfItsReceiversInOneCycle) {
  PeerPairs pairs(4);
  pairs[0] = Outputs{0b1110};
  pairs[1] = Outputs{0b0001};
  constexpr std::int64_t words = 500;
  for (const char* const device : {"verilated", "model"}) {
    const Carrying all = carry(device, 4, transfers_of(pairs, words, true), {{0, delta + 100}});
    expect_each_word_once(all);
    EXPECT_EQ(all.cut, 1);
    for (const Carried& one : all.carried)  // the word of the cycle in which it is stopped goes as well
      EXPECT_EQ(one.sent.n, one.planned.in == Input{0} ? 101 : words) << device;
  }
}

}  // namespace
}  // namespace ocs::test
