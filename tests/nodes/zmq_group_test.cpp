// Members of a group are participants like others, whatever goes out together.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_group.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>

#include "host/transport/fields.hpp"
#include "host/transport/zmq_transport.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

/// Even nodes are at one endpoint, odd ones at another, the coordinator has its own.
std::string even_or_odd(std::uint16_t participant) {
  return "inproc://group-" + std::to_string(participant == coordinator_id ? 2 : participant % 2);
}

struct Groups {
  zmq::context_t context{0};
  ZmqGroup even{context, {0, 2, 4}, even_or_odd}, odd{context, {1, 3}, even_or_odd};
  ZmqTransport coordinator{context, coordinator_id, even_or_odd, nullptr, ZmqSockets::Sending::in_bundles};
};

Message ack(std::uint16_t to, std::int64_t at) { return make_message(to, Picos{at}, AckFields{}); }

TEST(ZmqGroup, CarriesWhatItsMembersSendToEachOtherAndToOthers) {
  Groups groups;
  std::shared_ptr<std::byte[]> data(new std::byte[1000]);
  Message chunk = make_message(2, Picos{5}, ChunkFields{{}, Words{1}, {Words{0}, Words{1}}});
  chunk.payload = {data, 1000};
  groups.even.sender(0).send(std::move(chunk));
  groups.even.sender(0).send(ack(3, 6));
  groups.even.sender(4).send(ack(3, 7));
  groups.even.sender(4).send(ack(coordinator_id, 8));
  EXPECT_FALSE(groups.even.receive(0ms)) << "what was sent goes out now";
  const auto own = groups.even.receive(1000ms);
  ASSERT_TRUE(own);
  EXPECT_EQ(own->header.from, 0);
  EXPECT_EQ(own->header.to, 2);
  EXPECT_EQ(own->payload.data.get(), data.get()) << "a view of the sender's payload";
  for (const std::uint16_t from : std::array<std::uint16_t, 2>{0, 4}) {
    const auto other = groups.odd.receive(1000ms);
    ASSERT_TRUE(other);
    EXPECT_EQ(other->header.from, from);
    EXPECT_EQ(other->header.to, 3);
    EXPECT_EQ(other->header.sequence, 1u) << "each member numbers its own";
  }
  const auto heard = groups.coordinator.receive(1000ms);
  ASSERT_TRUE(heard);
  EXPECT_EQ(heard->header.from, 4);
  groups.coordinator.send(ack(4, 9)), groups.coordinator.send(ack(1, 10));
  EXPECT_FALSE(groups.coordinator.receive(0ms));
  EXPECT_EQ(groups.even.receive(1000ms)->header.at_ps, 9);
  EXPECT_EQ(groups.odd.receive(1000ms)->header.at_ps, 10);
}

TEST(ZmqGroup, SendsWhenNothingMoreIsToBeReceivedOrMuchWaits) {
  Groups groups;
  groups.even.sender(0).send(ack(1, 1));
  EXPECT_FALSE(groups.odd.receive(10ms));
  groups.even.flush();
  EXPECT_EQ(groups.odd.receive(1000ms)->header.at_ps, 1);
  constexpr int together = 64;
  for (int n = 0; n < together; ++n) groups.even.sender(0).send(ack(1, 2 + n));
  for (int n = 0; n < together; ++n) {
    const auto got = groups.odd.receive(1000ms);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->header.at_ps, 2 + n);
  }
}

TEST(ZmqGroup, SendsAllForAnEndpointAsOneMessageOfZeroMq) {
  zmq::context_t context(0);
  ZmqGroup group(context, {0, 2}, even_or_odd);
  zmq::socket_t receiver(context, zmq::socket_type::dealer);
  receiver.bind(even_or_odd(1));
  for (const std::uint16_t from : std::array<std::uint16_t, 3>{0, 2, 0}) group.sender(from).send(ack(1, from));
  group.flush();
  std::size_t parts = 0;
  zmq::message_t part;
  do {
    ASSERT_TRUE(receiver.recv(part));
    ++parts;
  } while (part.more());
  EXPECT_EQ(parts, 9u);
  EXPECT_FALSE(receiver.recv(part, zmq::recv_flags::dontwait));
}

/// What the group of nodes 0, 2 and 4 says of raw parts that a plain socket sends to it.
std::string group_refusal_of(const std::vector<std::vector<std::byte>>& parts) {
  Groups groups;
  zmq::socket_t stranger(groups.context, zmq::socket_type::dealer);
  stranger.connect(even_or_odd(0));
  for (const auto& part : parts)
    stranger.send(zmq::buffer(part), &part == &parts.back() ? zmq::send_flags::none : zmq::send_flags::sndmore);
  try {
    while (groups.even.receive(10ms)) {
    }
  } catch (const Malformed& error) {
    return error.what();
  }
  return "";
}

TEST(ZmqGroup, RefusesWhatIsForNoMemberAndWhatIsIncomplete) {
  const auto parts_of = [](std::uint16_t to) {
    Message message = ack(to, 1);
    message.header.from = 7, message.header.sequence = 1;
    const auto header = encode(message.header);
    return std::vector<std::vector<std::byte>>{{header.begin(), header.end()}, second_part(header, message.fields), {}};
  };
  EXPECT_EQ(group_refusal_of(parts_of(4)), "");
  EXPECT_THAT(group_refusal_of(parts_of(3)), HasSubstr("a message to node 3 came to node 0"));
  EXPECT_THAT(group_refusal_of({{std::byte{1}}}), HasSubstr("a message has 1 parts; it should have 3"));
  auto more = parts_of(4);
  more.push_back(more.front());
  EXPECT_THAT(group_refusal_of(more), HasSubstr("a message has 1 parts; it should have 3")) << "behind a whole one";
}

TEST(ZmqGroup, WakesUpWhenTheContextIsShutDown) {
  Groups groups;
  groups.even.sender(0).send(ack(1, 1));
  groups.context.shutdown();
  EXPECT_THROW(groups.even.receive(-1ms), TransportClosed);
  EXPECT_THROW(groups.even.flush(), TransportClosed);
}

}  // namespace
}  // namespace ocs
