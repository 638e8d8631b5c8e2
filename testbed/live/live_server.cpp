// One event loop: what the run says, and the clients of its page.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_server.hpp"

#include <sys/socket.h>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cerrno>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "host/control_plane/net/asio_platform.hpp"
#include "host/control_plane/net/logins.hpp"
#include "host/control_plane/net/password_authenticator.hpp"
#include "host/control_plane/net/server.hpp"
#include "host/core/error.hpp"
#include "testbed/live/live_log.hpp"
#include "testbed/live/live_session.hpp"

namespace ocs {
namespace {

using namespace std::chrono_literals;
using Clock = std::chrono::steady_clock;
using boost::system::error_code;

constexpr auto tick = 100ms;
constexpr auto farewell = 2s;  // for clients that haven't heard yet how the run ended
constexpr std::size_t longest_message = std::size_t{1} << 18;
constexpr int messages_at_once = 100;  // before clients have their turn

/// A page is one connection for itself and one for its events.
serve::Limits limits_of(const LiveAddress& where) {
  serve::Limits limits;
  limits.connections = 64;
  limits.per_address = where.is_of_this_host ? limits.connections : 16;
  limits.idle = 30s;
  limits.login_time = 2min;  // on a machine that is busy with rows, this process is long at a password
  return limits;
}

class LiveServer {
 public:
  LiveServer(int socket, const LiveAddress& where, const LiveArguments& arguments)
      : authenticator_(make_authenticator(arguments)),
        context_{.authenticator = *authenticator_,
                 .limits = limits_of(where),
                 .names = arguments.names,
                 .names_option = "--live-name"},
        shown_{.context = context_, .log = log_, .now = [] { return Clock::now(); }, .began = Clock::now()},
        server_(
            platform_, context_, [] {}, [this](const std::exception_ptr&) { loop_.stop(); }),
        run_(loop_) {
    port_ = server_.listen(serve::Dialect::http, where.address, where.port,
                           [this](const std::string& from) { return make_live_session(shown_, from); });
    run_.assign(socket);  // it isn't closed before it is known what went wrong
  }

  std::uint16_t port() const { return port_; }

  void serve() {
    read_log();
    next_tick();
    loop_.run();
    server_.stop();
  }

 private:
  std::unique_ptr<serve::Authenticator> make_authenticator(const LiveArguments& arguments) {
    if (arguments.logins.empty()) return std::make_unique<serve::OpenAuthenticator>();
    return std::make_unique<serve::PasswordAuthenticator>(serve::read_logins(arguments.logins), platform_,
                                                          [this] { server_.go_on(); });
  }

  void read_log() {
    run_.async_wait(boost::asio::posix::descriptor_base::wait_read, [this](error_code error) {
      if (error) return;
      for (int k = 0; k < messages_at_once; ++k) {
        const ssize_t size = ::recv(run_.native_handle(), message_.data(), message_.size(), MSG_DONTWAIT);
        if (size < 0 && (errno == EAGAIN || errno == EINTR)) break;
        if (size <= 0) return end();
        log_.receive({message_.data(), static_cast<std::size_t>(size)});
        if (log_.has_ended()) return end();
      }
      read_log();
    });
  }

  /// The address is free again when the run hears that this end is closed.
  void end() {
    log_.close();
    ended_ = Clock::now();
    server_.close_doors();
    error_code ignored;
    run_.close(ignored);
  }

  void next_tick() {
    timer_.expires_after(tick);
    timer_.async_wait([this](error_code error) {
      if (error) return;
      server_.go_on();
      if (ended_ && (server_.is_empty() || Clock::now() - *ended_ > farewell)) return loop_.stop();
      next_tick();
    });
  }

  boost::asio::io_context loop_{1};
  serve::AsioPlatform platform_{loop_};
  std::unique_ptr<serve::Authenticator> authenticator_;
  serve::ConnectionContext context_;
  LiveLog log_;
  LiveShown shown_;
  serve::Server server_;
  boost::asio::posix::stream_descriptor run_;
  boost::asio::steady_timer timer_{loop_};
  std::vector<char> message_ = std::vector<char>(longest_message);
  std::uint16_t port_ = 0;
  std::optional<Clock::time_point> ended_{};
};

void say(int socket, const std::string& text) { ::send(socket, text.data(), text.size(), MSG_NOSIGNAL); }

}  // namespace

void serve_live_page(int socket, const LiveAddress& where, const LiveArguments& arguments) {
  std::unique_ptr<LiveServer> server;
  try {
    server = std::make_unique<LiveServer>(socket, where, arguments);
  } catch (const Error& failure) {
    return say(socket, std::string("-") + failure.what());
  }
  say(socket, "+" + std::to_string(server->port()));
  server->serve();
}

}  // namespace ocs
