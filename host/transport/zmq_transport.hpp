// Carries messages over ZeroMQ: threads (inproc), processes (ipc) and hosts (tcp) differ in the endpoint alone.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <unordered_set>
#include <vector>
#include <zmq.hpp>

#include "host/transport/connection_guard.hpp"
#include "host/transport/connection_watch.hpp"
#include "host/transport/shared_memory.hpp"
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
/// peer's when it is first sent to. A peer that can't be reached is an error, never a silent loss. A sender's queue has
/// no limit: who sends keeps to the credits that it was given. Between processes that share memory a reference crosses
/// in place of the payload.
///
/// With a guard, a connection is a participant's from its first message on, if that is taken; what else comes from it
/// is dropped, and so is everything from a connection whose first message is refused. What a participant's own
/// connection brings must be right. Without a guard (threads) every connection is a participant's.
class ZmqTransport : public Transport {
 public:
  using EndpointOf = std::function<std::string(std::uint16_t participant)>;
  /// Empty, or why a connection whose first message is this one isn't its sender's. `taken`: another connection is.
  using Admission = std::function<std::string(const Message& first, bool taken)>;

  /// Binds at once. Use it from one thread at a time. @throws Error (run) if the endpoint can't be bound.
  ZmqTransport(zmq::context_t& context, std::uint16_t self, EndpointOf endpoint_of, ConnectionGuard* guard = nullptr);

  /// Where it is bound, with the port that the system chose for "tcp://ADDRESS:*".
  std::string endpoint() const;
  /// All that is sent belongs to this job. What arrives of an earlier one is dropped, except `hello`; `begin` may be
  /// of a later one. Until it is called, the job is 0.
  void set_job(std::uint32_t job) { job_ = job; }
  /// With a guard: decides whose a new connection is. Without it, the first message of a participant decides.
  void admit_by(Admission admission) { admission_ = std::move(admission); }
  /// What was dropped, and why the last of it: "3 messages, the last one because ..."; empty: nothing was.
  std::string dropped() const;
  /// Sends a stranger one message, from a socket of its own, if it gets out within so long of wall time.
  void send_once(const std::string& endpoint, Message message, std::chrono::milliseconds patience);
  /// Payload in buffers of this memory goes to these nodes as references, and theirs is understood.
  void share(SharedMemory& memory, const std::bitset<max_ports>& with);
  /// What was sent goes out within so long of wall time even if this end is closed before; otherwise it may be lost.
  void linger(std::chrono::milliseconds patience) {
    out_.set(zmq::sockopt::linger, static_cast<int>(patience.count()));
  }
  /// Says which connections to others are made and lost.
  std::unique_ptr<ConnectionWatch> watch() { return std::make_unique<ConnectionWatch>(*context_, out_); }

  /// Fills in sender, job, sequence, acknowledged and payload_bytes. Never blocks on the receiver.
  void send(Message message) override;
  /// Negative patience: for ever. @throws Malformed for what isn't a message to this participant in its turn, from the
  /// connection of a participant.
  std::optional<Message> receive(std::chrono::milliseconds patience) override;

 private:
  struct Peer {
    std::string identity;  ///< empty: not connected
    std::uint64_t sent = 0, seen = 0;
    std::uint64_t connection = 0;  ///< that its messages come by; 0: none yet, or there is no guard
  };
  /// Part by part, as ZeroMQ has it: at most one more than a message has; `count` is that of all.
  struct Parts {
    std::vector<zmq::message_t> first;
    std::size_t count = 0;
  };
  Peer& peer(std::uint16_t participant);
  zmq::message_t third_part(Message& message);
  bool wait_for(Parts& parts, std::chrono::milliseconds patience);
  std::optional<Message> accept(Parts& parts);
  Message read(Parts& parts);
  void place(const Message& message, std::uint64_t connection, zmq::message_t& origin);
  void drop(std::uint64_t connection, const std::string& reason);
  bool is_participants(std::uint64_t connection) const;
  Payload received(const WireHeader& header, zmq::message_t part);

  zmq::context_t* context_;
  std::uint16_t self_;
  std::uint32_t job_ = 0;
  SharedMemory* memory_ = nullptr;
  std::bitset<max_ports> shares_;  ///< nodes that have the memory too
  EndpointOf endpoint_of_;
  ConnectionGuard* guard_;
  Admission admission_;
  std::unordered_set<std::uint64_t> strangers_;  ///< connections of which a message was refused
  std::uint64_t dropped_ = 0;                    ///< messages
  std::string last_dropped_;                     ///< why
  zmq::socket_t in_, out_;
  std::array<Peer, 257> peers_;  ///< the last one is the coordinator
};

}  // namespace ocs
