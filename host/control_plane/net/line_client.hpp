// A connection of a client that writes text and reads lines, encrypted or not, with a limit of time for each step.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/stream.hpp>
#include <chrono>
#include <memory>
#include <optional>
#include <string>

#include "host/control_plane/net/tls.hpp"

namespace ocs::serve {

/// TLS 1.2 or later for a client. @param authorities whose certificates are believed; none: those that this machine
/// knows. @throws Error (input): no such certificates.
std::shared_ptr<boost::asio::ssl::context> make_client_tls(const std::optional<PemFile>& authorities);

class LineClient {
 public:
  /// @param tls none: not encrypted. @param patience for each step
  LineClient(std::shared_ptr<boost::asio::ssl::context> tls, std::chrono::milliseconds patience);

  /// Connects; with TLS the certificate has to be `host`'s. @return why it failed; empty: it has not
  std::string connect(const std::string& host, const std::string& port);
  /// Writes `text`, then reads a line of at most `longest` bytes without its end. @return why it
  /// failed; empty: it has not
  std::string exchange(const std::string& text, std::string& line, std::size_t longest);

 private:
  using Socket = boost::asio::ip::tcp::socket;
  template <class Start>
  std::string finish(Start start);
  std::string open_tls(const std::string& host);

  std::chrono::milliseconds patience_;
  boost::asio::io_context context_;
  std::shared_ptr<boost::asio::ssl::context> tls_;
  Socket socket_{context_};
  std::optional<boost::asio::ssl::stream<Socket&>> encrypted_;
  std::string came_;  ///< read, and not yet asked for
};

}  // namespace ocs::serve
