// One TCP connection: bytes to a session, and its answers back.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <boost/system/error_code.hpp>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "host/control_plane/client_session.hpp"
#include "host/control_plane/net/server_platform.hpp"
#include "host/control_plane/server_context.hpp"

namespace ocs::serve {

/// Reads only while its client takes the answers and the session doesn't wait, so it holds little however fast
/// the client sends. Lives as long as an operation on its socket does.
class Connection : public std::enable_shared_from_this<Connection> {
 public:
  using Clock = ServerPlatform::Clock;
  struct Hooks {
    std::function<void()> before_command;
    std::function<void(std::exception_ptr)> failed;
  };

  /// @param platform, context, hooks outlive what waits on the stream
  Connection(std::unique_ptr<ClientStream> stream, const ServerPlatform& platform, const Peer& peer,
             std::unique_ptr<ClientSession> session, ConnectionContext& context, const Hooks& hooks);
  ~Connection();
  Connection(const Connection&) = delete;
  Connection& operator=(const Connection&) = delete;

  void start();
  void go_on(Clock::time_point now);
  void close();
  bool is_open() const { return stream_->is_open(); }
  const Peer& peer() const { return peer_; }
  const std::string& network() const { return network_; }  ///< as network_of() the peer's address
  Clock::time_point begin() const { return begin_; }
  /// It has no claim on its place when another client needs one: it hasn't logged in, or was silent from the start.
  bool dispensable(Clock::time_point now) const;

 private:
  void opened(boost::system::error_code error);
  void read();
  void write();
  /// All is said: ends in good order.
  void part();
  template <class Say>
  void converse(Say say);
  /// What the client has sent isn't all executed.
  bool has_work() const { return session_->waiting() || session_->has_more(); }
  bool full() const { return answer_.size() + sending_.size() > limits_.unsent; }

  /// It has taken longer than its limits allow.
  bool is_late(Clock::time_point now) const;
  /// Whether a client that isn't read from is still there.
  void look_for_client(Clock::time_point now);

  std::unique_ptr<ClientStream> stream_;
  const ServerPlatform& platform_;
  Peer peer_;
  std::string network_;
  std::unique_ptr<ClientSession> session_;
  ConnectionContext& context_;
  const Limits& limits_;
  Tally& tally_;
  const Hooks& hooks_;
  std::array<char, 16384> heard_{};
  std::string answer_, sending_;
  bool open_ = false;  ///< client and server have agreed on keys, or need none
  bool reading_ = false, writing_ = false, ended_ = false, spoken_ = false;
  Clock::time_point begin_;
  Clock::time_point last_ = begin_;            ///< of hearing from the client or sending to it
  Clock::time_point looked_ = begin_;          ///< whether it is still there
  std::optional<Clock::time_point> left_{};    ///< when its end was noticed
  std::optional<Clock::time_point> parted_{};  ///< when this end said that nothing more comes
};

}  // namespace ocs::serve
