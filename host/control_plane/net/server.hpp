// Listens on TCP ports and carries sessions: one thread, many clients, none of which can make another wait.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/net/server_platform.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve {

/// The listening sockets and the connections of all dialects. Everything happens in the thread of the event loop.
class Server {
 public:
  using Maker = std::function<std::unique_ptr<ClientSession>(const std::string& address)>;
  using Catch = std::function<void(std::exception_ptr)>;

  /// @param before_command called before a client is heard: lets virtual time catch up. @param failed told of what a
  /// session throws. @param platform, context outlive the server.
  Server(ServerPlatform& platform, ConnectionContext& context, std::function<void()> before_command, Catch failed);
  ~Server();
  Server(const Server&) = delete;
  Server& operator=(const Server&) = delete;

  /// Listens for clients of one dialect. @param port 0: the system chooses. @param tls none: what is said isn't
  /// encrypted; it outlives the server.
  /// @return the port. @throws Error (input): the address isn't one, or can't be listened on.
  std::uint16_t listen(Dialect dialect, const std::string& address, std::uint16_t port, Maker maker,
                       boost::asio::ssl::context* tls = nullptr);

  /// The switch has gone on, or a login was judged: every session goes on. Connections that have been silent for
  /// too long are closed.
  void go_on();
  /// Admits no more clients; those that are there stay.
  void close_doors();
  /// No client is there, as of the last go_on().
  bool is_empty() const;
  /// Closes everything.
  void stop();

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace ocs::serve
