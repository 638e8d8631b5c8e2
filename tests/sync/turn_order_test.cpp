// What the gate makes of grants at one instant.
// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "testbed/coordinator/gate/gate.hpp"

namespace ocs {
namespace {

const SyncEntry& scheme(std::string_view name) {
  return *std::find_if(sync_schemes().begin(), sync_schemes().end(),
                       [&](const SyncEntry& entry) { return entry.name == name; });
}

/// Workers that have been released, in the order in which it is done.
std::vector<int> released(const std::vector<Order>& orders) {
  std::vector<int> out;
  for (const Order& order : orders)
    if (order.what == Order::What::release)
      for (const Node node : order.workers) out.push_back(static_cast<int>(node));
  return out;
}

TEST(TurnOrder, GrantsAtOneInstantAreServedInTheOrderOfTurns) {
  NodeJob job;
  job.workers = {Node{0}, Node{1}, Node{2}};
  job.servers = {{Node{3}, Words{1}, Bytes{64}, {{Words{0}, Words{1}, Bytes{64}}}}};
  job.iterations = 3;
  job.memory = ServerMemory::model;
  GateRules rules{.entry = scheme("r2sp"), .compute_of = [](std::size_t, std::uint32_t) { return Picos{10}; }};
  rules.settings.r_num = 0;  // no gap: everybody whose turn comes is granted at once
  Gate gate(job, rules);
  const auto push = [&](std::uint16_t worker, std::uint32_t iteration, std::int64_t at) {
    return released(gate.pushed({.iteration = iteration, .worker = Node{worker}, .server = Node{3}}, Picos{at}));
  };
  gate.start();
  EXPECT_EQ(push(0, 0, 10), (std::vector{0}));
  gate.pulled(Node{0}, 1, Picos{20});
  EXPECT_TRUE(push(2, 0, 30).empty());  // the turn is worker 1's
  EXPECT_TRUE(push(0, 1, 40).empty());
  EXPECT_EQ(push(1, 0, 50), (std::vector{1, 2, 0}));
}

}  // namespace
}  // namespace ocs
