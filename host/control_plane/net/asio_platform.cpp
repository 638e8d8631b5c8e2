// What waits is kept alive by its handler, as Boost.Asio has it.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/asio_platform.hpp"

#include <poll.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ip/address.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/system/system_error.hpp>
#include <utility>

#include "host/control_plane/net/channel.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

namespace {

class AsioStream final : public ClientStream {
 public:
  AsioStream(tcp::socket socket, asio::ssl::context* tls) : channel_(std::move(socket), tls) {
    error_code ignored;
    channel_.socket().set_option(tcp::no_delay(true), ignored);  // answers are whole: none waits for more
    channel_.socket().set_option(asio::socket_base::keep_alive(true), ignored);
  }

  bool encrypts() const override { return channel_.encrypts(); }
  bool is_open() const override { return channel_.socket().is_open(); }
  void async_open(Done done) override { channel_.async_open(std::move(done)); }
  void async_read_some(std::span<char> into, Moved done) override {
    channel_.async_read_some(asio::buffer(into.data(), into.size()), std::move(done));
  }
  void async_write(std::string_view bytes, Moved done) override {
    channel_.async_write(asio::buffer(bytes.data(), bytes.size()), std::move(done));
  }
  void async_part(Done done) override { channel_.async_part(std::move(done)); }
  Client look() override {
    pollfd there{.fd = channel_.socket().native_handle(), .events = POLLRDHUP, .revents = 0};
    if (::poll(&there, 1, 0) <= 0) return Client::there;
    return (there.revents & (POLLERR | POLLHUP)) != 0 ? Client::gone : Client::ended;
  }
  void close() override {
    error_code ignored;
    channel_.socket().shutdown(Channel::Socket::shutdown_both, ignored);
    channel_.socket().close(ignored);
  }

 private:
  Channel channel_;
};

class AsioDoor final : public Door {
 public:
  AsioDoor(asio::io_context& loop, const tcp::endpoint& where, asio::ssl::context* tls) : acceptor_(loop), tls_(tls) {
    acceptor_.open(where.protocol());
    acceptor_.set_option(tcp::acceptor::reuse_address(true));
    acceptor_.bind(where);
    acceptor_.listen(asio::socket_base::max_listen_connections);
  }

  void async_accept(Admit done) override {
    acceptor_.async_accept([tls = tls_, done = std::move(done)](error_code error, tcp::socket socket) {
      tcp::endpoint from;
      if (!error) {
        from = socket.remote_endpoint(error);
        if (error) error = asio::error::connection_aborted;
      }
      if (error) return done(error, nullptr, {});
      done(error, std::make_unique<AsioStream>(std::move(socket), tls), from.address().to_string());
    });
  }
  std::uint16_t port() const override { return acceptor_.local_endpoint().port(); }
  void close() override {
    error_code ignored;
    acceptor_.close(ignored);
  }

 private:
  tcp::acceptor acceptor_;
  asio::ssl::context* tls_;
};

class AsioTimer final : public Timer {
 public:
  explicit AsioTimer(asio::io_context& loop) : timer_(loop) {}
  void async_wait(std::chrono::nanoseconds time, ClientStream::Done done) override {
    timer_.expires_after(time);
    timer_.async_wait(std::move(done));
  }
  void cancel() override { timer_.cancel(); }

 private:
  asio::steady_timer timer_;
};

class ThreadJudge final : public PasswordJudge {
 public:
  ThreadJudge(Logins logins, asio::io_context& loop) : logins_(std::move(logins)), loop_(loop) {}
  ~ThreadJudge() override { worker_.join(); }
  void judge(std::string user, std::string password, std::function<void(Role)> done) override {
    asio::post(worker_, [this, user = std::move(user), password = std::move(password), done = std::move(done)] {
      const Role role = serve::judge(logins_, user, password);
      asio::post(loop_, [done, role] { done(role); });
    });
  }

 private:
  const Logins logins_;
  asio::io_context& loop_;
  asio::thread_pool worker_{1};
};

}  // namespace

std::unique_ptr<Door> AsioPlatform::listen(const std::string& address, std::uint16_t port, asio::ssl::context* tls) {
  error_code error;
  const auto parsed = asio::ip::make_address(address, error);
  if (error) throw Error(ErrorKind::input, "\"" + address + "\" isn't an IP address to listen on, as 127.0.0.1 or ::1");
  return std::make_unique<AsioDoor>(loop_, tcp::endpoint(parsed, port), tls);
}

std::unique_ptr<Timer> AsioPlatform::make_timer() { return std::make_unique<AsioTimer>(loop_); }

std::unique_ptr<PasswordJudge> AsioPlatform::make_judge(Logins logins) {
  try {
    return std::make_unique<ThreadJudge>(std::move(logins), loop_);
  } catch (const boost::system::system_error& failure) {
    throw Error(ErrorKind::run, std::string("no thread for passwords can be started: ") + failure.what());
  }
}

}  // namespace ocs::serve
