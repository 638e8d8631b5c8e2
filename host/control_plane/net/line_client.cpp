// Each step is begun, and the context runs until it is done or its time is up.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/line_client.hpp"

#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/connect.hpp>
#include <boost/asio/read_until.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/asio/write.hpp>
#include <utility>

#include "host/control_plane/quoted.hpp"
#include "host/core/error.hpp"
#include "host/core/wait_text.hpp"

namespace ocs::serve {
namespace {

namespace asio = boost::asio;
using asio::ip::tcp;
using boost::system::error_code;

bool is_address(const std::string& host) {
  error_code failed;
  asio::ip::make_address(host, failed);
  return !failed;
}

}  // namespace

std::shared_ptr<asio::ssl::context> make_client_tls(const std::optional<PemFile>& authorities) {
  auto tls = std::make_shared<asio::ssl::context>(asio::ssl::context::tls_client);
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  error_code failed;
  if (authorities)
    tls->add_certificate_authority(asio::buffer(authorities->text), failed);
  else
    tls->set_default_verify_paths(failed);
  if (failed)
    refuse(authorities ? "--tls-ca is " + shown(authorities->name) +
                             ", but must be a file of certificates in PEM form: " + failed.message()
                       : "this machine's certificates can't be read: " + failed.message());
  return tls;
}

LineClient::LineClient(std::shared_ptr<asio::ssl::context> tls, std::chrono::milliseconds patience)
    : patience_(patience), tls_(std::move(tls)) {}

/// @param start begins a step with what is to be called at its end. @return why it failed; empty: it has not
template <class Start>
std::string LineClient::finish(Start start) {
  error_code result = asio::error::would_block;
  start([&result](const error_code& failed, auto&&...) { result = failed; });
  context_.restart();
  context_.run_for(patience_);
  if (result == asio::error::would_block) {
    socket_.close();
    context_.run();  // what was begun ends now, before its variables do
    return "no answer within " + wait_text(patience_);
  }
  return result ? result.message() : "";
}

std::string LineClient::connect(const std::string& host, const std::string& port) {
  tcp::resolver resolver(context_);
  tcp::resolver::results_type found;
  std::string unknown = finish([&](auto done) {
    resolver.async_resolve(host, port, [&found, done](const error_code& failed, tcp::resolver::results_type all) {
      found = std::move(all);
      done(failed);
    });
  });
  if (!unknown.empty()) return unknown;
  const std::string absent = finish([&](auto done) { asio::async_connect(socket_, found, done); });
  return absent.empty() && tls_ ? open_tls(host) : absent;
}

std::string LineClient::open_tls(const std::string& host) {
  encrypted_.emplace(socket_, *tls_);
  encrypted_->set_verify_mode(asio::ssl::verify_peer);
  encrypted_->set_verify_callback(asio::ssl::host_name_verification(host));
  if (!is_address(host)) SSL_set_tlsext_host_name(encrypted_->native_handle(), host.c_str());
  const std::string failed =
      finish([&](auto done) { encrypted_->async_handshake(asio::ssl::stream_base::client, done); });
  return failed.empty() ? "" : "no TLS connection: " + failed;
}

std::string LineClient::exchange(const std::string& text, std::string& line, std::size_t longest) {
  const auto over = [&](auto& stream) {
    std::string unsent = finish([&](auto done) { asio::async_write(stream, asio::buffer(text), done); });
    if (!unsent.empty()) return unsent;
    return finish([&](auto done) { asio::async_read_until(stream, asio::dynamic_buffer(came_, longest), '\n', done); });
  };
  std::string failed = encrypted_ ? over(*encrypted_) : over(socket_);
  if (!failed.empty()) return failed;
  const std::size_t end = came_.find('\n');
  line = came_.substr(0, end);
  came_.erase(0, end + 1);
  return "";
}

}  // namespace ocs::serve
