// Carries messages over ZeroMQ: threads (inproc), processes (ipc) and hosts (tcp) differ in the endpoint alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <bitset>
#include <cstdint>
#include <memory>
#include <string>
#include <zmq.hpp>

#include "host/transport/connection_guard.hpp"
#include "host/transport/connection_watch.hpp"
#include "host/transport/peer_protocol.hpp"
#include "host/transport/shared_memory.hpp"
#include "host/transport/wire.hpp"
#include "host/transport/zmq_sockets.hpp"

namespace ocs {

/// One participant's end. A message is three ZeroMQ parts (header, fields, payload); payload is never copied: a sent
/// view is released when its last reader lets go of it, a received one owns the ZeroMQ message.
///
/// Between processes that share memory a reference crosses in place of the payload.
/// What comes is checked by PeerProtocol. Without a guard (threads) every connection is a participant's.
class ZmqTransport : public Transport {
 public:
  using EndpointOf = ZmqSockets::EndpointOf;
  using Admission = PeerProtocol::Admission;

  /// Binds at once. In bundles only without a guard. Use it from one thread at a time. @throws Error (run) if the
  /// endpoint can't be bound.
  ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of, ConnectionGuard* guard = nullptr,
               ZmqSockets::Sending sending = ZmqSockets::Sending::at_once);

  /// Where it is bound, with the port that the system chose for "tcp://ADDRESS:*".
  std::string endpoint() const { return sockets_.endpoint(); }
  /// As of PeerProtocol; admit_by() with a guard alone.
  void set_job(std::uint32_t job) { protocol_.set_job(job); }
  void admit_by(Admission admission) { protocol_.admit_by(std::move(admission)); }
  std::string dropped() const { return protocol_.dropped(); }
  /// Sends a stranger one message, from a socket of its own, if it gets out within so long of wall time.
  void send_once(const std::string& endpoint, Message message, std::chrono::milliseconds patience);
  /// Payload in buffers of this memory goes to these nodes as references, and theirs is understood.
  void share(SharedMemory& memory, const std::bitset<max_ports>& with);
  /// What was sent goes out within so long of wall time even if this end is closed before; otherwise it may be lost.
  void linger(std::chrono::milliseconds patience) {
    sockets_.connecting().set(zmq::sockopt::linger, static_cast<int>(patience.count()));
  }
  /// Says which connections to others are made and lost.
  std::unique_ptr<ConnectionWatch> watch() {
    return std::make_unique<ConnectionWatch>(*context_, sockets_.connecting());
  }

  /// Fills in sender, job, sequence, acknowledged and payload_bytes. Never blocks on the receiver.
  void send(Message message) override;
  /// Negative patience: for ever. @throws Malformed for what isn't a message to this participant in its turn, from the
  /// connection of a participant.
  std::optional<Message> receive(std::chrono::milliseconds patience) override;

 private:
  class Arrived;
  zmq::message_t third_part(Message& message);
  Payload received(const WireHeader& header, zmq::message_t part);

  zmq::context_t* context_;
  std::uint16_t self_;
  SharedMemory* memory_ = nullptr;
  std::bitset<max_ports> shares_;  ///< nodes that have the memory too
  ConnectionGuard* guard_;
  PeerProtocol protocol_;
  ZmqSockets sockets_;
};

}  // namespace ocs
