// Says which connections of a ZeroMQ socket were made and lost.
// SPDX-License-Identifier: Apache-2.0
#include "host/transport/connection_watch.hpp"

#include <cstdint>
#include <cstring>
#include <utility>

namespace ocs {

ConnectionWatch::ConnectionWatch(zmq::context_t& context, zmq::socket_t& watched)
    : watched_(watched.handle()), events_(context, zmq::socket_type::pair) {
  const std::string name = "inproc://connections-" + std::to_string(reinterpret_cast<std::uintptr_t>(watched.handle()));
  constexpr int events = ZMQ_EVENT_DISCONNECTED | ZMQ_EVENT_HANDSHAKE_SUCCEEDED;
  if (zmq_socket_monitor(watched.handle(), name.c_str(), events) != 0) throw zmq::error_t();
  events_.connect(name);
}

/// ZeroMQ loses the memory of an event of which it has passed on one part when the other end goes.
ConnectionWatch::~ConnectionWatch() {
  zmq_socket_monitor(watched_, nullptr, 0);
  try {
    for (zmq::message_t part; events_.recv(part, zmq::recv_flags::dontwait);) {
    }
  } catch (const zmq::error_t&) {  // the context was shut down
  }
}

std::optional<ConnectionWatch::Change> ConnectionWatch::next(std::chrono::milliseconds patience) {
  events_.set(zmq::sockopt::rcvtimeo, patience.count() < 0 ? -1 : static_cast<int>(patience.count()));
  zmq::message_t event, endpoint;
  if (!events_.recv(event) || !event.more() || !events_.recv(endpoint)) return std::nullopt;
  std::uint16_t number = 0;
  std::memcpy(&number, event.data(), sizeof number);
  std::string end = endpoint.to_string();
  if (number == ZMQ_EVENT_HANDSHAKE_SUCCEEDED) {
    made_.insert(end);
    return Change{Change::What::made, std::move(end)};
  }
  const bool was_made = made_.erase(end) > 0;
  return Change{was_made ? Change::What::lost : Change::What::refused, std::move(end)};
}

}  // namespace ocs
