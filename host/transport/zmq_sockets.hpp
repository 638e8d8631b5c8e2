// Two ZeroMQ sockets by which one or several participants of a thread send and receive.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>
#include <zmq.hpp>

#include "host/core/error.hpp"
#include "host/core/message.hpp"

namespace ocs {

/// Thrown by send() and receive() once the context has been shut down.
class TransportClosed : public Error {
 public:
  TransportClosed() : Error(ErrorKind::run, "the transport has been shut down") {}
};

/// One message, part by part as ZeroMQ has it: at most one part more than a message has; `count` is that of all.
struct ZmqParts {
  std::vector<zmq::message_t> first;
  std::size_t count = 0;
};

std::span<const std::byte> bytes_of(const zmq::message_t& part);
/// Where a message came from: over tcp the host, over ipc the process; empty for a thread.
std::string place_of(zmq::message_t& part);
/// A part that refers to the payload, and lets go of it when its last reader has.
zmq::message_t view_of(Payload payload);
/// A payload that owns the part.
Payload payload_of(zmq::message_t part);

/// It takes two sockets whatever the number of peers (one PUSH a peer would meet the limit of open files at about 30
/// workers with 16 servers): a DEALER bound to the own endpoint that only receives, and a ROUTER that connects to
/// another endpoint when it is first sent to. A peer that can't be reached is an error, never a silent loss. A sender's
/// queue has no limit: who sends keeps to the credits that it was given. For one thread at a time.
///
/// In bundles, what is sent goes out when nothing more is there to be received (receive() then does that before it
/// waits), or 64 messages wait: all messages to one endpoint as one of ZeroMQ's, with three parts for each. So a thread
/// that answers many messages wakes each receiver once. All who meet at an endpoint have to agree on it.
class ZmqSockets {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t participant)>;
  enum class Sending { at_once, in_bundles };

  /// @param owner for errors: "node 3"
  ZmqSockets(zmq::context_t& context, std::string owner, EndpointOf endpoint_of, Sending sending);

  zmq::socket_t& bound() { return in_; }
  zmq::socket_t& connecting() { return out_; }
  /// @throws Error (run) if the endpoint of this participant can't be bound.
  void bind(std::uint16_t participant);
  std::string endpoint() const { return in_.get(zmq::sockopt::last_endpoint); }

  /// Number, fill and checksum are the caller's. Never blocks on the receiver.
  void send(const Message& message, zmq::message_t payload);
  /// Sends what waits to go out.
  void flush();
  /// Negative patience: for ever. @returns false: nothing came
  bool receive(ZmqParts& append, std::chrono::milliseconds patience);

 private:
  const std::string& connection_to(std::uint16_t participant);
  bool receive_message(ZmqParts& append, std::chrono::milliseconds patience);
  void read_message(ZmqParts& append, zmq::message_t part);
  void read_bundle(zmq::message_t part);
  void connect(const std::string& endpoint, const std::string& identity);
  template <class Doing>
  void send_part(const Doing& doing, zmq::message_t part, bool more);
  zmq::message_t receive_part();

  std::string owner_;
  EndpointOf endpoint_of_;
  bool bundles_;
  zmq::socket_t in_, out_;
  std::array<const std::string*, 257> connections_{};            ///< to participants; the last one is the coordinator
  std::map<std::string, std::string> identities_;                ///< of endpoints that it has connected to
  std::map<std::string, std::vector<zmq::message_t>> outgoing_;  ///< parts that wait, by identity; three a message
  std::size_t waiting_ = 0;                                      ///< messages in outgoing_
  std::deque<ZmqParts> incoming_;                                ///< of a bundle, not yet handed on
};

/// Calls into ZeroMQ; a context that was shut down becomes TransportClosed, anything else an Error that says where.
/// @param doing gives the words for that: "bind inproc://node-3"
template <class Doing, class F>
auto call_zmq(const std::string& owner, Doing&& doing, F&& call) {
  for (;;) {
    try {
      return call();
    } catch (const zmq::error_t& error) {
      if (error.num() == ETERM) throw TransportClosed();
      if (error.num() == EINTR) continue;
      throw Error(ErrorKind::run, owner + " failed to " + doing() + ": " + error.what());
    }
  }
}

}  // namespace ocs
