// Messages arrive as they were sent, views and all; strangers' bytes are refused.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_transport.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <thread>

#include "host/transport/fields.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using testing::HasSubstr;

ZmqTransport::EndpointOf at(std::string prefix) {
  return [prefix = std::move(prefix)](std::uint16_t p) { return prefix + std::to_string(p); };
}

Message with_payload(std::uint16_t to, std::shared_ptr<const std::byte[]> data, std::size_t size) {
  Message message = make_message(to, Picos{5}, ChunkFields{{}, Words{1}, {Words{0}, Words{1}}});
  message.payload = {std::move(data), size};
  return message;
}

TEST(ZmqTransport, HandsOverThePayloadWithoutCopyingIt) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t")), b(context, coordinator_id, at("inproc://t"));
  std::shared_ptr<std::byte[]> data(new std::byte[100000]);
  std::weak_ptr<std::byte[]> watch = data;
  const std::byte* address = data.get();
  data[99999] = std::byte{42};
  a.send(with_payload(coordinator_id, std::move(data), 100000));
  auto got = b.receive(1000ms);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->payload.data.get(), address);
  EXPECT_EQ(got->payload.size, 100000u);
  EXPECT_EQ(got->header.from, 0);
  EXPECT_EQ(got->header.at_ps, 5);
  EXPECT_FALSE(watch.expired()) << "a view keeps its owner alive";
  got.reset();
  EXPECT_TRUE(watch.expired()) << "the last view lets go of it";
}

TEST(ZmqTransport, NumbersMessagesAndSaysWhatItHasSeen) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t")), b(context, 1, at("inproc://t"));
  for (int i = 0; i < 3; ++i) a.send(make_message(1, Picos{i}, AckFields{}));
  for (std::uint64_t i = 1; i <= 3; ++i) EXPECT_EQ(b.receive(1000ms)->header.sequence, i);
  b.send(make_message(0, Picos{0}, AckFields{}));
  EXPECT_EQ(a.receive(1000ms)->header.acknowledged, 3u);
}

TEST(ZmqTransport, DropsWhatIsLeftOverFromAnEarlierJob) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t")), b(context, 1, at("inproc://t"));
  a.send(make_message(1, Picos{1}, AckFields{}));
  a.send(make_message(1, Picos{2}, HelloFields{"ipc:///x", 1}));
  b.set_job(1);
  EXPECT_EQ(kind_of(*b.receive(1000ms)), MessageKind::hello) << "before it knows of any job";
  a.set_job(2);
  a.send(make_message(1, Picos{3}, BeginFields{}));
  a.send(make_message(1, Picos{4}, AckFields{}));
  EXPECT_EQ(kind_of(*b.receive(1000ms)), MessageKind::begin) << "the next job";
  try {
    b.receive(1000ms);
    FAIL();
  } catch (const Malformed& error) {
    EXPECT_THAT(error.what(), HasSubstr("node 0 spoke of job 2; it is job 1"));
  }
}

TEST(ZmqTransport, DropsAnyNumberOfMessagesOfAnEarlierJob) {
  constexpr int many = 200'000;  // a stack has no room for so many
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t")), b(context, 1, at("inproc://t"));
  for (int n = 0; n < many; ++n) a.send(make_message(1, Picos{n}, AckFields{}));
  a.set_job(1);
  a.send(make_message(1, Picos{many}, AckFields{}));
  b.set_job(1);
  const auto got = b.receive(60'000ms);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->header.at_ps, many);
}

TEST(ZmqTransport, DoesNotWaitLongerForWhatIsDropped) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t")), b(context, 1, at("inproc://t"));
  b.set_job(1);
  for (int n = 0; n < 1000; ++n) a.send(make_message(1, Picos{n}, AckFields{}));
  EXPECT_FALSE(b.receive(0ms));
  EXPECT_FALSE(b.receive(20ms));
}

TEST(ZmqTransport, CanSendToItself) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t"));
  a.send(make_message(0, Picos{9}, AckFields{}));
  EXPECT_EQ(a.receive(1000ms)->header.at_ps, 9);
}

TEST(ZmqTransport, ReturnsNothingWhenNothingComes) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t"));
  EXPECT_FALSE(a.receive(0ms));
  EXPECT_FALSE(a.receive(10ms));
}

TEST(ZmqTransport, ServesProcessesToo) {
  const auto folder = std::filesystem::temp_directory_path() / ("lightloop-test-" + std::to_string(::getpid()));
  std::filesystem::create_directories(folder);
  {
    zmq::context_t context(1);
    const auto endpoints = at("ipc://" + (folder / "p").string());
    ZmqTransport a(context, 0, endpoints), b(context, 1, endpoints);
    std::shared_ptr<std::byte[]> data(new std::byte[300000]);
    data[299999] = std::byte{7};
    a.send(with_payload(1, data, 300000));
    const auto got = b.receive(5000ms);
    ASSERT_TRUE(got);
    EXPECT_EQ(got->payload.size, 300000u);
    EXPECT_EQ(got->payload.data[299999], std::byte{7});
  }
  std::filesystem::remove_all(folder);
}

TEST(ZmqTransport, WakesUpWhoWaitsWhenTheContextIsShutDown) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t"));
  std::thread waits([&] { EXPECT_THROW(a.receive(-1ms), TransportClosed); });
  context.shutdown();
  waits.join();
  EXPECT_THROW(a.send(make_message(1, Picos{0}, AckFields{})), TransportClosed);
}

