// Promises of the maps: each key one owner, versions that grow by one, moves that help and stay within the budget.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <algorithm>
#include <functional>
#include <set>
#include <string>

#include "host/core/error.hpp"
#include "tests/load/abstract_load.hpp"

namespace ocs::abstract {
namespace {

struct Drawn {
  std::vector<Bytes> keys;
  std::vector<std::int64_t> rates;
  Colocation colocation;
  LoadProblem problem() const { return {keys, rates, &colocation}; }
};

Drawn draw() {
  Drawn drawn;
  const std::int64_t largest = *rc::gen::element<std::int64_t>(1, 3, 1'000'000);
  const int keys = *rc::gen::inRange(1, 30), servers = *rc::gen::inRange(1, 7);
  for (int k = 0; k < keys; ++k) drawn.keys.push_back(Bytes{*rc::gen::inRange<std::int64_t>(1, largest + 1)});
  for (int s = 0; s < servers; ++s) drawn.rates.push_back(*rc::gen::inRange<std::int64_t>(1, 11) * 1000);
  if (*rc::gen::arbitrary<bool>()) return drawn;
  drawn.colocation.workers = *rc::gen::inRange<std::size_t>(1, 9);
  for (int s = 0; s < servers; ++s) drawn.colocation.on_worker.push_back(*rc::gen::element<char>(0, 1));
  return drawn;
}

/// What crosses the busier side of a server's port, if it has `load` of `all`.
std::int64_t crossing(const Drawn& drawn, std::size_t server, std::int64_t load, std::int64_t all) {
  const auto& [workers, on_worker] = drawn.colocation;
  if (on_worker.empty()) return load;
  const auto n = static_cast<std::int64_t>(workers);
  return on_worker[server] != 0 ? std::max((n - 1) * load, all - load) : n * load;
}

/// Time of the server that takes longest, times the product of all rates.
__extension__ using Wide = __int128;
Wide longest(const Drawn& drawn, const std::vector<std::uint16_t>& owner) {
  Wide product = 1, most = 0;
  for (const std::int64_t rate : drawn.rates) product *= rate;
  const auto loads = loads_of(drawn.keys, owner, drawn.rates.size());
  Bytes all;
  for (const Bytes key : drawn.keys) all += key;
  for (std::size_t s = 0; s < loads.size(); ++s)
    most = std::max(most, crossing(drawn, s, loads[s].n, all.n) * (product / drawn.rates[s]));
  return most;
}

TEST(LoadMap, GivesEachKeyOneOwnerAndNoServerMuchMoreThanItsShare) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = draw();
    const auto owner = start_map(drawn.problem());
    RC_ASSERT(owner.size() == drawn.keys.size());
    for (const std::uint16_t server : owner) RC_ASSERT(server < drawn.rates.size());
    const auto loads = loads_of(drawn.keys, owner, drawn.rates.size());
    Bytes sum, all;
    for (const Bytes load : loads) sum += load;
    for (const Bytes key : drawn.keys) all += key;
    RC_ASSERT(sum == all);
  }));
}

TEST(Redistribution, NeverMakesItWorseAndMovesEachKeyOnceWithinItsBudget) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = draw();
    std::vector<std::uint16_t> owner;
    for (std::size_t k = 0; k < drawn.keys.size(); ++k)
      owner.push_back(static_cast<std::uint16_t>(*rc::gen::inRange<std::size_t>(0, drawn.rates.size())));
    std::optional<Bytes> budget;
    if (*rc::gen::arbitrary<bool>()) budget = Bytes{*rc::gen::inRange<std::int64_t>(0, 3'000'000)};
    const Redistribution result = redistribute(drawn.problem(), owner, budget);
    RC_ASSERT(longest(drawn, result.owner) <= longest(drawn, owner));
    std::set<std::uint32_t> moved;
    Bytes bytes;
    for (const KeyMove& move : result.moves) {
      RC_ASSERT(moved.insert(move.key).second);
      RC_ASSERT(owner[move.key] == move.from);
      RC_ASSERT(move.from != move.to);
      owner[move.key] = move.to;
      bytes += drawn.keys[move.key];
    }
    RC_ASSERT(owner == result.owner);
    RC_ASSERT(bytes == result.moved);
    if (budget) RC_ASSERT(bytes <= *budget);
    RC_ASSERT(redistribute(drawn.problem(), owner, Bytes{0}).moves.empty());
  }));
}

