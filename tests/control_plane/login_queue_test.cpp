// Who is judged next when many log in at once.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/login_queue.hpp"

#include <gtest/gtest.h>

namespace ocs::test {
namespace {

using namespace serve;
using namespace std::chrono_literals;

const LoginQueue::Clock::time_point begin{1h};

std::vector<std::uint64_t> all_of(LoginQueue& queue) {
  std::vector<std::uint64_t> order;
  while (const auto id = queue.take()) order.push_back(*id);
  return order;
}

TEST(LoginQueue, TakesTheNetworkWithTheFewestTriesFirst) {
  LoginQueue queue;
  for (const std::uint64_t id : {1, 2, 3}) EXPECT_FALSE(queue.add(id, "stranger", begin));
  EXPECT_FALSE(queue.add(4, "operator", begin));
  EXPECT_FALSE(queue.add(5, "other", begin));
  EXPECT_EQ(all_of(queue), (std::vector<std::uint64_t>{5, 4, 1, 2, 3}));
  EXPECT_FALSE(queue.add(6, "stranger", begin + 9min));  // tries are remembered after they were judged
  EXPECT_FALSE(queue.add(7, "operator", begin + 9min));
  EXPECT_EQ(all_of(queue), (std::vector<std::uint64_t>{7, 6}));
  EXPECT_FALSE(queue.add(8, "operator", begin + 9min));
  EXPECT_FALSE(queue.add(9, "stranger", begin + 20min));  // forgotten
  EXPECT_EQ(all_of(queue), (std::vector<std::uint64_t>{9, 8}));
}

TEST(LoginQueue, HoldsUpNobodyWhoComesAfterAFloodOfNewNetworks) {
  LoginQueue queue;
  std::size_t gone = 0;
  for (std::uint64_t id = 0; id < 5000; ++id) gone += queue.add(id, std::to_string(id), begin) ? 1U : 0U;
  EXPECT_EQ(queue.waiting(), LoginQueue::most_waiting);
  EXPECT_EQ(gone, 5000 - LoginQueue::most_waiting);
  EXPECT_EQ(queue.add(9999, "operator", begin), 5000 - LoginQueue::most_waiting);  // the first to have come
  EXPECT_EQ(queue.take(), 9999U);
}

TEST(LoginQueue, LetsTheOneWithMostTriesGiveWay) {
  LoginQueue queue;
  for (std::uint64_t id = 0; id < LoginQueue::most_waiting; ++id) EXPECT_FALSE(queue.add(id, "stranger", begin));
  EXPECT_EQ(queue.add(100, "operator", begin), LoginQueue::most_waiting - 1);
  EXPECT_EQ(queue.add(101, "stranger", begin), 101U);
  queue.forgive("stranger");
  EXPECT_EQ(queue.add(102, "stranger", begin), LoginQueue::most_waiting - 2);
  EXPECT_EQ(queue.take(), 102U);
}

TEST(LoginQueue, JudgesWhatSeveralAskOnce) {
  LoginQueue queue;
  queue.add(1, "stranger", begin);
  queue.add(2, "stranger", begin);
  queue.add(3, "other", begin);
  EXPECT_FALSE(queue.add(2, "operator", begin));  // the same user and password
  EXPECT_EQ(all_of(queue), (std::vector<std::uint64_t>{2, 3, 1}));
}

TEST(LoginQueue, KnowsNetworksByWhatOneOwnerHas) {
  EXPECT_EQ(network_of("10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(network_of("::ffff:10.1.2.3"), "10.1.2.3");
  EXPECT_EQ(network_of("2001:db8:1:2:3:4:5:6"), "2001:db8:1:2::");
  EXPECT_EQ(network_of("2001:db8:1:2::9"), "2001:db8:1:2::");
  EXPECT_EQ(network_of(""), "");
}

}  // namespace
}  // namespace ocs::test