TEST(ZmqTransport, RefusesAnEndpointThatIsTaken) {
  zmq::context_t context(0);
  ZmqTransport a(context, 0, at("inproc://t"));
  try {
    ZmqTransport again(context, 0, at("inproc://t"));
    FAIL();
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), HasSubstr("node 0 failed to bind inproc://t0"));
  }
}

/// Sends raw parts to node 1 as if it were somebody.
std::string refusal_of(const std::vector<std::vector<std::byte>>& parts) {
  zmq::context_t context(0);
  ZmqTransport receiver(context, 1, at("inproc://t"));
  zmq::socket_t stranger(context, zmq::socket_type::dealer);
  stranger.connect("inproc://t1");
  for (std::size_t i = 0; i < parts.size(); ++i)
    stranger.send(zmq::buffer(parts[i]), i + 1 < parts.size() ? zmq::send_flags::sndmore : zmq::send_flags::none);
  try {
    receiver.receive(1000ms);
  } catch (const Malformed& error) {
    return error.what();
  }
  return "";
}

std::vector<std::byte> header(std::uint16_t to, std::uint64_t sequence) {
  WireHeader h;
  h.kind = static_cast<std::uint16_t>(MessageKind::ack);
  h.to = to;
  h.sequence = sequence;
  const auto bytes = encode(h);
  return {bytes.begin(), bytes.end()};
}

TEST(ZmqTransport, RefusesWhatIsNoMessageOfOurs) {
  const std::vector<std::byte> none;
  const auto sum = [&](const std::vector<std::byte>& first) { return second_part(first, none); };
  EXPECT_EQ(refusal_of({header(1, 1), sum(header(1, 1)), {}}), "");
  EXPECT_THAT(refusal_of({header(1, 1), sum(header(1, 2)), {}}), HasSubstr("it was damaged on the way"));
  EXPECT_THAT(refusal_of({header(1, 1), {}, {}}), HasSubstr("checksum is missing"));
  EXPECT_THAT(refusal_of({header(1, 1), {}}), HasSubstr("has 2 parts; it should have 3"));
  EXPECT_THAT(refusal_of({header(1, 1), {}, {}, {}}), HasSubstr("has 4 parts"));
  EXPECT_THAT(refusal_of({{std::byte{1}}, {}, {}}), HasSubstr("header length is 1"));
  EXPECT_THAT(refusal_of({header(2, 1), sum(header(2, 1)), {}}), HasSubstr("to node 2 came to node 1"));
  EXPECT_THAT(refusal_of({header(1, 2), sum(header(1, 2)), {}}), HasSubstr("when number 1 was due"));
  EXPECT_THAT(refusal_of({header(1, 1), {}, {std::byte{1}}}), HasSubstr("payload length"));
}

/// With a guard, over tcp: node 0 is a participant and `stranger` isn't.
class GuardedTransport : public testing::Test {
 protected:
  std::string bound_at(ZmqTransport& transport) { return endpoint_ = transport.endpoint(); }
  void say(zmq::socket_t& socket, const std::vector<std::byte>& first) {
    if (socket.get(zmq::sockopt::last_endpoint).empty()) socket.connect(endpoint_);
    socket.send(zmq::buffer(first), zmq::send_flags::sndmore);
    socket.send(zmq::buffer(second_part(first, {})), zmq::send_flags::sndmore);
    socket.send(zmq::const_buffer(), zmq::send_flags::none);
  }

  std::string endpoint_;
  zmq::context_t context_{1};
  ConnectionGuard guard_{context_, std::nullopt};
  ZmqTransport receiver_{context_, 1, [](std::uint16_t) { return "tcp://127.0.0.1:*"; }, &guard_};
  zmq::socket_t node_{context_, zmq::socket_type::dealer}, stranger_{context_, zmq::socket_type::dealer};
};

TEST_F(GuardedTransport, DropsWhatStrangersSay) {
  bound_at(receiver_);
  say(stranger_, {std::byte{1}});
  say(stranger_, header(1, 1));
  EXPECT_FALSE(receiver_.receive(500ms)) << "nothing from a connection whose first message was refused";
  EXPECT_THAT(receiver_.dropped(), HasSubstr("2 messages of strangers, the last reason: a stranger at 127.0.0.1 sent"));
  say(node_, header(1, 1));
  EXPECT_TRUE(receiver_.receive(5000ms));
  say(node_, header(2, 2));
  EXPECT_THROW(receiver_.receive(5000ms), Malformed) << "a participant's own connection brings what is right";
}

TEST_F(GuardedTransport, TakesAParticipantFromOneConnectionAlone) {
  bound_at(receiver_);
  say(node_, header(1, 1));
  EXPECT_TRUE(receiver_.receive(5000ms));
  say(stranger_, header(1, 2));
  EXPECT_FALSE(receiver_.receive(500ms));
  EXPECT_THAT(receiver_.dropped(), HasSubstr("is there another node 0 at 127.0.0.1?"));
  say(node_, header(1, 2));
  EXPECT_TRUE(receiver_.receive(5000ms));
}

TEST_F(GuardedTransport, AsksWhoseANewConnectionIs) {
  bound_at(receiver_);
  receiver_.admit_by([](const Message&, bool) { return "nobody is awaited"; });
  say(node_, header(1, 1));
  EXPECT_FALSE(receiver_.receive(500ms));
  EXPECT_THAT(receiver_.dropped(), HasSubstr("1 message of strangers, the last reason: nobody is awaited"));
}

}  // namespace
}  // namespace ocs
