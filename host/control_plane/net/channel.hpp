// The bytes of a connection, encrypted or not.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <boost/asio/write.hpp>
#include <optional>
#include <utility>

namespace ocs::serve {

/// A socket, with TLS above it or without. One read and one write at a time; who waits keeps it alive.
class Channel {
 public:
  using Socket = boost::asio::ip::tcp::socket;

  /// @param tls none: not encrypted.
  Channel(Socket socket, boost::asio::ssl::context* tls) : socket_(std::move(socket)) {
    if (tls != nullptr) tls_.emplace(socket_, *tls);
  }
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  Socket& socket() { return socket_; }
  const Socket& socket() const { return socket_; }
  bool encrypts() const { return tls_.has_value(); }

  /// Agrees with the client on keys; without TLS there is nothing to do.
  template <class Done>
  void async_open(Done done) {
    if (!tls_) return done(boost::system::error_code());
    tls_->async_handshake(boost::asio::ssl::stream_base::server, std::move(done));
  }
  template <class Buffer, class Done>
  void async_read_some(Buffer buffer, Done done) {
    if (tls_) return tls_->async_read_some(buffer, std::move(done));
    socket_.async_read_some(buffer, std::move(done));
  }
  template <class Buffer, class Done>
  void async_write(Buffer buffer, Done done) {
    if (tls_) return boost::asio::async_write(*tls_, buffer, std::move(done));
    boost::asio::async_write(socket_, buffer, std::move(done));
  }
  /// Says that nothing more comes, and waits for the client to say so. Only of one that encrypts.
  template <class Done>
  void async_part(Done done) {
    tls_->async_shutdown(std::move(done));
  }

 private:
  Socket socket_;
  std::optional<boost::asio::ssl::stream<Socket&>> tls_;
};

}  // namespace ocs::serve
