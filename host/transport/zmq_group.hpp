// Carries the messages of several participants that one thread serves.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>
#include <zmq.hpp>

#include "host/transport/peer_protocol.hpp"
#include "host/transport/zmq_sockets.hpp"

namespace ocs {

/// Its members share two sockets and an endpoint, so that what comes for one of them while the thread works for another
/// wakes nobody, and there is one connection from group to group. They send in bundles. Otherwise each member is a
/// participant as with a ZmqTransport, also to the other members, to which it sends through ZeroMQ. Every connection is
/// a participant's.
class ZmqGroup {
 public:
  /// Binds at once, to the endpoint of the first member. @param endpoint_of gives the same endpoint for all members of a
  /// group. @throws Error (run) if it can't be bound
  ZmqGroup(zmq::context_t& context, const std::vector<std::uint16_t>& members, ZmqSockets::EndpointOf endpoint_of);

  /// Of a member: as ZmqTransport::send().
  Sender& sender(std::uint16_t member);
  /// What was sent goes out now, not with receive(): before the last member ends.
  void flush() { sockets_.flush(); }
  /// The next message for any member, which its header names. Negative patience: for ever. @throws Malformed for what
  /// isn't a message to a member in its turn
  std::optional<Message> receive(std::chrono::milliseconds patience);

 private:
  class Arrived;
  struct Member final : Sender {
    Member(ZmqGroup& all, std::uint16_t self) : group(all), protocol(self, false, false), number(self) {}
    void send(Message message) override;
    ZmqGroup& group;
    PeerProtocol protocol;
    std::uint16_t number;
  };
  Member* find(std::optional<std::uint16_t> number);

  ZmqSockets sockets_;
  std::deque<Member> members_;
};

}  // namespace ocs
