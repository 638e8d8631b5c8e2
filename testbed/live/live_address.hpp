// Where the page of a run is: an address and a port, of this host unless logins are required.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ocs {

/// What the command line says of the page.
struct LiveArguments {
  std::string at{};      ///< "127.0.0.1:8080"; empty: there is no page
  std::string logins{};  ///< file of users, as of `lightloop serve`; empty: everybody on this host may watch
  std::vector<std::string> names{};  ///< of this host in requests, besides addresses and localhost
};

struct LiveAddress {
  std::string address;
  std::uint16_t port = 0;  ///< 0: the system chooses
  bool is_of_this_host = true;
};

/// @throws Error (input): it isn't ADDRESS:PORT, or other hosts could reach it without a login
LiveAddress live_address(const LiveArguments& arguments);

/// http://127.0.0.1:8080/
std::string live_url(const LiveAddress& where);

}  // namespace ocs
