// What a server shows to its clients so that what they say is encrypted.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>

namespace boost::asio::ssl {
class context;
}

namespace ocs::serve {

/// A file in PEM form that was read.
struct PemFile {
  std::string name;  ///< for messages
  std::string text;
};

/// TLS 1.2 or later. @param certificate the server's, and after it those that lead to a root that clients know.
/// @throws Error (input): one of them isn't that, or the key belongs to another certificate.
std::shared_ptr<boost::asio::ssl::context> make_tls(const PemFile& certificate, const PemFile& key);

}  // namespace ocs::serve
