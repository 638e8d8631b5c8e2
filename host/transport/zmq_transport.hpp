// Carries messages over ZeroMQ: threads (inproc), processes (ipc) and hosts (tcp) differ in the endpoint alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <zmq.hpp>

#include "host/transport/wire.hpp"

namespace ocs {

/// Thrown by send() and receive() once the context has been shut down.
class TransportClosed : public Error {
 public:
  TransportClosed() : Error(ErrorKind::run, "the transport has been shut down") {}
};

/// One participant's end. A message is three ZeroMQ parts (header, fields, payload); payload is never copied: a sent
/// view is released when its last reader lets go of it, a received one owns the ZeroMQ message.
///
/// It takes two sockets whatever the number of peers (one PUSH a peer would meet the limit of open files at about 30
/// workers with 16 servers): a DEALER bound to the own endpoint that only receives, and a ROUTER that connects to a
/// peer's when it is first sent to. A peer that can't be reached is an error, never a silent loss. Queues have no
/// limit: who sends keeps to the credits that it was given.
class ZmqTransport : public Transport {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t participant)>;

  /// Binds at once. Use it from one thread at a time. @throws Error (run) if the endpoint can't be bound.
  ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of);

  /// Fills in sender, sequence, acknowledged and payload_bytes. Never blocks on the receiver.
  void send(Message message) override;
  /// Negative patience: for ever. @throws Malformed for what isn't a message to this participant in its turn.
  std::optional<Message> receive(std::chrono::milliseconds patience) override;

 private:
  struct Peer {
    std::string identity;  ///< empty: not connected
    std::uint64_t sent = 0, seen = 0;
  };
  Peer& peer(std::uint16_t participant);
  Message take(zmq::message_t& header_part);

  std::uint16_t self_;
  EndpointOf endpoint_of_;
  zmq::socket_t in_, out_;
  std::array<Peer, 257> peers_;  ///< the last one is the coordinator
};

}  // namespace ocs
