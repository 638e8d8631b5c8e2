// Carries messages over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_transport.hpp"

#include <utility>

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ocs {
namespace {

/// The thread sanitizer doesn't see how ZeroMQ's queues order what two threads do with a payload: these two say it.
void handed_over([[maybe_unused]] void* data) {
#if defined(__SANITIZE_THREAD__)
  __tsan_release(data);
#endif
}
void taken_over([[maybe_unused]] void* data) {
#if defined(__SANITIZE_THREAD__)
  __tsan_acquire(data);
#endif
}

/// Calls into ZeroMQ; a context that was shut down becomes TransportClosed, anything else an Error that says where.
template <class F>
auto guarded(std::uint16_t self, const char* doing, F&& call) {
  for (;;) {
    try {
      return call();
    } catch (const zmq::error_t& error) {
      if (error.num() == ETERM) throw TransportClosed();
      if (error.num() == EINTR) continue;
      throw Error(ErrorKind::run, participant_name(self) + " failed to " + doing + ": " + error.what());
    }
  }
}

std::span<const std::byte> bytes_of(const zmq::message_t& part) {
  return {static_cast<const std::byte*>(part.data()), part.size()};
}

zmq::message_t view_of(Payload payload) {
  if (payload.size == 0) return zmq::message_t();
  using Owner = std::shared_ptr<const std::byte[]>;
  auto owner = std::make_unique<Owner>(std::move(payload.data));
  auto* data = const_cast<std::byte*>(owner->get());  // ZeroMQ's type; nobody writes to a sent message
  zmq::message_t part(
      data, payload.size,
      [](void* sent, void* hint) {
        taken_over(sent);
        delete static_cast<Owner*>(hint);
      },
      owner.get());
  owner.release();
  handed_over(data);
  return part;
}

Payload payload_of(zmq::message_t part) {
  if (part.size() == 0) return {};
  const std::size_t size = part.size();
  auto owner = std::make_shared<zmq::message_t>(std::move(part));
  auto* data = static_cast<std::byte*>(owner->data());
  taken_over(data);
  return {std::shared_ptr<const std::byte[]>(std::move(owner), data), size};
}

}  // namespace

ZmqTransport::ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of)
    : self_(self),
      endpoint_of_(std::move(endpoint_of)),
      in_(context, zmq::socket_type::dealer),
      out_(context, zmq::socket_type::router) {
  for (zmq::socket_t* socket : {&in_, &out_}) {
    socket->set(zmq::sockopt::linger, 0);
    socket->set(zmq::sockopt::sndhwm, 0);
    socket->set(zmq::sockopt::rcvhwm, 0);
  }
  out_.set(zmq::sockopt::router_mandatory, true);
  const std::string endpoint = endpoint_of_(self);
  guarded(self, ("bind " + endpoint).c_str(), [&] { in_.bind(endpoint); });
}

ZmqTransport::Peer& ZmqTransport::peer(std::uint16_t participant) {
  if (participant != coordinator_id && participant >= max_ports)
    throw Error(ErrorKind::internal, "participant " + std::to_string(participant) + " doesn't exist");
  return peers_[participant == coordinator_id ? max_ports : participant];
}

void ZmqTransport::send(Message message) {
  const std::uint16_t to = message.header.to;
  Peer& receiver = peer(to);
  if (receiver.identity.empty()) {
    receiver.identity = std::to_string(to);
    guarded(self_, "connect", [&] {
      out_.set(zmq::sockopt::connect_routing_id, receiver.identity);
      out_.connect(endpoint_of_(to));
    });
  }
  message.header.from = self_;
  message.header.sequence = ++receiver.sent;
  message.header.acknowledged = receiver.seen;
  message.header.payload_bytes = message.payload.size;
  const auto header = encode(message.header);
  zmq::message_t payload = view_of(std::move(message.payload));
  guarded(self_, ("send to " + participant_name(to)).c_str(), [&] {
    out_.send(zmq::buffer(receiver.identity), zmq::send_flags::sndmore);
    out_.send(zmq::buffer(header), zmq::send_flags::sndmore);
    out_.send(zmq::buffer(message.fields), zmq::send_flags::sndmore);
    out_.send(payload, zmq::send_flags::none);
  });
}

std::optional<Message> ZmqTransport::receive(std::chrono::milliseconds patience) {
  zmq::message_t part;
  const bool at_once = patience.count() == 0;
  const bool got = guarded(self_, "receive", [&] {
    if (!at_once) in_.set(zmq::sockopt::rcvtimeo, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
    return in_.recv(part, at_once ? zmq::recv_flags::dontwait : zmq::recv_flags::none).has_value();
  });
  if (!got) return std::nullopt;
  return take(part);
}

Message ZmqTransport::take(zmq::message_t& header_part) {
  std::vector<zmq::message_t> parts;
  parts.reserve(3);
  parts.push_back(std::move(header_part));
  guarded(self_, "receive", [&] {
    while (parts.back().more()) {
      zmq::message_t next;
      if (in_.recv(next, zmq::recv_flags::none)) parts.push_back(std::move(next));
    }
  });
  if (parts.size() != 3)
    throw Malformed("a message to " + participant_name(self_) + " has " + std::to_string(parts.size()) +
                    " parts; it should have 3");
  Message message;
  message.header = decode_header(bytes_of(parts[0]), parts[1].size(), parts[2].size());
  if (message.header.to != self_)
    throw Malformed("a message to " + participant_name(message.header.to) + " came to " + participant_name(self_));
  Peer& sender = peer(message.header.from);
  if (message.header.sequence != sender.seen + 1)
    throw Malformed("message " + std::to_string(message.header.sequence) + " of " +
                    participant_name(message.header.from) + " came to " + participant_name(self_) + " when number " +
                    std::to_string(sender.seen + 1) + " was due");
  sender.seen = message.header.sequence;
  const auto fields = bytes_of(parts[1]);
  message.fields.assign(fields.begin(), fields.end());
  message.payload = payload_of(std::move(parts[2]));
  return message;
}

}  // namespace ocs
