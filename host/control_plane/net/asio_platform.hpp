// A server's system on this machine: sockets and timers of Boost.Asio, and one thread for passwords.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>

#include "host/control_plane/net/server_platform.hpp"

namespace ocs::serve {

class AsioPlatform final : public ServerPlatform {
 public:
  /// @param loop outlives this and all that it makes
  explicit AsioPlatform(boost::asio::io_context& loop) : loop_(loop) {}

  Clock::time_point now() const override { return Clock::now(); }
  std::unique_ptr<Door> listen(const std::string& address, std::uint16_t port, boost::asio::ssl::context* tls) override;
  std::unique_ptr<Timer> make_timer() override;
  std::unique_ptr<PasswordJudge> make_judge(Logins logins) override;

 private:
  boost::asio::io_context& loop_;
};

}  // namespace ocs::serve
