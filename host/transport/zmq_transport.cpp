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

/// Who a message says that it is from, and where it really came from.
std::string origin_of(zmq::message_t& header) {
  const auto bytes = bytes_of(header);
  std::uint32_t magic = 0;
  std::uint16_t from = 0;
  if (bytes.size() == wire_header_bytes) {  // the same place in every version
    ByteReader reader(bytes, "header");
    WireHeader ignored;
    reader(magic, ignored.version, ignored.kind, ignored.job, from);
  }
  return (magic == WireHeader{}.magic ? participant_name(from) : "a stranger") + place_of(header);
}

/// Header and fields of a message.
Message control_of(std::vector<zmq::message_t>& parts) {
  try {
    const auto header = bytes_of(parts[0]), second = bytes_of(parts[1]);
    Message message;
    message.header = decode_header(header, second.size() - std::min(second.size(), control_crc_bytes), parts[2].size());
    const auto fields = fields_of(header, second);
    message.fields.assign(fields.begin(), fields.end());
    return message;
  } catch (const Malformed& refusal) {
    throw Malformed(origin_of(parts[0]) + " sent what can't be read: " + refusal.what());
  }
}

constexpr std::size_t parts_of_a_message = 3;
// Without a key: the first message of a node to the coordinator is small, that to another one may be payload, of which
// two chunks may be under way.
constexpr std::uint64_t bytes_before_hello = std::uint64_t{64} * 1024,
                        bytes_before_payload = 2 * max_payload_bytes + (std::uint64_t{1} << 20);
constexpr int dropped_at_once = 64;  // so many messages are dropped before a receiver that can't wait goes on
constexpr std::size_t most_strangers = 10'000;  // that are remembered

/// Whose `hello` may be waited for in any job; a `begin` makes the next one.
bool of_any_job(const Message& message) {
  return kind_of(message) == MessageKind::begin || kind_of(message) == MessageKind::hello;
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

ZmqTransport::ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of, ConnectionGuard* guard)
    : context_(&context),
      self_(self),
      endpoint_of_(std::move(endpoint_of)),
      guard_(guard),
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
  message.header.job = job_;
  message.header.payload_bytes = message.payload.size;
  zmq::message_t payload = third_part(message);
  const auto header = encode(message.header);
  const auto second = second_part(header, message.fields);
  guarded(self_, ("send to " + participant_name(to)).c_str(), [&] {
    out_.send(zmq::buffer(receiver.identity), zmq::send_flags::sndmore);
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
  message.header.job = job_;
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
    Parts parts;
    if (!wait_for(parts, left)) return std::nullopt;
    if (auto message = accept(parts)) return message;
    if (patience.count() < 0) continue;
    left =
        std::max(std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now()), std::chrono::milliseconds{0});
    if (left.count() == 0 && dropped >= dropped_at_once) return std::nullopt;
  }
}

bool ZmqTransport::wait_for(Parts& parts, std::chrono::milliseconds patience) {
  const bool at_once = patience.count() == 0;
  return guarded(self_, "receive", [&] {
    zmq::message_t part;
    if (!at_once) in_.set(zmq::sockopt::rcvtimeo, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
    if (!in_.recv(part, at_once ? zmq::recv_flags::dontwait : zmq::recv_flags::none)) return false;
    parts.first.reserve(parts_of_a_message + 1);
    for (bool more = true; more; ++parts.count) {
      more = part.more();
      if (parts.first.size() <= parts_of_a_message) parts.first.push_back(std::move(part));
      zmq::message_t next;
      if (more) static_cast<void>(in_.recv(next));  // a message arrives whole
      part = std::move(next);
    }
    return true;
  });
}

/// Nothing: it is of a job that has ended, or a stranger's.
std::optional<Message> ZmqTransport::accept(Parts& parts) {
  const std::uint64_t connection = guard_ ? ConnectionGuard::connection_of(parts.first[0]) : 0;
  if (guard_ && strangers_.contains(connection)) {
    ++dropped_;
    return std::nullopt;
  }
  try {
    Message message = read(parts);
    place(message, connection, parts.first[0]);
    if (message.header.job != job_ && !of_any_job(message)) return std::nullopt;
    message.payload = received(message.header, std::move(parts.first[2]));
    return message;
  } catch (const Malformed& refusal) {
    if (!guard_ || is_participants(connection)) throw;
    drop(connection, refusal.what());
    return std::nullopt;
  }
}

bool ZmqTransport::is_participants(std::uint64_t connection) const {
  return std::any_of(peers_.begin(), peers_.end(), [&](const Peer& p) { return p.connection == connection; });
}

void ZmqTransport::drop(std::uint64_t connection, const std::string& reason) {
  ++dropped_;
  last_dropped_ = reason;
  if (strangers_.size() >= most_strangers) strangers_.clear();  // the next message of each is refused again
  strangers_.insert(connection);
}

std::string ZmqTransport::dropped() const {
  if (dropped_ == 0) return "";
  return std::to_string(dropped_) + (dropped_ == 1 ? " message" : " messages") +
         " of strangers, the last reason: " + last_dropped_;
}

Message ZmqTransport::read(Parts& parts) {
  if (parts.count != parts_of_a_message)
    throw Malformed(origin_of(parts.first[0]) + " sent what can't be read: a message has " +
                    std::to_string(parts.count) + " parts; it should have 3");
  Message message = control_of(parts.first);
  if (message.header.to != self_)
    throw Malformed("a message to " + participant_name(message.header.to) + " came to " + participant_name(self_));
  return message;
}

/// Is it its sender's turn, and does it come by its sender's connection?
void ZmqTransport::place(const Message& message, std::uint64_t connection, zmq::message_t& origin) {
  const WireHeader& header = message.header;
  Peer& sender = peer(header.from);
  const std::string who = participant_name(header.from);
  const bool next = header.sequence == sender.seen + 1;
  // With a key, ZeroMQ may have connected anew: the peer goes on where it was.
  const bool known = sender.connection == connection || (guard_->asks_for_proof() && next && sender.seen > 0);
  if (!next && (known || sender.connection == 0 || !guard_))
    throw Malformed("message " + std::to_string(header.sequence) + " of " + who + " came to " +
                    participant_name(self_) + " when number " + std::to_string(sender.seen + 1) + " was due");
  if (!known) {
    if (is_participants(connection)) throw Malformed(who + " spoke by the connection of another participant");
    const bool taken = sender.connection != 0;
    std::string reason = admission_ ? admission_(message, taken) : "";
    if (reason.empty() && taken) reason = "is there another " + who + place_of(origin) + "?";
    if (!reason.empty()) throw Malformed(reason);
    if (guard_) guard_->admit(origin);
  }
  if (header.job > job_ && !of_any_job(message))
    throw Malformed(who + " spoke of job " + std::to_string(header.job) + "; it is job " + std::to_string(job_));
  sender.connection = connection;
  sender.seen = header.sequence;
}

}  // namespace ocs
