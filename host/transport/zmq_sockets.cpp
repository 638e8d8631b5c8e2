// Two ZeroMQ sockets.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/zmq_sockets.hpp"

#include <memory>
#include <utility>

#include "host/transport/local_address.hpp"
#include "host/transport/wire.hpp"

#if defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace ocs {
namespace {

/// The thread sanitizer doesn't see how ZeroMQ's queues order what two threads do with a part: these two say it.
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

constexpr std::size_t message_parts = 3, parts_kept = message_parts + 1;
zmq::message_t copy_of(std::span<const std::byte> bytes) {
  zmq::message_t part(bytes.data(), bytes.size());
  handed_over(part.data());
  return part;
}

constexpr auto receiving = [] { return "receive"; };
constexpr std::size_t most_waiting = 64;  // messages

}  // namespace

std::span<const std::byte> bytes_of(const zmq::message_t& part) {
  return {static_cast<const std::byte*>(part.data()), part.size()};
}

/// Over ipc ZeroMQ says "localhost:user:group:process".
std::string place_of(zmq::message_t& part) {
  try {
    const std::string address = part.gets("Peer-Address");
    if (!address.starts_with("localhost:")) return " at " + address;
    return " in process " + address.substr(address.rfind(':') + 1);
  } catch (const zmq::error_t&) {  // a thread
    return "";
  }
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

ZmqSockets::ZmqSockets(zmq::context_t& context, std::string owner, EndpointOf endpoint_of, Sending sending)
    : owner_(std::move(owner)),
      endpoint_of_(std::move(endpoint_of)),
      bundles_(sending == Sending::in_bundles),
      in_(context, zmq::socket_type::dealer),
      out_(context, zmq::socket_type::router) {
  for (zmq::socket_t* socket : {&in_, &out_}) {
    socket->set(zmq::sockopt::linger, 0);
    socket->set(zmq::sockopt::sndhwm, 0);
    socket->set(zmq::sockopt::rcvhwm, 0);
  }
  out_.set(zmq::sockopt::router_mandatory, true);
  keep_alive(in_), keep_alive(out_);
}

void ZmqSockets::bind(std::uint16_t participant) {
  const std::string endpoint = endpoint_of_(participant);
  call_zmq(
      owner_, [&] { return "bind " + endpoint; }, [&] { in_.bind(endpoint); });
}

const std::string& ZmqSockets::connection_to(std::uint16_t participant) {
  const std::string*& connection = connections_.at(participant == coordinator_id ? max_ports : participant);
  if (connection != nullptr) return *connection;
  const std::string endpoint = endpoint_of_(participant);
  const auto [found, fresh] = identities_.try_emplace(endpoint, std::to_string(participant));
  if (fresh) connect(endpoint, found->second);
  connection = &found->second;
  return *connection;
}

void ZmqSockets::connect(const std::string& endpoint, const std::string& identity) {
  call_zmq(
      owner_, [] { return "connect"; },
      [&] {
        out_.set(zmq::sockopt::connect_routing_id, identity);
        out_.connect(endpoint);
      });
}

void ZmqSockets::send(const Message& message, zmq::message_t payload) {
  const std::uint16_t to = message.header.to;
  const std::string& connection = connection_to(to);
  const auto header = encode(message.header);
  const auto second = second_part(header, message.fields);
  if (bundles_) {
    auto& parts = outgoing_[connection];
    parts.push_back(copy_of(header));
    parts.push_back(copy_of(second));
    parts.push_back(std::move(payload));
    if (++waiting_ >= most_waiting) flush();
    return;
  }
  const auto doing = [to] { return "send to " + participant_name(to); };
  send_part(doing, copy_of(std::as_bytes(std::span(connection))), true);
  send_part(doing, copy_of(header), true);
  send_part(doing, copy_of(second), true);
  send_part(doing, std::move(payload), false);
}

/// A call that was interrupted is made again: so each is for one part.
template <class Doing>
void ZmqSockets::send_part(const Doing& doing, zmq::message_t part, bool more) {
  call_zmq(owner_, doing, [&] { out_.send(part, more ? zmq::send_flags::sndmore : zmq::send_flags::none); });
}

zmq::message_t ZmqSockets::receive_part() {
  zmq::message_t part;
  call_zmq(owner_, receiving, [&] { static_cast<void>(in_.recv(part)); });
  taken_over(part.data());
  return part;
}

void ZmqSockets::flush() {
  if (waiting_ == 0) return;
  waiting_ = 0;
  for (auto& [connection, parts] : outgoing_) {
    if (parts.empty()) continue;
    const auto doing = [] { return "send"; };
    send_part(doing, copy_of(std::as_bytes(std::span(connection))), true);
    for (zmq::message_t& part : parts) {
      const bool more = &part != &parts.back();
      send_part(doing, std::move(part), more);
    }
    parts.clear();
  }
}

bool ZmqSockets::receive(ZmqParts& append, std::chrono::milliseconds patience) {
  if (!bundles_) return receive_message(append, patience);
  if (incoming_.empty()) {
    constexpr std::chrono::milliseconds at_once{0};
    if (!receive_message(append, at_once)) {
      flush();
      if (patience == at_once || !receive_message(append, patience)) return false;
    }
  }
  append = std::move(incoming_.front());
  incoming_.pop_front();
  return true;
}

/// In bundles it goes to incoming_, and nothing is appended.
bool ZmqSockets::receive_message(ZmqParts& append, std::chrono::milliseconds patience) {
  const bool at_once = patience.count() == 0;
  zmq::message_t part;
  const bool came = call_zmq(owner_, receiving, [&] {
    if (!at_once) in_.set(zmq::sockopt::rcvtimeo, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
    return in_.recv(part, at_once ? zmq::recv_flags::dontwait : zmq::recv_flags::none).has_value();
  });
  if (came) taken_over(part.data());
  if (came) bundles_ ? read_bundle(std::move(part)) : read_message(append, std::move(part));
  return came;
}

/// A message, or a bundle, arrives whole.
void ZmqSockets::read_message(ZmqParts& append, zmq::message_t part) {
  append.first.reserve(parts_kept);
  for (;;) {
    ++append.count;
    const bool more = part.more();
    if (append.first.size() < parts_kept) append.first.push_back(std::move(part));
    if (!more) return;
    part = receive_part();
  }
}

void ZmqSockets::read_bundle(zmq::message_t part) {
  std::size_t place = 0;  // of a part in its message
  for (;; place = (place + 1) % message_parts) {
    if (place == 0) incoming_.emplace_back().first.reserve(message_parts);
    const bool more = part.more();
    incoming_.back().first.push_back(std::move(part));
    ++incoming_.back().count;
    if (!more) return;
    part = receive_part();
  }
}

}  // namespace ocs
