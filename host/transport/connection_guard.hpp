// Decides which connections a process takes, by ZeroMQ's authentication protocol (ZAP), and bounds what one may cost.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>
#include <zmq.hpp>

#include "host/transport/node_key.hpp"
#include "host/transport/stranger_limit.hpp"

namespace ocs {

/// How participants use their key.
enum class KeyUse {
  encrypt,  ///< CURVE: it proves who they are and encrypts all
  prove,    ///< PLAIN: it is shown in the clear and proves who they are; for keys of one run on one host
};

/// One a context, before its sockets and after them. With a key, only who has it gets a connection. Without one
/// everybody gets a connection who speaks ZMTP 3, over ipc only processes of this user (or of root). Each connection
/// gets a number, which messages carry.
class ConnectionGuard {
 public:
  /// @throws Error (run) if the context has a guard
  ConnectionGuard(zmq::context_t& context, std::optional<NodeKey> key, KeyUse use = KeyUse::encrypt);
  ~ConnectionGuard();
  ConnectionGuard(const ConnectionGuard&) = delete;
  ConnectionGuard& operator=(const ConnectionGuard&) = delete;

  /// With a key: who has a connection is a participant.
  bool asks_for_proof() const { return key_.has_value(); }
  /// Prepares a socket that is going to be bound. With a key, a connection that hasn't shown it may bring some kB;
  /// without one, a connection of which no message was taken (admit()) may bring so many bytes.
  void guard_bound(zmq::socket_t& socket, std::uint64_t bytes_of_a_stranger);
  /// Prepares a socket that is going to connect to others' bound ones.
  void guard_connecting(zmq::socket_t& socket) const;
  /// The connection that this message came by is a participant's.
  void admit(zmq::message_t& part) { limit_.admit(part); }
  /// Number of the connection, from 1, that a message came by to a guarded bound socket.
  static std::uint64_t connection_of(zmq::message_t& part);

 private:
  void answer_requests() noexcept;
  bool read_bound_endpoint();
  void answer();
  bool admits(const std::vector<zmq::message_t>& request) const;

  std::optional<NodeKey> key_;
  KeyUse use_;
  std::string open_key_;  ///< 32 bytes, as a connection shows them
  zmq::context_t* context_;
  StrangerLimit limit_;
  zmq::socket_t requests_, to_thread_, told_;
  std::uint64_t connections_ = 0;
  std::thread thread_;
};

}  // namespace ocs
