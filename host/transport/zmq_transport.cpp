// Carries messages over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_transport.hpp"

#include <algorithm>
#include <utility>

#include "host/transport/bytes.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/local_address.hpp"

namespace ocs {
namespace {

// Without a key: the first message of a node to the coordinator is small, that to another one may be payload, of which
// two chunks may be under way.
constexpr std::uint64_t bytes_before_hello = std::uint64_t{64} * 1024,
                        bytes_before_payload = 2 * max_payload_bytes + (std::uint64_t{1} << 20);
constexpr int dropped_at_once = 64;  // so many messages are dropped before a receiver that can't wait goes on

}  // namespace

/// One message, before its protocol has read it.
class ZmqTransport::Arrived final : public RawMessage {
 public:
  explicit Arrived(ZmqTransport& at) : at_(at) {}
  std::uint64_t connection() override { return ConnectionGuard::connection_of(raw.first[0]); }
  std::size_t parts() const override { return raw.count; }
  std::span<const std::byte> part(std::size_t n) const override { return bytes_of(raw.first[n]); }
  std::string place() override { return place_of(raw.first[0]); }
  void admit() override { at_.guard_->admit(raw.first[0]); }
  Payload payload(const WireHeader& header) override { return at_.received(header, std::move(raw.first[2])); }

  ZmqParts raw;

 private:
  ZmqTransport& at_;
};

ZmqTransport::ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of, ConnectionGuard* guard,
                           ZmqSockets::Sending sending)
    : context_(&context),
      self_(self),
      guard_(guard),
      protocol_(self, guard != nullptr, guard != nullptr && guard->asks_for_proof()),
      sockets_(context, participant_name(self), std::move(endpoint_of), sending) {
  if (guard_) {
    guard_->guard_bound(sockets_.bound(), self == coordinator_id ? bytes_before_hello : bytes_before_payload);
    guard_->guard_connecting(sockets_.connecting());
  }
  sockets_.bind(self);
}

void ZmqTransport::share(SharedMemory& memory, const std::bitset<max_ports>& with) {
  memory_ = &memory;
  shares_ = with;
}

void ZmqTransport::send(Message message) {
  protocol_.number(message);
  zmq::message_t payload = third_part(message);
  sockets_.send(message, std::move(payload));
}

zmq::message_t ZmqTransport::third_part(Message& message) {
  const std::uint16_t to = message.header.to;
  if (message.payload.size > 0 && memory_ && to < max_ports && shares_[to]) {
    if (const auto reference = memory_->lend(message.payload)) {
      message.header.flags |= flag_shared_payload;
      const auto bytes = encode(*reference);
      return zmq::message_t(bytes.data(), bytes.size());
    }
  }
  return view_of(std::move(message.payload));
}

Payload ZmqTransport::received(const WireHeader& header, zmq::message_t part) {
  if ((header.flags & flag_shared_payload) == 0) return payload_of(std::move(part));
  if (!memory_ || header.from >= max_ports || !shares_[header.from])
    throw Malformed(participant_name(header.from) + " refers to memory that it doesn't share with " +
                    participant_name(self_));
  return memory_->open(Node{header.from}, decode_reference(bytes_of(part)), header.payload_bytes);
}

void ZmqTransport::send_once(const std::string& endpoint, Message message, std::chrono::milliseconds patience) {
  message.header.from = self_;
  message.header.sequence = 1;
  message.header.job = protocol_.job();
  call_zmq(
      participant_name(self_), [&] { return "answer " + endpoint; },
      [&] {
        zmq::socket_t once(*context_, zmq::socket_type::dealer);
        if (guard_) guard_->guard_connecting(once);
        once.set(zmq::sockopt::linger, static_cast<int>(patience.count()));
        once.connect(endpoint);
        const auto header = encode(message.header);
        // After a refusal ZeroMQ gives an endpoint up, and a send that may wait would then wait for ever.
        constexpr auto more = zmq::send_flags::sndmore | zmq::send_flags::dontwait;
        if (!once.send(zmq::buffer(header), more)) return;
        static_cast<void>(once.send(zmq::buffer(second_part(header, message.fields)), more));
        static_cast<void>(once.send(zmq::message_t(), zmq::send_flags::dontwait));
      });
}

std::optional<Message> ZmqTransport::receive(std::chrono::milliseconds patience) {
  using Clock = std::chrono::steady_clock;
  const auto deadline = Clock::now() + patience;
  auto left = patience;
  for (int dropped = 1;; ++dropped) {
    Arrived arrived(*this);
    if (!sockets_.receive(arrived.raw, left)) return std::nullopt;
    if (auto message = protocol_.accept(arrived)) return message;
    if (patience.count() < 0) continue;
    left =
        std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), std::chrono::milliseconds{0});
    if (left.count() == 0 && dropped >= dropped_at_once) return std::nullopt;
  }
}

}  // namespace ocs