/// All moves of all keys of the slowest server, tried one by one.
TEST(Redistribution, ChoosesWhatTryingEverythingChooses) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = draw();
    auto owner = start_map({drawn.keys, std::vector<std::int64_t>(drawn.rates.size(), 1)});
    std::set<std::uint32_t> moved;
    for (const KeyMove& move : redistribute(drawn.problem(), owner).moves) {
      std::optional<KeyMove> best;
      Wide least = longest(drawn, owner);
      const auto loads = loads_of(drawn.keys, owner, drawn.rates.size());
      Bytes all;
      for (const Bytes key : drawn.keys) all += key;
      const auto crosses = [&](std::size_t s, Bytes load) { return Wide{crossing(drawn, s, load.n, all.n)}; };
      std::size_t slow = 0;
      for (std::size_t s = 1; s < loads.size(); ++s)
        if (crosses(s, loads[s]) * drawn.rates[slow] > crosses(slow, loads[slow]) * drawn.rates[s]) slow = s;
      std::optional<std::pair<Wide, Wide>> time;  // a fraction
      for (std::uint32_t k = 0; k < drawn.keys.size(); ++k)
        for (std::size_t to = 0; to < loads.size(); ++to) {
          if (owner[k] != slow || to == slow || moved.contains(k)) continue;
          const Wide left = crosses(slow, loads[slow] - drawn.keys[k]), there = crosses(to, loads[to] + drawn.keys[k]);
          std::pair<Wide, Wide> a{left, drawn.rates[slow]}, b{there, drawn.rates[to]};
          const auto larger = a.first * b.second < b.first * a.second ? b : a;
          if (time && larger.first * time->second >= time->first * larger.second) continue;
          time = larger;
          best = KeyMove{k, static_cast<std::uint16_t>(slow), static_cast<std::uint16_t>(to)};
        }
      RC_ASSERT(best == move);
      moved.insert(move.key);
      owner[move.key] = move.to;
      RC_ASSERT(longest(drawn, owner) <= least);
    }
  }));
}

TEST(LoadBalancer, GrowsItsVersionByOneWithEachMapAndMovesWhatItSays) {
  EXPECT_TRUE(rc::check([] {
    const Drawn drawn = draw();
    LoadSettings settings;
    settings.adaptive = true;
    settings.ema_shift = *rc::gen::element(0u, 1u, 3u);
    settings.hysteresis_num = *rc::gen::element(100u, 105u, 150u);
    LoadBalancer balancer(drawn.keys, drawn.rates.size(), 1000, settings);
    LoadMap map = balancer.map();
    RC_ASSERT(map.version == 0u);
    for (int iteration = 0; iteration < 12; ++iteration) {
      for (std::size_t s = 0; s < drawn.rates.size(); ++s)
        balancer.monitor().saw_rate(s, *rc::gen::inRange<std::int64_t>(1, 11) * 1000);
      const auto remap = balancer.decide();
      if (!remap) {
        RC_ASSERT(balancer.map() == map);
        continue;
      }
      RC_ASSERT(remap->map.version == map.version + 1);
      for (const KeyMove& move : remap->moves) {
        RC_ASSERT(map.owner[move.key] == move.from);
        map.owner[move.key] = move.to;
      }
      ++map.version;
      RC_ASSERT(remap->map == map);
      RC_ASSERT(balancer.map() == map);
    }
  }));
}

TEST(RateMonitor, BeginsWithTheNominalRateAndAverages) {
  RateMonitor monitor(2, 1000, 2);
  EXPECT_EQ(monitor.rates(), (std::vector<std::int64_t>{1000, 1000}));
  monitor.saw_rate(0, 400);
  EXPECT_EQ(monitor.rates()[0], 850);
  monitor.saw_rate(0, 1);
  EXPECT_EQ(monitor.rates()[0], 637);
  EXPECT_EQ(monitor.rates()[1], 1000);
}

