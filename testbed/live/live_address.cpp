// Takes "127.0.0.1:8080" and "[::1]:8080" apart.
// SPDX-License-Identifier: Apache-2.0
#include "testbed/live/live_address.hpp"

#include <boost/asio/ip/address.hpp>
#include <charconv>
#include <string_view>

#include "host/core/error.hpp"
#include "host/core/printable.hpp"

namespace ocs {
namespace {

[[noreturn]] void refuse_live(const std::string& text) {
  throw Error(ErrorKind::input, "--live is \"" + printable(text) +
                                    "\", but must be an IP address and a port, such as 127.0.0.1:8080 or [::1]:8080");
}

}  // namespace

LiveAddress live_address(const LiveArguments& arguments) {
  const std::string& text = arguments.at;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string::npos) refuse_live(text);
  LiveAddress where{.address = text.substr(0, colon)};
  const char *first = text.data() + colon + 1, *last = text.data() + text.size();
  if (const auto [end, failed] = std::from_chars(first, last, where.port); failed != std::errc{} || end != last)
    refuse_live(text);
  const bool brackets = where.address.starts_with('[') && where.address.ends_with(']');
  if (brackets) where.address = where.address.substr(1, where.address.size() - 2);
  boost::system::error_code wrong;
  const auto parsed = boost::asio::ip::make_address(where.address, wrong);
  if (wrong || parsed.is_v6() != brackets) refuse_live(text);
  where.is_of_this_host = parsed.is_loopback();
  if (!where.is_of_this_host && arguments.logins.empty())
    throw Error(ErrorKind::input,
                "--live is \"" + printable(text) + "\", but without --live-logins FILE only this host is listened to");
  return where;
}

std::string live_url(const LiveAddress& where) {
  const bool colons = where.address.find(':') != std::string::npos;
  return "http://" + (colons ? "[" + where.address + "]" : where.address) + ":" + std::to_string(where.port) + "/";
}

}  // namespace ocs
