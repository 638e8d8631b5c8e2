// Carries messages over ZeroMQ.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_transport.hpp"

#include <algorithm>
#include <utility>

#include "host/transport/bytes.hpp"
#include "host/transport/fields.hpp"
#include "host/transport/local_address.hpp"

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

/// Where a message came from: over tcp the host, over ipc the process ("localhost:user:group:process").
std::string place_of(zmq::message_t& part) {
  try {
    const std::string address = part.gets("Peer-Address");
    if (!address.starts_with("localhost:")) return " at " + address;
    return " in process " + address.substr(address.rfind(':') + 1);
  } catch (const zmq::error_t&) {  // a thread
    return "";
  }
}

constexpr std::size_t parts_kept = 4;  // one more than a message has
// Without a key: the first message of a node to the coordinator is small, that to another one may be payload, of which
// two chunks may be under way.
constexpr std::uint64_t bytes_before_hello = std::uint64_t{64} * 1024,
                        bytes_before_payload = 2 * max_payload_bytes + (std::uint64_t{1} << 20);
constexpr int dropped_at_once = 64;  // so many messages are dropped before a receiver that can't wait goes on

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
  static_cast<void>(owner.release());
  handed_over(data);
  return part;
}

Payload payload_of(zmq::message_t part) {
  if (part.empty()) return {};
  const std::size_t size = part.size();
  auto owner = std::make_shared<zmq::message_t>(std::move(part));
  auto* data = static_cast<std::byte*>(owner->data());
  taken_over(data);
  return {std::shared_ptr<const std::byte[]>(std::move(owner), data), size};
}

}  // namespace

/// One message, part by part as ZeroMQ has it: at most one part more than a message has; `count` is that of all.
class ZmqTransport::Arrived final : public RawMessage {
 public:
  explicit Arrived(ZmqTransport& at) : at_(at) {}
  std::uint64_t connection() override { return ConnectionGuard::connection_of(first[0]); }
  std::size_t parts() const override { return count; }
  std::span<const std::byte> part(std::size_t n) const override { return bytes_of(first[n]); }
  std::string place() override { return place_of(first[0]); }
  void admit() override { at_.guard_->admit(first[0]); }
  Payload payload(const WireHeader& header) override { return at_.received(header, std::move(first[2])); }

  std::vector<zmq::message_t> first;
  std::size_t count = 0;

 private:
  ZmqTransport& at_;
};

ZmqTransport::ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of, ConnectionGuard* guard)
    : context_(&context),
      self_(self),
      endpoint_of_(std::move(endpoint_of)),
      guard_(guard),
      protocol_(self, guard != nullptr, guard != nullptr && guard->asks_for_proof()),
      in_(context, zmq::socket_type::dealer),
      out_(context, zmq::socket_type::router) {
  for (zmq::socket_t* socket : {&in_, &out_}) {
    socket->set(zmq::sockopt::linger, 0);
    socket->set(zmq::sockopt::sndhwm, 0);
    socket->set(zmq::sockopt::rcvhwm, 0);
  }
  out_.set(zmq::sockopt::router_mandatory, true);
  keep_alive(in_), keep_alive(out_);
  if (guard_) {
    guard_->guard_bound(in_, self == coordinator_id ? bytes_before_hello : bytes_before_payload);
    guard_->guard_connecting(out_);
  }
  const std::string endpoint = endpoint_of_(self);
  guarded(self, ("bind " + endpoint).c_str(), [&] { in_.bind(endpoint); });
}

std::string ZmqTransport::endpoint() const { return in_.get(zmq::sockopt::last_endpoint); }

void ZmqTransport::share(SharedMemory& memory, const std::bitset<max_ports>& with) {
  memory_ = &memory;
  shares_ = with;
}

void ZmqTransport::send(Message message) {
  protocol_.number(message);
  const std::uint16_t to = message.header.to;
  std::string& identity = identities_[to == coordinator_id ? max_ports : to];
  if (identity.empty()) {
    identity = std::to_string(to);
    guarded(self_, "connect", [&] {
      out_.set(zmq::sockopt::connect_routing_id, identity);
      out_.connect(endpoint_of_(to));
    });
  }
  zmq::message_t payload = third_part(message);
  const auto header = encode(message.header);
  const auto second = second_part(header, message.fields);
  guarded(self_, ("send to " + participant_name(to)).c_str(), [&] {
    out_.send(zmq::buffer(identity), zmq::send_flags::sndmore);
    out_.send(zmq::buffer(header), zmq::send_flags::sndmore);
    out_.send(zmq::buffer(second), zmq::send_flags::sndmore);
    out_.send(payload, zmq::send_flags::none);
  });
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
  guarded(self_, ("answer " + endpoint).c_str(), [&] {
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
    if (!wait_for(arrived, left)) return std::nullopt;
    if (auto message = protocol_.accept(arrived)) return message;
    if (patience.count() < 0) continue;
    left =
        std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), std::chrono::milliseconds{0});
    if (left.count() == 0 && dropped >= dropped_at_once) return std::nullopt;
  }
}

bool ZmqTransport::wait_for(Arrived& arrived, std::chrono::milliseconds patience) {
  const bool at_once = patience.count() == 0;
  return guarded(self_, "receive", [&] {
    zmq::message_t part;
    if (!at_once) in_.set(zmq::sockopt::rcvtimeo, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
    if (!in_.recv(part, at_once ? zmq::recv_flags::dontwait : zmq::recv_flags::none)) return false;
    arrived.first.reserve(parts_kept);
    for (bool more = true; more; ++arrived.count) {
      more = part.more();
      if (arrived.first.size() < parts_kept) arrived.first.push_back(std::move(part));
      zmq::message_t next;
      if (more) static_cast<void>(in_.recv(next));  // a message arrives whole
      part = std::move(next);
    }
    return true;
  });
}

}  // namespace ocs