TEST(RateMonitor, LearnsNothingFromAPortThatCarriedNothing) {
  RateMonitor monitor(1, 1000, 0);
  monitor.saw(0, {Bytes{0}, Picos{0}});
  EXPECT_EQ(monitor.rates()[0], 1000);
  monitor.saw(0, {Bytes{125'000'000}, Picos{1'000'000'000'000}});  // a gigabit in a second
  EXPECT_EQ(monitor.rates()[0], 1'000'000'000);
}

void expect_refused(const std::function<void()>& act, const std::string& part) {
  try {
    act();
    ADD_FAILURE() << "wasn't refused";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
  }
}

/// 64 equal keys, one of four servers at a tenth of the others' rate, all on nodes of workers.
TEST(Redistribution, LeavesASlowServerWhatItsOwnWorkerWouldElsePush) {
  const std::vector<Bytes> keys(64, Bytes{1000});
  const std::vector<std::int64_t> equal(4, 10), rates{1, 10, 10, 10};
  for (const std::size_t workers : {4, 8, 16}) {
    const Colocation colocation{workers, {1, 1, 1, 1}};
    const auto before = start_map({keys, equal, &colocation});
    EXPECT_EQ(before, start_map({keys, equal}));
    const Redistribution after = redistribute({keys, rates, &colocation}, before);
    const auto left = static_cast<std::size_t>(loads_of(keys, after.owner, 4)[0].n / 1000);
    EXPECT_EQ(left, 64 / workers) << "(n - 1) of a share of 1 / n are the other n - 1 shares";
  }
  EXPECT_LT(loads_of(keys, redistribute({keys, rates}, start_map({keys, equal})).owner, 4)[0].n, 4000)
      << "on a node of its own it would keep a tenth of what others have";
}

TEST(LoadMap, GivesAServerMoreWhoseOwnWorkerCostsItNothing) {
  const std::vector<Bytes> keys(14, Bytes{1000});
  const std::vector<std::int64_t> rates(3, 10);
  const Colocation three{3, {1, 0, 0}}, one{1, {0, 1, 0}};
  const auto loads = loads_of(keys, start_map({keys, rates, &three}), 3);
  EXPECT_EQ(loads[0].n, 6000) << "two workers push 6 keys each to it, three push 4 each to the others";
  EXPECT_EQ(loads[1].n, 4000);
  EXPECT_EQ(loads_of(keys, start_map({keys, rates, &one}), 3)[1].n, 14000);
}

TEST(LoadMap, RefusesWhatCantBe) {
  const std::vector<Bytes> keys{Bytes{1}, Bytes{2}}, empty_key{Bytes{0}};
  const std::vector<std::int64_t> rates{5, 5}, still{5, 0};
  const std::vector<std::uint16_t> owner{0, 2}, few{0};
  expect_refused([&] { start_map({{}, rates}); }, "has no keys");
  expect_refused([&] { start_map({keys, {}}); }, "has 0 servers");
  expect_refused([&] { start_map({empty_key, rates}); }, "key 0 of 0 bytes");
  expect_refused([&] { start_map({keys, still}); }, "server 1 with 0 bit/s");
  expect_refused([&] { redistribute({keys, rates}, owner); }, "gives key 1 to server 2; the servers are 0 to 1");
  expect_refused([&] { redistribute({keys, rates}, few); }, "maps 1 keys; it should map all 2");
  const Colocation too_few{2, {1}}, nobody{0, {1, 0}};
  expect_refused([&] { start_map({keys, rates, &too_few}); }, "places of 1 servers; it should have 1 or more, and");
  expect_refused([&] { start_map({keys, rates, &nobody}); }, "has 0 workers");
  LoadSettings settings;
  settings.ema_shift = 17;
  expect_refused([&] { LoadBalancer(keys, 2, 5, settings); }, "shift is 17");
  settings = {};
  settings.hysteresis_num = 99;
  expect_refused([&] { LoadBalancer(keys, 2, 5, settings); }, "hysteresis is 99/100");
}

}  // namespace
}  // namespace ocs::abstract
