// Which requests a web page of somebody else has made a browser send.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <boost/beast/http/empty_body.hpp>
#include <boost/beast/http/fields.hpp>
#include <boost/beast/http/message.hpp>
#include <boost/beast/http/status.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ocs::serve::http {

struct Foreign {
  boost::beast::http::status status;
  std::string sentence;
};

/// Host must be an address, localhost or one of `names`: a page of evil.example whose name is made to point to this
/// host (DNS rebinding) says evil.example. Origin, if it is there, must be that host. HTTP/1.0 may leave Host out.
/// @param names_option by which names are given. @return why the request isn't answered; nothing: it is.
std::optional<Foreign> foreign(const boost::beast::http::request<boost::beast::http::empty_body>& request,
                               const std::vector<std::string>& names, const std::string& names_option);

}  // namespace ocs::serve::http
