// Bounds what a connection may bring before it is known to be a participant's.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <mutex>
#include <set>
#include <string>
#include <vector>
#include <zmq.hpp>

namespace ocs {

/// ZeroMQ bounds the size of a part, but neither the number of parts of a message, which it keeps until the last one
/// has come, nor the number of connections that haven't proved anything yet. The kernel counts the bytes of each
/// connection: one that brings more than a stranger needs is closed. The counts are read every few milliseconds, so
/// what the machine carries in this time comes on top. Connections over ipc aren't counted.
class StrangerLimit {
 public:
  /// @param bytes_of_a_handshake a connection is known when so many bytes of this end have reached the other one; 0:
  /// only admit() makes it known.
  explicit StrangerLimit(std::uint64_t bytes_of_a_handshake) : bytes_of_a_handshake_(bytes_of_a_handshake) {}

  static std::string monitor_of(const zmq::socket_t& socket);
  /// Of zmq_socket_monitor().
  static constexpr int monitor_events = ZMQ_EVENT_ACCEPTED;

  /// An unknown connection to the socket of this monitor may bring so many bytes. This and what follows, but for
  /// admit(), is for one thread.
  void watch(zmq::context_t& context, const std::string& monitor, std::uint64_t stranger_bytes);
  /// Readable when there are new connections.
  std::vector<zmq::pollitem_t> items();
  /// Learns of new connections, and closes those that have brought too much.
  void check();
  /// How long check() may wait if nothing is readable; negative: for ever.
  std::chrono::milliseconds period() const;

  /// The connection that this message came by is a participant's. From any thread.
  void admit(zmq::message_t& part);

 private:
  struct Unknown {
    int descriptor;
    std::uint64_t cookie;  ///< the kernel's number of the connection, which is never used again
    std::uint64_t may_bring;
  };
  struct Monitor {
    zmq::socket_t events;
    std::uint64_t may_bring;
  };
  void read_events(Monitor& monitor);
  bool is_settled(const Unknown& connection) const;

  std::uint64_t bytes_of_a_handshake_;
  std::vector<Monitor> monitors_;
  mutable std::mutex mutex_;      ///< of what follows
  std::vector<Unknown> unknown_;  ///< the oldest first
  std::set<std::uint64_t> admitted_;
};

}  // namespace ocs
