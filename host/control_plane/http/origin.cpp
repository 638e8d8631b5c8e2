// Host against DNS rebinding, Origin against other pages.
// SPDX-License-Identifier: Apache-2.0
#include "host/control_plane/http/origin.hpp"

#include <algorithm>
#include <boost/asio/ip/address.hpp>
#include <boost/beast/core/string.hpp>
#include <string_view>

#include "host/control_plane/quoted.hpp"

namespace ocs::serve::http {
namespace {

namespace beast = boost::beast::http;
using boost::beast::iequals;

/// HOST of HOST, HOST:PORT, [ADDRESS] and [ADDRESS]:PORT, without brackets.
std::string_view name_in(std::string_view authority) {
  if (authority.starts_with('[')) return authority.substr(1, std::max<std::size_t>(authority.find(']'), 1) - 1);
  return authority.substr(0, authority.find(':'));
}

bool is_known(std::string_view name, const std::vector<std::string>& names) {
  boost::system::error_code no_address;
  boost::asio::ip::make_address(std::string(name), no_address);
  if (!no_address || iequals({name.data(), name.size()}, "localhost")) return true;
  return std::any_of(names.begin(), names.end(), [&](const std::string& known) {
    return iequals({name.data(), name.size()}, known);
  });
}

std::string_view view(boost::beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

std::optional<Foreign> foreign(const beast::request<beast::empty_body>& request, const std::vector<std::string>& names,
                               const std::string& names_option) {
  const std::size_t hosts = request.count(beast::field::host);
  if (hosts == 0 && request.version() < 11 && request.count(beast::field::origin) == 0) return std::nullopt;
  if (hosts != 1) return Foreign{beast::status::bad_request, "a request must have one Host"};
  const std::string_view host = view(request[beast::field::host]);
  if (!is_known(name_in(host), names))
    return Foreign{beast::status::misdirected_request,
                   "Host is " + shown(host) + ", but must be an address, localhost or a name given by " + names_option};
  for (auto [at, end] = request.equal_range(beast::field::origin); at != end; ++at) {
    const std::string_view origin = view(at->value());
    const std::size_t scheme = origin.find("://");
    if (scheme == std::string_view::npos ||
        !iequals({origin.data() + scheme + 3, origin.size() - scheme - 3}, {host.data(), host.size()}))
      return Foreign{beast::status::forbidden,
                     "Origin is " + shown(origin) + ", but must be this host, " + shown(host)};
  }
  return std::nullopt;
}

}  // namespace ocs::serve::http
