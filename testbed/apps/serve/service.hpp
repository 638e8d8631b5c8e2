// The event loop of lightloop serve: a switch, its clock, the dialects and their sockets.
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "host/control_plane/net/logins.hpp"
#include "host/control_plane/net/tls.hpp"
#include "host/control_plane/server_context.hpp"
#include "host/core/delays.hpp"
#include "host/core/device.hpp"

namespace ocs {

struct ServiceOptions {
  std::string device;  ///< its name, for *IDN? and the like
  std::string preset;  ///< name of the switch profile that `delays` come from; empty: none
  SwitchDelays delays;
  std::int64_t speed = 1;  ///< virtual time over wall time
  std::string address = "127.0.0.1";
  std::optional<std::uint16_t> scpi, tl1, http;  ///< TCP ports, 0: the system chooses; none: not served
  std::string scpi_end = "\n";
  serve::Limits limits{};
  std::vector<std::string> http_names{};             ///< of this host, besides addresses and localhost
  std::string log{};                                 ///< file for logins and refusals; empty: none
  std::optional<serve::Logins> logins{};             ///< none: everybody may operate
  std::shared_ptr<boost::asio::ssl::context> tls{};  ///< none: nothing is encrypted
  std::string version;
};

/// Until SIGINT, SIGTERM or SIGHUP. Says on `out` where it listens. @param device as after power-up.
/// @throws Error (input): an address can't be listened on; Error (run): the switch fails.
void serve_switch(Device& device, const ServiceOptions& options, std::ostream& out);

}  // namespace ocs
