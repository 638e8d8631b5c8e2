// By OpenSSL.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/net/tls.hpp"

#include <openssl/err.h>
#include <openssl/ssl.h>

#include <boost/asio/buffer.hpp>
#include <boost/asio/ssl/context.hpp>

#include "host/control_plane/quoted.hpp"
#include "host/core/error.hpp"

namespace ocs::serve {

namespace ssl = boost::asio::ssl;
using boost::system::error_code;

std::shared_ptr<ssl::context> make_tls(const PemFile& certificate, const PemFile& key) {
  auto tls = std::make_shared<ssl::context>(ssl::context::tls_server);
  SSL_CTX_set_min_proto_version(tls->native_handle(), TLS1_2_VERSION);
  // A client that asks for new keys again and again would keep the switch busy.
  SSL_CTX_set_options(tls->native_handle(), SSL_OP_NO_RENEGOTIATION);
  // Without this OpenSSL asks the terminal for the password of a key.
  tls->set_password_callback([](std::size_t, ssl::context::password_purpose) { return std::string(); });
  error_code failed;
  tls->use_certificate_chain(boost::asio::buffer(certificate.text), failed);
  if (failed)
    refuse("--tls-cert is " + shown(certificate.name) + ", but must be a certificate in PEM form: " + failed.message());
  ERR_clear_error();
  tls->use_private_key(boost::asio::buffer(key.text), ssl::context::pem, failed);
  const int reason = ERR_GET_REASON(static_cast<unsigned long>(failed.value()));
  if (failed && (reason == X509_R_KEY_VALUES_MISMATCH || reason == X509_R_KEY_TYPE_MISMATCH))
    refuse("--tls-key is " + shown(key.name) + ", but must be the key of the certificate in " +
           shown(certificate.name));
  if (failed)
    refuse("--tls-key is " + shown(key.name) +
           ", but must be a private key in PEM form, without a password: " + failed.message());
  return tls;
}

}  // namespace ocs::serve
